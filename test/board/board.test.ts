/** The board's data on real files: joined, live, open to edits, and never in an agent's way. */
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { emptyPlan } from "../../src/plan/index.ts"
import { planList } from "../../src/views/board/plan.ts"
import type { BoardEdit } from "../../src/views/board/session.ts"
import { atHome } from "../cli/run-cli.ts"
import { contentsUnder, namesIn, temporaryFolder } from "../stores/temporary.ts"
import { boardAt, claudeLine, claudeSays, fileIn, homeWith, homeWithAgent, later, linesOf } from "./live-board.ts"

const todowrite = "claude-2.1.197/todowrite"
describe("rows", () => {
  test("own plans and the sessions of all agents are rows of one board, sub-agents under their parents", async () => {
    const home = homeWith("claude-2.1.197/subagents-todowrite", "codex-0.166.0/plan")
    const { run } = atHome({ home })
    await run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}' })
    const board = await boardAt(home)
    const main = board.row("f538")
    expect(board.rows).toHaveLength(5)
    expect(board.row("mine")).toMatchObject({
      agentType: "headway",
      todos: 1,
      upcoming: { kind: "next", content: "Rest" },
      isEditable: true,
    })
    expect(main).toMatchObject({
      agentType: "claude-code",
      agent: "main",
      project: "/home/user/project",
      planTool: "present",
      progress: { completed: 1, total: 2, percent: 50 },
      current: "Reporting",
    })
    expect(main.parent).toBeUndefined()
    expect(board.row("f538", "abf7")).toMatchObject({ parent: main.key, todos: 1 })
    expect(await board.todos("mine")).toEqual(["pending Rest"])
    expect(await board.todos("f538")).toEqual(["completed Delegate the survey", "in_progress Report"])
  })

  test("old sessions that never had a plan are rows too, with the usual name of their agent", async () => {
    const home = homeWith("codex-0.166.0/goal")
    const file = fileIn(home, ".codex")
    // Long ago: what it was doing then does not matter any more.
    writeFileSync(file, linesOf(file).join("\n").replaceAll("2026-11-15", "2025-11-15").concat("\n"))
    expect((await boardAt(home)).rows).toMatchObject([
      { state: "finished", planTool: "unknown", agentName: "Codex", agentShortName: "codex" },
    ])
  })

  test("with sessions only, the board has own plans only where their session is found", async () => {
    const home = homeWith(todowrite)
    await atHome({ home }).run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}' })
    expect((await boardAt(home, { shows: "sessions" })).rows).toMatchObject([{ agentType: "claude-code" }])
    expect((await boardAt(home, { shows: "own" })).rows).toMatchObject([{ session: "mine" }])
  })

  test("a home without agents is an empty board that waits for the first", async () => {
    const home = temporaryFolder()
    const board = await boardAt(home)
    expect([board.rows, board.notice]).toEqual([[], undefined])
    const folder = join(home, ".claude/projects/-p")
    mkdirSync(folder, { recursive: true })
    claudeSays(join(folder, "s1.jsonl"), later(1), ["Begin", "in_progress"])
    await board.until(({ rows }) => rows.length === 1)
    expect(board.row()).toMatchObject({ session: "s1", current: "Begin" })
  })

  test("a folder that cannot be opened is reported in a notice, and the others are shown", async () => {
    const home = homeWith(todowrite)
    symlinkSync(".codex", join(home, ".codex"))
    const board = await boardAt(home)
    expect(board.rows).toHaveLength(1)
    expect(board.notice).toContain(".codex")
  })

  test("a store that cannot be read is reported in a notice, and the sessions are shown", async () => {
    const home = homeWith(todowrite)
    mkdirSync(join(home, ".headway"), { mode: 0o700 })
    writeFileSync(join(home, ".headway", "journal"), "no folder")
    const board = await boardAt(home)
    expect(board.rows).toHaveLength(1)
    expect(board.notice).toContain(".headway")
    const before = await board.todos()
    expect(await board.edited(board.row().key, { kind: "add", content: "More" })).toMatch(
      /^Nothing was changed: E[A-Z]+: .*\.headway/,
    )
    expect(await board.todos()).toEqual(before)
  })

  test.each([
    ["a person's home", "", 1],
    ["an agent's folder", ".claude", 1],
    ["a session file", ".claude/projects/-home-user-project/d8e9bb8e-98b3-4ce1-8fdb-1f15aec289c3.jsonl", 1],
    ["a folder with no agents", ".claude/projects/-home-user-project", 0],
  ])("with a path only %s is shown", async (_, path, count) => {
    const home = homeWith(todowrite)
    const board = await boardAt(temporaryFolder(), { paths: [join(home, path)], shows: "sessions" })
    expect(board.rows).toHaveLength(count)
    if (count > 0) expect(board.row()).toMatchObject({ agentType: "claude-code", todos: 2 })
  })

  test("a file with an agent's output is a session too, as it grows", async () => {
    const folder = temporaryFolder()
    const lines = linesOf("test/fixtures/streams/codex-0.166.0/plan/stdout.jsonl")
    const file = join(folder, "out.jsonl")
    writeFileSync(file, "")
    const board = await boardAt(folder, { paths: [file], shows: "sessions" })
    expect(board.rows).toEqual([])
    appendFileSync(file, `${lines.join("\n")}\n`)
    await board.until(({ rows }) => rows.length === 1)
    expect(board.row()).toMatchObject({ agentType: "openai-codex", session: expect.stringMatching(/^01a1e08b/) })
    expect((await board.todos()).length).toBeGreaterThan(0)
  })
})

