/** Every dialect of the table keeps the contract, on the shared corpus and on its own recorded calls. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { type DialectId, dialectIds, findDialect, isDialectId } from "../../src/dialects/index.ts"
import { isHeadwayError } from "../../src/plan/index.ts"
import { describeDialect, type RecordedCall, type Skip } from "../contracts/dialect.ts"

const linesOf = (path: string): RecordedCall[] =>
  readFileSync(new URL(`../fixtures/${path}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): RecordedCall => JSON.parse(line))

const corpus = linesOf("calls.jsonl")

const skips: Partial<Record<DialectId, Skip[]>> = {
  markdown: [{ case: "cut off", reason: "half a checklist is a checklist; nothing in it shows where it should end" }],
  "oh-my-pi": [{ case: "unchanged", reason: "its answer is always the whole list, O7" }],
  gencode: [{ case: "unchanged", reason: "its answer is always the whole list, G3" }],
}

for (const id of dialectIds) {
  describe(id, () => {
    const own = linesOf(`dialects/${id}.jsonl`)
    describeDialect(findDialect(id), [...corpus.filter(({ dialect }) => dialect === id), ...own], skips[id] ?? [])

    test("N1 it has its own recorded calls", () => {
      expect(own.length).toBeGreaterThanOrEqual(4)
    })

    test("N1 its id is its key in the table", () => {
      expect(findDialect(id).id).toBe(id)
    })
  })
}

test("N2 every line of the corpus names a dialect of the table", () => {
  expect(corpus).toHaveLength(60)
  for (const { dialect = "" } of corpus) expect(dialectIds).toContain(dialect)
})

test("the error for an unknown dialect lists the known ones", () => {
  expect(isDialectId("toString")).toBe(false)
  try {
    findDialect("toString")
    expect.fail("it was found")
  } catch (thrown) {
    expect(isHeadwayError(thrown) && thrown.code).toBe("unknown-dialect")
    expect(String(thrown)).toContain("claude-todos")
  }
})
