/** The screens as they are built. */

import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"

test("the built screens load in a process of their own", () => {
  const built = new URL("../../dist/bin/tui/screens.js", import.meta.url).href
  const script = `import { openBoard } from ${JSON.stringify(built)}; console.log(typeof openBoard)`
  // In a module, as the command is: there packages that still say `require` would fail.
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" })
  expect(output).toBe("function\n")
})