describe("changes", () => {
  test("a line that an agent appends is reported, with the whole list (A1)", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "in_progress"], ["Write", "pending"])
    const board = await boardAt(home)
    says(2, ["Read", "completed"], ["Write", "in_progress"])
    await board.until(() => board.row().current === "Write")
    expect(await board.todos()).toEqual(["completed Read", "in_progress Write"])
  })

  test("rows that did not change are the same rows, and keep their places", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "in_progress"])
    const other = join(home, ".claude/projects/-p/other.jsonl")
    claudeSays(other, later(2), ["Else", "in_progress"])
    const board = await boardAt(home)
    const [first, second] = board.rows
    expect([first?.session, second?.session]).toEqual(["other", expect.stringMatching(/^1111/)])
    says(9, ["Read", "completed"])
    await board.until(({ rows }) => rows[1] !== second)
    expect(board.rows[0]).toBe(first)
  })

  test("a change that another process makes to a plan in the store is reported", async () => {
    const home = temporaryFolder()
    const { run } = atHome({ home })
    await run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}' })
    const board = await boardAt(home)
    expect(await board.todos()).toEqual(["pending Rest"])
    await run(["todo", "done", "1", "--session", "mine"])
    await board.until(() => board.row().progress.completed === 1)
    expect(await board.todos()).toEqual(["completed Rest"])
    await run(["write", "--new", "--session", "yours"], { input: '{"todos":[{"content":"Play"}]}' })
    await board.until(({ rows }) => rows.length === 2)
    await run(["gc", "--older-than", "0s", "--unfinished", "--session", "yours"], { now: "2031-01-01T00:00:00Z" })
    await board.until(({ rows }) => rows.length === 1)
  })

  test("a deleted session disappears, and one written in its place is read", async () => {
    const { home, file, says } = homeWithAgent()
    says(1, ["Read", "in_progress"])
    const board = await boardAt(home)
    const next = `${file}.new`
    writeFileSync(next, claudeLine(file, later(0), { type: "user", message: { role: "user", content: "Go" } }))
    renameSync(next, file)
    await board.until(() => board.row().todos === 0)
    says(3, ["Other", "in_progress"])
    await board.until(() => board.row().current === "Other")
    rmSync(file)
    await board.until(({ rows }) => rows.length === 0)
  })

  test("a folder that is removed and made again is watched again", async () => {
    const { home, file, says } = homeWithAgent()
    says(1, ["Read", "in_progress"])
    const board = await boardAt(home)
    rmSync(join(home, ".claude"), { recursive: true })
    await board.until(({ rows }) => rows.length === 0)
    mkdirSync(join(file, ".."), { recursive: true })
    for (const at of [2, 3]) {
      says(at, [`Step ${at}`, "in_progress"])
      await board.until(({ rows }) => rows[0]?.current === `Step ${at}`)
    }
  })

  test("looking alone writes nothing to the store or to an agent's folder", async () => {
    const home = homeWith("claude-2.1.197/subagents-todowrite", "codex-0.166.0/plan", "qwen-0.24.4/todos")
    const agents = [".claude", ".codex", ".qwen"].map((name) => join(home, name))
    const before = agents.map(contentsUnder)
    const board = await boardAt(home)
    for (const { key } of board.rows) await board.read(key)
    await board.close()
    expect(agents.map(contentsUnder)).toEqual(before)
    expect(namesIn(join(home, ".headway/journal"))).toEqual([])
    expect(namesIn(join(home, ".headway/todos"))).toEqual([])
  })
})

