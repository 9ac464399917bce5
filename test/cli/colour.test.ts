/** Colour wherever people read: in every format of `show`, in `list`, `doctor` and the change that set-up shows. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { expect, test } from "vitest"
import { atHome } from "./run-cli.ts"

const list = JSON.stringify({
  todos: [
    { content: "Read it", status: "completed" },
    { content: "Write it", status: "in_progress" },
    { content: "Ship it", status: "pending" },
  ],
})

const coloured = { env: { FORCE_COLOR: "1" } }

const furnished = async () => {
  const { home, run } = atHome()
  await run(["write", "--new", "--session", "one"], { input: list })
  mkdirSync(join(home, ".claude"))
  writeFileSync(join(home, ".claude", "settings.json"), '{\n\t"model": "opus" \n}\n')
  return run
}

test.each([
  [["show"], "\u001b[2;9m☒ 1 Read it\u001b[0m\n\u001b[1m▶ 2 Write it\u001b[0m"],
  [["show", "--format", "panel"], "\u001b[1mTasks\u001b[0m"],
  [["show", "--format", "tree"], "\u001b[1;36m▶ \u001b[0m\u001b[1m2 Write it\u001b[0m"],
  [["show", "--format", "plan"], "\u001b[32m✅ 1 Read it\u001b[0m"],
  [["show", "--format", "markdown"], "\u001b[2m- [x] Read it\u001b[0m\n\u001b[1m- [/] Write it\u001b[0m"],
  [["list", "--own"], "\u001b[2mSESSION\u001b[0m"],
  [["list"], "\u001b[2mSESSION\u001b[0m"],
  [["doctor", "--look"], "\u001b[1mHeadway\u001b[0m"],
  [["doctor", "claude-code", "--look"], "\u001b[36mheadway setup claude-code\u001b[0m"],
])("%j prints the same with colour and without", async (argv, styled) => {
  const run = await furnished()
  const plain = await run(argv)
  const styles = await run(argv, coloured)
  expect(plain.out).not.toContain("\u001b")
  expect(styles.out).toContain(styled)
  expect(stripVTControlCharacters(styles.out)).toBe(plain.out)
  expect((await run([...argv, "--no-color"], coloured)).out).toBe(plain.out)
})

test("data for programs never has colour", async () => {
  const run = await furnished()
  for (const argv of [
    ["show", "--json"],
    ["list", "--json"],
    ["doctor", "--look", "--json"],
  ]) {
    expect((await run(argv, coloured)).out).not.toContain("\u001b")
  }
})

test("the change that set-up shows is green and red; without colour it is a valid patch to the last tab", async () => {
  const run = await furnished()
  const argv = ["setup", "claude-code", "--native", "off", "--dry-run"]
  const styles = await run(argv, coloured)
  expect(styles.out).toMatch(/^\u001b\[1m--- .*settings\.json\u001b\[0m$/m)
  expect(styles.out).toMatch(/^\u001b\[36m@@ .* @@\u001b\[0m$/m)
  expect(styles.out).toMatch(/^\u001b\[32m\+.*\u001b\[0m$/m)
  expect((await run(argv)).out).toMatch(/^[ -]\t"model": "opus"/m)
})
