/** A board in one repository, and sessions whose plans are kept in another place: edits stay with the session. */
import { appendFileSync, existsSync, mkdirSync, renameSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { atHome } from "../cli/run-cli.ts"
import { boardAt, claudeLine, clock, later } from "./live-board.ts"

/** The repositories A, B and C, each with a session of the same name in lower case. Plans are kept in those that are named. */
const threeRepositories = async (...inProject: ("A" | "B" | "C")[]) => {
  const { home, run } = atHome({ now: clock.now.toISOString() })
  const folderOf = (name: string): string => join(home, name)
  for (const name of ["A", "B", "C"]) {
    mkdirSync(join(folderOf(name), ".git"), { recursive: true })
    const folder = join(home, `.claude/projects/-${name}`)
    mkdirSync(folder, { recursive: true })
    says(join(folder, `${name.toLowerCase()}.jsonl`), folderOf(name), later(1), `Work in ${name}`)
  }
  for (const name of inProject)
    await run(["write", "--new", "--project", "--session", "first"], {
      cwd: folderOf(name),
      input: '{"todos":[{"content":"x"}]}',
    })
  const isKeptIn = (session: string, ...places: string[]): boolean[] =>
    places.map((place) => existsSync(join(place, ".headway/journal", `${session}-agent-main.jsonl`)))
  const boardIn = (cwd: string) => boardAt(home, {}, { cwd })
  const file = (name: string): string => join(home, `.claude/projects/-${name}`, `${name.toLowerCase()}.jsonl`)
  return { home, A: folderOf("A"), B: folderOf("B"), C: folderOf("C"), run, isKeptIn, boardIn, file }
}

const says = (file: string, cwd: string, at: string, content: string): void => {
  const todos = [{ content, status: "in_progress", activeForm: content }]
  const id = `toolu_${at}`
  const call = { type: "tool_use", id, name: "TodoWrite", input: { todos } }
  const answer = { type: "tool_result", tool_use_id: id, content: "Done" }
  appendFileSync(
    file,
    claudeLine(file, at, { cwd, type: "user", message: { role: "user", content: "Go" } }) +
      claudeLine(file, at, { cwd, type: "assistant", message: { role: "assistant", content: [call] } }) +
      claudeLine(file, at, { cwd, type: "user", message: { role: "user", content: [answer] } }),
  )
}

const add = (content: string) => ({ kind: "add", content }) as const

describe("an edit on a board that was opened in a repository that keeps plans", () => {
  test("of a session in another project is kept in the home, and shown again by the next board", async () => {
    const { home, A, B, run, boardIn, isKeptIn } = await threeRepositories("A")
    const board = await boardIn(A)
    const { plan } = await board.read(board.row("b").key)
    expect(await board.edited(board.row("b").key, add("Ask Ada"), plan)).toContain("Ask Ada")
    expect(isKeptIn("b", A, B, home)).toEqual([false, false, true])
    expect(await board.todos("b")).toEqual(["in_progress Work in B", "pending Ask Ada"])
    expect(board.row("b").todos).toBe(2)
    const next = await boardIn(A)
    expect(next.row("b").todos).toBe(2)
    expect(await next.todos("b")).toEqual(["in_progress Work in B", "pending Ask Ada"])
    expect((await run(["show", "--session", "b"], { cwd: B })).out).toContain("Ask Ada")
  })

  test("of a session in another repository that keeps plans is kept there", async () => {
    const { home, A, C, boardIn, isKeptIn } = await threeRepositories("A", "C")
    const board = await boardIn(A)
    await board.edited(board.row("c").key, add("Ask Ada"))
    expect(isKeptIn("c", A, C, home)).toEqual([false, true, false])
    expect(await (await boardIn(home)).todos("c")).toEqual(["in_progress Work in C", "pending Ask Ada"])
  })

  test("of its own session stays in it", async () => {
    const { home, A, boardIn, isKeptIn } = await threeRepositories("A", "C")
    const board = await boardIn(A)
    await board.edited(board.row("a").key, add("Ask Ada"))
    expect(isKeptIn("a", A, home)).toEqual([true, false])
  })

  test("appears on boards in other places while they are open", async () => {
    const { A, C, boardIn } = await threeRepositories("A", "C")
    const [here, there] = [await boardIn(A), await boardIn(C)]
    await here.edited(here.row("b").key, add("Ask Ada"))
    await there.until(async () => (await there.todos("b")).includes("pending Ask Ada"))
    await there.edited(there.row("a").key, add("Ask Bob"))
    await here.until(async () => (await here.todos("a")).includes("pending Ask Bob"))
  })

  test("follows its session there as before", async () => {
    const { A, B, file, boardIn } = await threeRepositories("A")
    const board = await boardIn(A)
    await board.edited(board.row("b").key, add("Ask Ada"))
    says(file("B"), B, later(30), "More work")
    await board.until(async () => (await board.todos("b")).includes("in_progress More work"))
    expect(await board.todos("b")).toContain("pending Ask Ada")
  })
})

test("an edit on a board in no repository is kept in the repository of its session", async () => {
  const { home, C, boardIn, isKeptIn } = await threeRepositories("C")
  const board = await boardIn(home)
  await board.edited(board.row("c").key, add("Ask Ada"))
  expect(isKeptIn("c", C, home)).toEqual([true, false])
})

test("a session whose repository has a link for its plans is not edited, and nothing is kept elsewhere", async () => {
  const { home, A, C, run, boardIn, isKeptIn } = await threeRepositories("A", "C")
  renameSync(join(C, ".headway"), join(home, "moved"))
  symlinkSync(join(home, "moved"), join(C, ".headway"))
  const board = await boardIn(A)
  expect(await board.edit(board.row("c").key, add("Ask Ada"), undefined)).toMatchObject({ outcome: "refused" })
  expect(isKeptIn("c", A, home)).toEqual([false, false])
  expect((await run(["todo", "add", "Ask Ada", "--session", "c"], { cwd: A })).code).toBe(1)
})

describe.each(["list", "watch"])("headway %s", (command) => {
  const listed = (out: string) =>
    Object.fromEntries(
      (JSON.parse(out) as { session: string; todos: number; current?: string }[]).map(({ session, todos, current }) => [
        session,
        `${todos} ${current}`,
      ]),
    )

  test("lists the plan of a session that its repository or the home keeps, from everywhere", async () => {
    const { home, A, B, C, run } = await threeRepositories("A", "C")
    for (const session of ["a", "b", "c"]) await run(["todo", "add", "Ask Ada", "--session", session])
    for (const cwd of [home, A, B, C])
      expect(listed((await run([command, "--json"], { cwd })).out)).toMatchObject({
        a: "2 Work in A",
        b: "2 Work in B",
        c: "2 Work in C",
      })
  })

  test("updates the plan of a session where it is kept", async () => {
    const { home, C, run, file, isKeptIn } = await threeRepositories("C")
    await run(["todo", "add", "Ask Ada", "--session", "c"])
    says(file("C"), C, later(30), "More work")
    const { out } = await run([command, "--json"], { now: later(40) })
    expect(listed(out)).toMatchObject({ c: "2 More work" })
    expect(isKeptIn("c", C, home)).toEqual([true, false])
    const { out: shown } = await run(["history", "--session", "c"], { cwd: C, now: later(40) })
    expect(shown).toContain('added 3 "More work"')
  })

  test("shows the agent's own list where a link is in the place of its repository's plans, and fails for no other", async () => {
    const { home, C, run } = await threeRepositories("A", "C")
    for (const session of ["a", "c"]) await run(["todo", "add", "Ask Ada", "--session", session])
    renameSync(join(C, ".headway"), join(home, "moved"))
    symlinkSync(join(home, "moved"), join(C, ".headway"))
    expect(listed((await run([command, "--json"])).out)).toMatchObject({ a: "2 Work in A", c: "1 Work in C" })
  })
})

test("headway find finds words in plans that a repository or the home keeps, from everywhere", async () => {
  const { home, A, B, C, run } = await threeRepositories("A", "C")
  for (const session of ["a", "b", "c"]) await run(["todo", "add", `Ask Ada about ${session}`, "--session", session])
  for (const cwd of [home, A, B, C]) {
    const found = JSON.parse((await run(["find", "Ada", "--json"], { cwd })).out) as { session: string }[]
    expect(found.map(({ session }) => session).sort()).toEqual(["a", "b", "c"])
  }
})
