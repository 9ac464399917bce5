/** ASCII by itself where the terminal can do no Unicode, and never in what goes to another program. */
import { expect, test } from "vitest"
import { drawsUnicode } from "../../src/views/index.ts"
import { atHome } from "./run-cli.ts"

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ TERM: "xterm-256color", LANG: "en_GB.UTF-8" }, true],
  [{ LANG: "C.utf8" }, true],
  [{ LC_ALL: "", LANG: "de_DE.UTF-8" }, true],
  [{ TERM: "linux", LANG: "en_GB.UTF-8" }, false],
  [{ LC_ALL: "C", LANG: "en_GB.UTF-8" }, false],
  [{ LC_CTYPE: "POSIX", LANG: "en_GB.UTF-8" }, false],
  [{ LC_ALL: "en_GB.UTF-8", LC_CTYPE: "C" }, true],
  [{ LANG: "de_DE.ISO-8859-1" }, false],
])("C30 a terminal with %j can draw Unicode: %j", (env, can) => {
  expect(drawsUnicode(env)).toBe(can)
})

test("C30 a command draws in ASCII at such a terminal, in Unicode at others and in a pipe", async () => {
  const { run } = atHome()
  await run(["write", "--new", "--session", "s"], { input: '{"todos":[{"content":"Read"}]}' })
  const show = async (env: Record<string, string>, isTerminal: boolean): Promise<string> =>
    (await run(["show", "--format", "panel", "--no-color"], { env, isTerminal })).out
  expect(await show({ LC_ALL: "C" }, true)).toMatch(/^[\n -~]+$/)
  expect(await show({ TERM: "linux" }, true)).toMatch(/^[\n -~]+$/)
  expect(await show({ LANG: "C.UTF-8" }, true)).toContain("┌─ Tasks")
  expect(await show({ LC_ALL: "C" }, false)).toContain("┌─ Tasks")
})
