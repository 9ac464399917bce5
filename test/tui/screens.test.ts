/** The screens as they are built. */

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"

/** What is drawn with Ink is a module, all else a script. */
const built = (name: string): URL =>
  new URL(`../../dist/bin/${name}${name.startsWith("agent/") ? ".mjs" : ".js"}`, import.meta.url)

test.each([
  ["board/screen", "openBoard"],
  ["agent/screen", "openAgentScreen"],
])("%s loads in a process of its own", (name, door) => {
  const script = `import { ${door} } from ${JSON.stringify(built(name).href)}; console.log(typeof ${door})`
  // In a module: there packages that still say `require` would fail.
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" })
  expect(output).toBe("function\n")
})

test.each(["board/screen", "commands/watch", "commands/demo", "board/board"])("%s holds no React", (name) => {
  expect(readFileSync(built(name), "utf8")).not.toMatch(/react\.|reconciler/i)
})