describe("times", () => {
  test("the times a todo was started and finished are read from all lists of a session, with its plan", async () => {
    const { home, says } = homeWithAgent()
    says(10, ["Read", "in_progress"], ["Write", "pending"], ["Rest", "pending"])
    says(70, ["Read", "completed"], ["Write", "in_progress"], ["Rest", "pending"])
    const board = await boardAt(home)
    expect(await board.times("1")).toEqual({ started: later(10), finished: later(70) })
    expect(await board.times("2")).toEqual({ started: later(70) })
    expect(await board.times("3")).toBeUndefined()
    says(100, ["Read", "completed"], ["Write", "completed"], ["Rest", "in_progress"])
    await board.until(() => board.row().current === "Rest")
    expect(await board.times("2")).toEqual({ started: later(70), finished: later(100) })
    expect(await board.times("3")).toEqual({ started: later(100) })
  })

  test("time in which a todo was put aside does not count", async () => {
    const { home, says } = homeWithAgent()
    says(0, ["Read", "in_progress"])
    says(10, ["Read", "pending"])
    says(50, ["Read", "in_progress"])
    says(55, ["Read", "completed"])
    const board = await boardAt(home)
    await board.until(async () => (await board.times("1")) !== undefined)
    expect(await board.times("1")).toEqual({ started: later(40), finished: later(55) })
  })

  test("a person's edit does not make the agent forget when it began", async () => {
    const { home, says } = homeWithAgent()
    says(10, ["Read", "in_progress"], ["Write", "pending"])
    const board = await boardAt(home)
    await board.until(async () => (await board.times("1")) !== undefined)
    await board.edited(board.row().key, { kind: "drop", todo: "2" })
    expect(await board.times("1")).toEqual({ started: later(10) })
    await board.edited(board.row().key, { kind: "toggle", todo: "1" })
    expect(await board.times("1")).toEqual({ started: later(10), finished: "2026-11-15T19:00:00.000Z" })
    expect(await board.times("2")).toMatchObject({ finished: "2026-11-15T19:00:00.000Z" })
  })

  test("a person's edit changes neither how long the agent has waited nor the place of its row", async () => {
    const { home, says } = homeWithAgent()
    says(10, ["Read", "in_progress"], ["Write", "pending"])
    const board = await boardAt(home)
    const { updated } = board.row()
    await board.edited(board.row().key, { kind: "drop", todo: "2" })
    expect(await board.todos()).toEqual(["in_progress Read", "cancelled Write"])
    expect(board.row().updated).toBe(updated)
  })

  test("an agent that stopped with its own list done waits while a person's todo is open, and is finished with it", async () => {
    const { home, file, says } = homeWithAgent()
    says(10, ["Read", "completed"])
    const end = { type: "text", text: "Done." }
    const message = { id: "m9", role: "assistant", content: [end], stop_reason: "end_turn" }
    appendFileSync(file, claudeLine(file, later(11), { type: "assistant", message }))
    const board = await boardAt(home)
    const { key, state } = board.row()
    expect(state).toBe("finished")
    await board.edited(key, { kind: "add", content: "Ask Ada" })
    expect(board.row()).toMatchObject({ state: "waiting", upcoming: { kind: "next", content: "Ask Ada" } })
    await board.edited(key, { kind: "toggle", todo: "2" })
    expect(board.row().state).toBe("finished")
  })

  test("own plans have these times from their log", async () => {
    const home = temporaryFolder()
    const { run } = atHome({ home })
    const input = '{"todos":[{"content":"Rest","status":"in_progress"}]}'
    await run(["write", "--new", "--session", "mine"], { input, now: later(1) })
    await run(["todo", "done", "1", "--session", "mine"], { now: later(8) })
    const board = await boardAt(home)
    expect(await board.times("1")).toEqual({ started: later(1), finished: later(8) })
  })
})

