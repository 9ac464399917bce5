/** The token file: one secret, for one person. */
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { loadToken, makeToken, readToken, saveToken, tokenPath } from "../../../src/home/serve/token.ts"
import { namesIn, temporaryFolder } from "../../stores/temporary.ts"

test("has 256 bits, no two alike", () => {
  const tokens = Array.from({ length: 100 }, makeToken)
  expect(tokens.every((token) => Buffer.from(token, "base64url").length === 32)).toBe(true)
  expect(new Set(tokens).size).toBe(100)
})

test("is made once, for its owner alone, and stays the same", () => {
  const home = join(temporaryFolder(), "home")
  expect(readToken(home)).toBeUndefined()
  const token = loadToken(home)
  expect(readFileSync(tokenPath(home), "utf8")).toBe(`${token}\n`)
  expect(statSync(tokenPath(home)).mode & 0o777).toBe(0o600)
  expect(statSync(home).mode & 0o777).toBe(0o700)
  expect(loadToken(home)).toBe(token)
})

test("is used although the process that made it was killed before it removed the first name", () => {
  const home = temporaryFolder()
  const token = loadToken(home)
  linkSync(tokenPath(home), join(home, "tmp", "4194305-abc.tmp"))
  expect(loadToken(home)).toBe(token)
  expect(namesIn(join(home, "tmp"))).toEqual([])
})

test("can be replaced, without a trace of the old one", () => {
  const home = temporaryFolder()
  const old = loadToken(home)
  const token = makeToken()
  saveToken(home, token)
  expect(loadToken(home)).toBe(token)
  expect(token).not.toBe(old)
  expect(statSync(tokenPath(home)).mode & 0o777).toBe(0o600)
  expect(namesIn(join(home, "tmp"))).toEqual([])
})

test("stays where a new one cannot be kept", () => {
  const home = temporaryFolder()
  const old = loadToken(home)
  rmSync(join(home, "tmp"), { recursive: true })
  writeFileSync(join(home, "tmp"), "")
  expect(() => saveToken(home, makeToken())).toThrow("is not a folder")
  expect(readToken(home)).toBe(old)
})

describe("is refused, with how to make another,", () => {
  const cases: [string, (home: string) => void][] = [
    ["where others can read it", (home) => chmodSync(tokenPath(home), 0o644)],
    ["where a group can write it", (home) => chmodSync(tokenPath(home), 0o620)],
    ["where it has another name too", (home) => linkSync(tokenPath(home), join(home, "other"))],
    ["where it is empty", (home) => writeFileSync(tokenPath(home), "")],
    ["where it is short", (home) => writeFileSync(tokenPath(home), "abc\n")],
  ]
  test.each(cases)("%s", (_, spoil) => {
    const home = temporaryFolder()
    loadToken(home)
    spoil(home)
    expect(() => loadToken(home)).toThrow(/serve-token .*, so it is not used\. .*--new-token/)
    saveToken(home, makeToken())
    expect(loadToken(home)).toHaveLength(43)
  })

  test("where it is a link or a folder", () => {
    const home = temporaryFolder()
    const elsewhere = join(temporaryFolder(), "elsewhere")
    writeFileSync(elsewhere, `${makeToken()}\n`, { mode: 0o600 })
    symlinkSync(elsewhere, tokenPath(home))
    expect(() => loadToken(home)).toThrow("is a link")
    const before = readFileSync(elsewhere, "utf8")
    saveToken(home, makeToken())
    expect(readFileSync(elsewhere, "utf8")).toBe(before)
    const other = temporaryFolder()
    mkdirSync(tokenPath(other))
    expect(() => loadToken(other)).toThrow("is not a file")
    const dangling = temporaryFolder()
    symlinkSync(join(dangling, "nowhere"), tokenPath(dangling))
    expect(() => loadToken(dangling)).toThrow("is a link")
  })
})
