/** The real outside: where the person's home is, and where they are. */
import { spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { bundle } from "../stores/faults.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const source = await bundle("../../src/cli/process-io.ts", temporaryFolder())

/** As a process of its own sees it. */
const homeWith = (HOME: string): string => {
  const code = `import(${JSON.stringify(source)}).then(({ processIo }) => process.stdout.write(processIo.home))`
  return spawnSync(process.execPath, ["-e", code], { env: { ...process.env, HOME }, encoding: "utf8" }).stdout
}

test.skipIf(process.platform === "win32")("a relative home is not searched in a repository", () => {
  expect(homeWith("/home/ada")).toBe("/home/ada")
  for (const named of ["", ".", "some/folder"]) expect([named, homeWith(named)]).toEqual([named, userInfo().homedir])
})

test.skipIf(process.platform === "win32")("a current folder that was removed is named as such", () => {
  const gone = join(temporaryFolder(), "gone")
  mkdirSync(gone)
  const code = `import(${JSON.stringify(source)}).then(({ processIo }) => {
    process.chdir(${JSON.stringify(gone)})
    require("node:fs").rmdirSync(${JSON.stringify(gone)})
    try { processIo.cwd } catch ({ code, message }) { process.stdout.write(code + ": " + message) }
  })`
  const { stdout } = spawnSync(process.execPath, ["-e", code], { encoding: "utf8" })
  expect(stdout).toContain("no-folder: The folder you are in no longer exists")
})