const notConnected = "Claude Code is not connected here, so it will not see this. To connect it: headway setup claude"

describe("edits", () => {
  test("the first edit keeps the session's list and records the change as the person's, untold (N3, N8, O15)", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "in_progress"], ["Write", "pending"])
    const { run } = atHome({ home, now: "2026-11-15T19:00:00Z" })
    const board = await boardAt(home)
    const { key } = board.row()
    expect(await board.todos()).toHaveLength(2)
    expect(await board.edited(key, { kind: "toggle", todo: "1" })).toBe(`finished "Read"; ${notConnected}`)
    expect(await board.todos()).toEqual(["completed Read", "pending Write"])
    // Whose last activity is the agent's, not the person's.
    expect(board.row()).toMatchObject({
      key,
      agentType: "claude-code",
      progress: { completed: 1 },
      updated: later(1),
    })
    const [opening, edit] = linesOf(fileIn(home, ".headway/journal")).map((line) => JSON.parse(line))
    expect(opening).toMatchObject({
      by: { kind: "agent", id: "main" },
      events: [{ type: "plan-opened", agentType: "claude-code", project: "/p" }, {}, {}],
    })
    expect(edit.by).toEqual({ kind: "person", id: "ada" })
    expect((await run(["list", "--json"])).out).toContain('"completed": 1')
    expect((await run(["show", "--session", "1111"])).out).toContain("☒ 1 Read")
  })

  test("every edit returns a line about what it did", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "in_progress"], ["Write", "pending"], ["Publish", "pending"])
    const board = await boardAt(home)
    const { key } = board.row()
    const edit = (change: Parameters<typeof board.edited>[1]) => board.edited(key, change)
    expect(await edit({ kind: "add", content: "Ask \u001b[31mAda", after: "1" })).toBe(
      `added "Ask Ada"; ${notConnected}`,
    )
    expect(await edit({ kind: "drop", todo: "3", reason: "too early" })).toBe(
      `dropped "Publish": "too early"; ${notConnected}`,
    )
    expect(await edit({ kind: "block", todo: "2", reason: "no key" })).toContain('blocked "Write": "no key"')
    expect(await board.todos()).toEqual(["in_progress Read", "pending Ask Ada", "blocked Write", "cancelled Publish"])
    expect(await edit({ kind: "block", todo: "2" })).toContain('unblocked "Write"')
    expect(await edit({ kind: "toggle", todo: "3" })).toContain('reopened "Publish"')
    expect(await edit({ kind: "undo" })).toBe('undone: reopened "Publish"')
    expect(await edit({ kind: "toggle", todo: "99" })).toContain("nothing was done")
    expect(await edit({ kind: "add", content: " \u0007 " })).toContain("needs text")
    expect(await board.edited("nobody", { kind: "undo" })).toContain("no longer exists")
  })

  test("a todo can be started, noted, reworded, removed and moved, each as one change of the person", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "completed"], ["Write", "pending"], ["Publish", "pending"])
    const board = await boardAt(home)
    const { key } = board.row()
    const edit = (change: Parameters<typeof board.edited>[1]) => board.edited(key, change)
    expect(await edit({ kind: "start", todo: "2" })).toContain('started "Write"')
    expect(await edit({ kind: "note", todo: "2", text: "in \u001b[31mred" })).toContain('noted on "Write": "in red"')
    expect((await board.read(key)).plan?.todos[1]?.notes).toEqual(["in red"])
    expect(await edit({ kind: "reword", todo: "2", content: "Write it down" })).toContain("Write it down")
    expect(await edit({ kind: "move", todo: "3", by: -1 })).toContain('moved "Publish"')
    expect(await board.todos()).toEqual(["completed Read", "pending Publish", "in_progress Write it down"])
    expect(await edit({ kind: "move", todo: "2", by: 1 })).toBe("unchanged")
    expect(await edit({ kind: "remove", todo: "3" })).toContain('removed "Publish"')
    expect(await edit({ kind: "note", todo: "2", text: " \u0007 " })).toContain("needs text")
    expect(await edit({ kind: "reword", todo: "2", content: "" })).toContain("needs text")
    expect(await edit({ kind: "remove", todo: "99" })).toContain("nothing was done")
    expect(await board.todos()).toEqual(["completed Read", "in_progress Write it down"])
  })

  test("a text that is too long is refused, and not cut", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "in_progress"])
    const board = await boardAt(home)
    const { key } = board.row()
    const todo = "1"
    const text = `${"x".repeat(20_000)} `
    const edits: BoardEdit[] = [
      { kind: "add", content: text },
      { kind: "reword", todo, content: text },
      { kind: "note", todo, text },
      { kind: "answer", todo, text },
      { kind: "drop", todo, reason: text },
      { kind: "block", todo, reason: text },
    ]
    for (const edit of edits)
      expect(await board.edit(key, edit, undefined)).toMatchObject({
        outcome: "refused",
        message: expect.stringContaining("at most 20000 characters"),
      })
    expect(await board.edit(key, { kind: "note", todo, text: text.trim() }, undefined)).toMatchObject({
      outcome: "changed",
    })
  })

  test("redo brings back what was undone, step by step, until something else is changed", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "pending"], ["Write", "pending"])
    const board = await boardAt(home)
    const { key } = board.row()
    const edit = (kind: "undo" | "redo") => board.edited(key, { kind })
    expect(await edit("redo")).toContain("nothing to redo")
    await board.edited(key, { kind: "toggle", todo: "1" })
    await board.edited(key, { kind: "drop", todo: "2" })
    await edit("undo")
    await edit("undo")
    expect(await board.todos()).toEqual(["pending Read", "pending Write"])
    expect(await edit("redo")).toContain('redone: finished "Read"')
    expect(await edit("redo")).toContain('dropped "Write"')
    expect(await board.todos()).toEqual(["completed Read", "cancelled Write"])
    expect(await edit("redo")).toContain("nothing to redo")
    await edit("undo")
    await board.edited(key, { kind: "add", content: "Rest" })
    expect(await edit("redo")).toContain("nothing to redo")
  })

  test("undo takes back the person's last edit, not what the agent did since", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "in_progress"], ["Write", "pending"])
    const board = await boardAt(home)
    const { key } = board.row()
    expect(await board.edited(key, { kind: "undo" })).toContain("no edit to undo")
    await board.edited(key, { kind: "toggle", todo: "2" })
    says(2, ["Read", "completed"], ["Write", "pending"])
    await board.until(async () => (await board.todos())[0] === "completed Read")
    expect(await board.edited(key, { kind: "undo" })).toContain('undone: finished "Write"')
    expect(await board.todos()).toEqual(["completed Read", "pending Write"])
    // What was taken back before the agent heard of it no longer holds against it.
    says(3, ["Read", "completed"], ["Write", "in_progress"])
    await board.until(async () => (await board.todos())[1] === "in_progress Write")
  })

  test("an agent that rewrites its list right after an edit neither undoes it nor is held up by it (N3)", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "in_progress"], ["Write", "pending"], ["Publish", "pending"])
    const board = await boardAt(home)
    const { key } = board.row()
    const dropped = board.edited(key, { kind: "drop", todo: "3" })
    says(2, ["Read", "completed"], ["Write", "in_progress"], ["Publish", "pending"], ["Tidy", "pending"])
    await dropped
    await board.until(async () => (await board.todos()).length === 4)
    expect(await board.todos()).toEqual(["completed Read", "in_progress Write", "cancelled Publish", "pending Tidy"])
  })

  test("a list that returns to an earlier content is followed", async () => {
    const { home, says } = homeWithAgent()
    const [a, b] = [
      [["Read", "in_progress"]],
      [
        ["Read", "completed"],
        ["Write", "in_progress"],
      ],
    ] as [string, string][][]
    says(1, ...(a ?? []))
    const board = await boardAt(home)
    await board.edited(board.row().key, { kind: "add", content: "Ask Ada" })
    says(2, ...(b ?? []))
    await board.until(async () => (await board.todos()).includes("in_progress Write"))
    says(3, ...(a ?? []))
    await board.until(async () => (await board.todos())[0] === "in_progress Read")
    expect(await board.todos()).toEqual(["in_progress Read", "pending Ask Ada"])
  })

  test("the text of the whole plan is applied as the difference to what was shown", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "in_progress"], ["Write", "pending"])
    const board = await boardAt(home)
    const { key } = board.row()
    const shown = (await board.read(board.row().key)).plan ?? emptyPlan
    const text = board.textOf(shown)
    says(2, ["Read", "completed"], ["Write", "pending"], ["Tidy", "pending"])
    await board.until(async () => (await board.todos()).length === 3)
    const saved = `${text.replace("[ ] Write", "[x] Write")}- [ ] Ask Ada\nwhat is this\n`
    expect(await board.edited(key, { kind: "text", text: saved }, shown)).toBe(
      `added "Ask Ada"; finished "Write"; 1 line is not a todo and was left out (a todo begins with "- [ ] "); ${notConnected}`,
    )
    expect(await board.todos()).toEqual(["completed Read", "completed Write", "pending Tidy", "pending Ask Ada"])
  })

  test("a text that cannot be used is kept in a file for its writer", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "in_progress"])
    const board = await boardAt(home)
    const shown = (await board.read(board.row().key)).plan ?? emptyPlan
    const answer = await board.edited(board.row().key, { kind: "text", text: "  " }, shown)
    const [, folder = ""] = /nothing was changed.* Your text is kept in (.*)\/plan\.md/.exec(answer) ?? []
    expect(namesIn(folder)).toEqual(["plan.md"])
    rmSync(folder, { recursive: true })
  })

  test("two boards that edit at once see each other's edits, and both count", async () => {
    const { home, says } = homeWithAgent()
    says(1, ["Read", "in_progress"], ["Write", "pending"])
    const [one, other] = [await boardAt(home), await boardAt(home)]
    expect([await one.todos(), await other.todos()].map(({ length }) => length)).toEqual([2, 2])
    const { key } = one.row()
    await Promise.all([
      one.edited(key, { kind: "toggle", todo: "1" }),
      other.edited(key, { kind: "drop", todo: "2" }),
      one.edited(key, { kind: "add", content: "From one" }),
      other.edited(key, { kind: "add", content: "From the other" }),
    ])
    says(2, ["Read", "in_progress"], ["Write", "pending"], ["Tidy", "pending"])
    for (const board of [one, other]) {
      await board.until(async () => (await board.todos()).length === 5)
      expect((await board.todos()).toSorted()).toEqual([
        "cancelled Write",
        "completed Read",
        "pending From one",
        "pending From the other",
        "pending Tidy",
      ])
    }
  })

  test("a session without a list takes the todos a person gives it", async () => {
    const { home } = homeWithAgent()
    const board = await boardAt(home)
    expect(board.row()).toMatchObject({ todos: 0, planTool: "unknown" })
    expect(await board.edited(board.row().key, { kind: "add", content: "Mind the gap" })).toBe(
      `added "Mind the gap"; ${notConnected}`,
    )
    expect(await board.todos()).toEqual(["pending Mind the gap"])
  })
})

