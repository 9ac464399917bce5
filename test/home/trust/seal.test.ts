/** The key by which a person's entries in a repository are known: who else may know it, and what counts without it. */
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createSeal } from "../../../src/home/trust/seal.ts"
import { temporaryFolder } from "../../stores/temporary.ts"

const place = ["/p/.headway", "s", "main"]

/** A home with a key, and a line that was sealed by it. */
const sealedIn = (mode: number) => {
  const home = join(temporaryFolder(), "home")
  mkdirSync(home)
  const line = createSeal(home)(place).seal('{"v":1}')
  chmodSync(home, mode)
  return { home, line, path: join(home, "seal.key"), again: () => createSeal(home)(place) }
}

describe("a key that others may know", () => {
  test.each([0o644, 0o660, 0o602])("with mode %o is not used in a home that others can enter", (mode) => {
    const { path, line, again } = sealedIn(0o755)
    chmodSync(path, mode)
    expect(again().holds(line)).toBe(false)
    expect(() => again().seal("{}")).toThrow(/can be read or written by other users, so it is not used/)
    rmSync(path)
    const fresh = again()
    expect(fresh.holds(fresh.seal("{}"))).toBe(true)
    expect(fresh.holds(line)).toBe(false)
  })

  test("is made private where none of them could reach it", () => {
    const { path, line, again } = sealedIn(0o700)
    chmodSync(path, 0o644)
    expect(again().holds(line)).toBe(true)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
})

describe("without a usable key", () => {
  test.each<[string, (path: string) => void]>([
    ["it is too short", (path) => writeFileSync(path, "short")],
    ["it is too long", (path) => writeFileSync(path, "x".repeat(33))],
    ["it is a folder", (path) => mkdirSync(path)],
    ["it is a link", (path) => symlinkSync("/dev/zero", path)],
  ])("no seal is valid, and reading continues: %s", (_, damage) => {
    const { path, line, again } = sealedIn(0o700)
    rmSync(path)
    damage(path)
    expect(again().holds(line)).toBe(false)
    expect(() => again().seal("{}")).toThrow(path)
  })

  test("reading creates no key", () => {
    const { path, line, again } = sealedIn(0o700)
    rmSync(path)
    expect(again().holds(line)).toBe(false)
    expect(existsSync(path)).toBe(false)
  })
})
