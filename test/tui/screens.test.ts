/** The screens as they are built. */

import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const bin = new URL("../../dist/bin/", import.meta.url)

test("the agent's screen, which is drawn with Ink, loads in a separate process", () => {
  const screen = JSON.stringify(new URL("agent/screen.mjs", bin).href)
  const script = `import { openAgentScreen } from ${screen}; console.log(typeof openAgentScreen)`
  // In a module: there packages that still say `require` would fail.
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" })
  expect(output).toBe("function\n")
})

test.each(readdirSync(new URL("packs/", bin)))(
  "the pack %s contains no React, and only ASCII, as its loader reads it",
  (name) => {
    const text = readFileSync(new URL(`packs/${name}`, bin), "utf8")
    expect(text).not.toMatch(/react\.|reconciler/i)
    expect([...text.matchAll(/[^\0-\x7f]/g)]).toEqual([])
  },
)
