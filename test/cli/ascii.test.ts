/** ASCII by itself where the locale or the terminal has no Unicode; JSON is the same everywhere. */
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

test("C30 a command draws in ASCII at such a terminal, and in such a locale in a pipe too", async () => {
  const { run } = atHome()
  await run(["write", "--new", "--session", "s"], { input: '{"todos":[{"content":"Read"}]}' })
  const show = async (env: Record<string, string>, isTerminal: boolean): Promise<string> =>
    (await run(["show", "--format", "panel", "--no-color"], { env, isTerminal })).out
  expect(await show({ LC_ALL: "C" }, true)).toMatch(/^[\n -~]+$/)
  expect(await show({ LC_ALL: "C" }, false)).toMatch(/^[\n -~]+$/)
  expect(await show({ TERM: "linux" }, true)).toMatch(/^[\n -~]+$/)
  expect(await show({ TERM: "linux" }, false)).toContain("┌─ Tasks")
  for (const isTerminal of [true, false]) {
    expect(await show({ LANG: "C.UTF-8" }, isTerminal)).toContain("┌─ Tasks")
    expect(await show({}, isTerminal)).toContain("┌─ Tasks")
  }
})

test("JSON and the words of a plan are the same in a locale without Unicode", async () => {
  const { run } = atHome()
  await run(["write", "--new", "--session", "s"], { input: '{"todos":[{"content":"Grüße ☐"}]}' })
  const json = (env: Record<string, string>) => run(["show", "--json"], { env })
  expect(await json({ LC_ALL: "C" })).toEqual(await json({ LC_ALL: "C.UTF-8" }))
  expect((await run(["show"], { env: { LC_ALL: "C" } })).out).toContain("[ ] 1 Grüße ☐")
})
