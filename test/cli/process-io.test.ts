/** The real outside: where the person's home is. */
import { spawnSync } from "node:child_process"
import { userInfo } from "node:os"
import { expect, test } from "vitest"

const source = new URL("../../src/cli/process-io.ts", import.meta.url).href

/** As a process of its own sees it. */
const homeWith = (HOME: string): string => {
  const code = `import(${JSON.stringify(source)}).then(({ processIo }) => process.stdout.write(processIo.home))`
  const words = ["--import", "tsx", "-e", code]
  return spawnSync(process.execPath, words, { env: { ...process.env, HOME }, encoding: "utf8" }).stdout
}

test.skipIf(process.platform === "win32")("a home that is not named in full is not looked for in a repository", () => {
  expect(homeWith("/home/ada")).toBe("/home/ada")
  for (const named of ["", ".", "some/folder"]) expect([named, homeWith(named)]).toEqual([named, userInfo().homedir])
})
