/** The real outside: where the person's home is. */
import { spawnSync } from "node:child_process"
import { userInfo } from "node:os"
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