test("a plan of 5,000 todos is shown, edited and followed", async () => {
  const { home, says } = homeWithAgent()
  const items = Array.from({ length: 5_000 }, (_, index): [string, string] => [`Step ${index}`, "pending"])
  says(1, ...items)
  const board = await boardAt(home)
  expect(await board.todos()).toHaveLength(5_000)
  expect(await board.edited(board.row().key, { kind: "toggle", todo: "5000" })).toBe(
    `finished "Step 4999"; ${notConnected}`,
  )
  says(2, ...items.slice(0, 4_999), ["Step 4999", "pending"], ["One more", "in_progress"])
  await board.until(() => board.row().todos === 5_001)
  expect((await board.todos()).slice(-2)).toEqual(["completed Step 4999", "in_progress One more"])
})

test("an edit that the agent will not be told of is still shown, and so is what the agent does against it", async () => {
  const { home, says } = homeWithAgent()
  says(1, ["Build", "in_progress"], ["Deploy", "pending"])
  const board = await boardAt(home)
  const { key } = board.row()
  expect(await board.edited(key, { kind: "drop", todo: "2" })).toContain(
    "Claude Code is not connected here, so it will not see this. To connect it: headway setup claude",
  )
  const seen = async () => (await board.read(key)).untoldChanges
  expect(await seen()).toMatchObject({ untold: ['dropped "Deploy"'], against: [] })
  says(60, ["Build", "completed"], ["Deploy", "completed"])
  await board.until(async () => (await seen())?.against.length === 1)
  const lines = planList([], { ...board.row(), ...(await board.read(key)) }, { isCollapsed: false, filter: "" })
  expect(lines.at(lines.count - 1)?.item).toEqual({
    kind: "words",
    text: ['not told: dropped "Deploy"', 'Claude Code continued "Deploy" (completed) against a change by hand'].join(
      "\n",
    ),
  })
})

