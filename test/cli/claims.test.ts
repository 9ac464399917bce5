/** Claims from the shell: one of several workers takes a todo, the next is told who has it. */
import { expect, test } from "vitest"
import { atHome } from "./run-cli.ts"

const list = '{"todos":[{"content":"Read"},{"content":"Write"}]}'

test("a claim is granted once, lapses, and is given back", async () => {
  const { run } = atHome()
  const todo = (words: string[], now = "2030-01-01T00:00:00Z") => run(["todo", ...words, "--session", "s"], { now })
  await run(["write", "--new", "--session", "s"], { input: list })
  expect(await todo(["claim", "1", "--as", "a"])).toMatchObject({
    code: 0,
    out: '1 "Read": claimed for a until 2030-01-01 00:30 UTC\n',
  })
  const refused = await todo(["claim", "Read", "--as", "b"])
  expect(refused).toMatchObject({ code: 1, out: "" })
  expect(refused.err).toContain('1 "Read" is taken by a until 2030-01-01 00:30 UTC')
  const later = "2030-01-01T00:31:00Z"
  expect((await todo(["claim", "1", "--as", "b", "--lease", "2h", "--json"], later)).out).toContain(
    '"until": "2030-01-01T02:31:00.000Z"',
  )
  expect((await todo(["release", "1"], later)).code).toBe(0)
  expect((await todo(["release", "1"], later)).err).toContain('Todo 1 "Read" is not claimed')
  expect((await todo(["claim", "1", "--as", "c"], later)).code).toBe(0)
})

test("a claim needs a name and a duration", async () => {
  const { run } = atHome()
  await run(["write", "--new", "--session", "s"], { input: list })
  expect(await run(["todo", "claim", "1", "--session", "s"])).toMatchObject({ code: 2 })
  expect(await run(["todo", "claim", "1", "--as", "a", "--lease", "soon", "--session", "s"])).toMatchObject({ code: 2 })
})
