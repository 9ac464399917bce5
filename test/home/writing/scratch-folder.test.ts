import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, test, vi } from "vitest"
import { makeScratchFolder } from "../../../src/home/writing/scratch-folder.ts"
import { temporaryFolder } from "../../stores/temporary.ts"

afterEach(() => vi.unstubAllEnvs())

const folderIn = (TMPDIR: string): string => {
  vi.stubEnv("TMPDIR", TMPDIR)
  const made = makeScratchFolder("test")
  rmSync(made, { recursive: true })
  return dirname(made)
}

describe.skipIf(process.platform === "win32")("a scratch folder", () => {
  test.each([0o700, 0o755, 0o1777])("is made in a TMPDIR of mode %o", (mode) => {
    const folder = temporaryFolder()
    chmodSync(folder, mode)
    expect(folderIn(folder)).toBe(folder)
  })

  test.each([0o777, 0o2777])("is not made in a TMPDIR of mode %o, where others can replace it", (mode) => {
    const folder = temporaryFolder()
    chmodSync(folder, mode)
    expect(folderIn(folder)).not.toBe(folder)
  })

  test("is named without the links that lead to it, which another user may exchange", () => {
    const [folder, open] = [temporaryFolder(), temporaryFolder()]
    chmodSync(open, 0o777)
    symlinkSync(folder, join(open, "link"))
    expect(folderIn(join(open, "link"))).toBe(folder)
  })

  test("is not made below a folder in which others can replace the TMPDIR", () => {
    const folder = temporaryFolder()
    const below = join(folder, "mine")
    mkdirSync(below, { mode: 0o700 })
    chmodSync(folder, 0o777)
    expect(folderIn(below)).not.toBe(below)
  })

  test.skipIf(process.getuid?.() !== 0)("is not made in a TMPDIR of another user", () => {
    const folder = temporaryFolder()
    chownSync(folder, 61_002, 61_002)
    expect(folderIn(folder)).not.toBe(folder)
  })

  test("is not made in a TMPDIR that is missing or not named in full", () => {
    for (const named of [join(temporaryFolder(), "missing"), "tmp"]) expect(folderIn(named)).not.toBe(named)
  })
})