describe("names", () => {
  test("a row has the session's title and a sub-agent's kind", async () => {
    const board = await boardAt(homeWith("claude-2.1.197/subagents-todowrite"))
    expect(board.row("f538")).toMatchObject({ title: "Do the demo work." })
    expect(board.row("f538", "abf7")).toMatchObject({ title: "Check the tests", role: "general-purpose" })
  })

  test("a person renames a session for good, and gives it its own title back with an empty one", async () => {
    const home = homeWith(todowrite)
    const board = await boardAt(home)
    const { key } = board.row()
    expect(await board.edited(key, { kind: "rename", title: " Pay the\n invoices " })).toBe("renamed: Pay the invoices")
    expect(board.row()).toMatchObject({ title: "Pay the invoices" })
    expect((await boardAt(home)).row()).toMatchObject({ title: "Pay the invoices" })
    expect(namesIn(join(home, ".headway/journal"))).toEqual([])
    expect(await board.edited(key, { kind: "rename", title: "" })).toBe("it shows its own title again")
    expect(board.row()).toMatchObject({ title: "Do the demo work." })
    expect(await board.edited("none", { kind: "rename", title: "x" })).toBe("That session no longer exists.")
  })

  test("a file elsewhere with the same id neither has the name nor changes it", async () => {
    const home = homeWith(todowrite)
    const given = homeWith(todowrite)
    await atHome({ home }).run(["name", (await boardAt(home)).row().session, "Pay the invoices"])
    const copy = await boardAt(home, { paths: [given] })
    expect(copy.row()).toMatchObject({ title: "Do the demo work.", isEditable: false })
    expect(await copy.edited(copy.row().key, { kind: "rename", title: "Gone" })).toBe("This plan is read-only.")
    expect((await boardAt(home)).row()).toMatchObject({ title: "Pay the invoices" })
  })

  test("a file elsewhere with the id of a local session neither replaces its list nor hides a person's edits", async () => {
    const home = homeWith(todowrite)
    const given = homeWith(todowrite)
    const own = await boardAt(home)
    const [{ key, session }, todos] = [own.row(), await own.todos()]
    await own.edited(key, { kind: "add", content: "Mine" })
    claudeSays(fileIn(given, ".claude"), later(9), ["Forged", "completed"])
    for (const paths of [
      [home, given],
      [given, home],
    ]) {
      const both = await boardAt(home, { paths })
      expect(both.rows).toMatchObject([{ session, isEditable: true }])
      expect(await both.todos()).toEqual([...todos, "pending Mine"])
    }
  })

  test("a name that another process gives is seen too", async () => {
    const home = homeWith(todowrite)
    const board = await boardAt(home)
    await atHome({ home }).run(["name", board.row().session, "From elsewhere"])
    await board.until(({ rows }) => rows[0]?.title === "From elsewhere")
    expect(board.row()).toMatchObject({ title: "From elsewhere" })
  })
})
