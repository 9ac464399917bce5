/** The table of the designs is whole and true: one row for each behaviour, files that exist, tests that cite its number. */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8")

/** How many behaviours each design has. */
const behaviours = { C: 35, W: 3, G: 9, O: 18, A: 8, N: 11 }

const numbers = Object.entries(behaviours).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
)

const rows = [...read("docs/designs.md").matchAll(/^\| ([A-Z]\d+) +\|([^|]+)\|([^|]+)\|([^|]+)\|$/gm)].map(
  ([, number = "", about = "", lives = "", proved = ""]) => ({ number, about, lives, proved }),
)

const pathsIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path)

/** The number as a word of its own, outside of comments: in the name of a test or of a group of tests. */
const cites = (path: string, number: string): boolean =>
  read(path)
    .split("\n")
    .some((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && new RegExp(`\\b${number}\\b`).test(line))

test("every behaviour has one row, in order", () => {
  expect(rows.map(({ number }) => number)).toEqual(numbers)
})

describe.each(rows)("$number", ({ number, about, lives, proved }) => {
  test("is described, and lives in files that exist", () => {
    expect(about.trim()).not.toBe("")
    expect(pathsIn(lives).length).toBeGreaterThan(0)
    expect(pathsIn(lives).filter((path) => !path.startsWith("src/") || !existsSync(`${root}/${path}`))).toEqual([])
  })

  test("is cited by every test that is listed for it", () => {
    expect(pathsIn(proved).length).toBeGreaterThan(0)
    expect(pathsIn(proved).filter((path) => !path.startsWith("test/") || !cites(path, number))).toEqual([])
  })
})
