/** A session whose agent changes to another repository: it keeps its one plan, in the place where that began. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { openBridgePlans } from "../../src/cli/bridge/plans/bridge-plans.ts"
import { createOpened } from "../../src/cli/opened.ts"
import { dialects } from "../../src/dialects/index.ts"
import { atHome, type CliResult } from "./run-cli.ts"
import { silentIo } from "./silent-io.ts"

type Todos = Readonly<Record<string, "pending" | "in_progress" | "completed">>

/** A person with the repositories A and B; plans are kept in those that are named. */
const twoRepositories = async (...inProject: ("A" | "B")[]) => {
  const { home, run } = atHome()
  const [A, B] = [join(home, "A"), join(home, "B")]
  for (const folder of [A, B]) mkdirSync(join(folder, ".git"), { recursive: true })
  for (const name of inProject)
    await run(["write", "--new", "--project", "--session", "first"], {
      cwd: join(home, name),
      input: '{"todos":[{"content":"x"}]}',
    })
  let calls = 0
  const fire = (cwd: string, event: object, env: Record<string, string> = {}, agent = "claude-code") => {
    const input = JSON.stringify({ session_id: "s-1", cwd, ...event })
    return run(["hook", agent], { cwd, input, env })
  }
  const todoWrite = (cwd: string, todos: Todos, env = {}, more = {}): Promise<CliResult> => {
    calls += 1
    const list = Object.entries(todos).map(([content, status]) => ({ content, status, activeForm: content }))
    const call = { tool_name: "TodoWrite", tool_input: { todos: list }, tool_use_id: `call-${calls}` }
    return fire(cwd, { hook_event_name: "PostToolUse", ...call, ...more }, env)
  }
  const shown = async (cwd: string, agent = "main"): Promise<string[]> => {
    const { out, code } = await run(["show", "--json", "--session", "s-1", "--agent", agent], { cwd })
    if (code !== 0) return []
    return JSON.parse(out).todos.map(({ content, status }: Record<string, string>) => `${status} ${content}`)
  }
  const journal = (of: string, agent = "main"): boolean =>
    existsSync(join(of, ".headway/journal", `s-1-agent-${agent}.jsonl`))
  return { home, A, B, run, fire, todoWrite, shown, journal }
}

describe("a session whose agent changes to another repository", () => {
  test.each([[["A"]], [["A", "B"]]] as const)("has one plan, where plans are kept in %j", async (inProject) => {
    const { home, A, B, todoWrite, shown, journal } = await twoRepositories(...inProject)
    await todoWrite(A, { API: "in_progress", Client: "pending" })
    await todoWrite(B, { API: "completed", Client: "in_progress" })
    await todoWrite(A, { API: "completed", Client: "completed" })
    expect(await shown(A)).toEqual(["completed API", "completed Client"])
    expect([journal(A), journal(B), journal(home)]).toEqual([true, false, false])
  })

  test("that keeps plans does not begin a second one there", async () => {
    const { home, A, B, todoWrite, journal } = await twoRepositories("B")
    await todoWrite(A, { API: "in_progress" })
    await todoWrite(B, { API: "completed" })
    expect([journal(A), journal(B), journal(home)]).toEqual([false, false, true])
  })

  test("is told there what a person changed", async () => {
    const { A, B, run, todoWrite, fire } = await twoRepositories("A")
    await todoWrite(A, { API: "in_progress" })
    await run(["todo", "add", "Ask Ada", "--session", "s-1"], { cwd: A })
    const { out } = await fire(B, { hook_event_name: "UserPromptSubmit", prompt: "Go on" })
    expect(out).toContain("Ask Ada")
  })

  test("is told there what a person changed from another repository that keeps plans", async () => {
    const { home, A, B, run, todoWrite, fire, journal } = await twoRepositories("B")
    const folder = join(home, ".claude/projects/-A")
    mkdirSync(folder, { recursive: true })
    const line = { sessionId: "s-1", cwd: A, timestamp: "2030-01-01T00:00:00.000Z", version: "2.1.197" }
    const todos = [{ content: "API", status: "in_progress", activeForm: "API" }]
    const call = { type: "tool_use", id: "call-1", name: "TodoWrite", input: { todos } }
    const lines = [
      { ...line, type: "user", uuid: "1", message: { role: "user", content: "Go" } },
      { ...line, type: "assistant", uuid: "2", parentUuid: "1", message: { role: "assistant", content: [call] } },
    ]
    writeFileSync(join(folder, "s-1.jsonl"), lines.map((one) => `${JSON.stringify(one)}\n`).join(""))
    await todoWrite(A, { API: "in_progress" })
    const added = await run(["todo", "add", "Ask Ada", "--session", "s-1"], { cwd: B })
    expect(added).toMatchObject({ code: 0, out: expect.stringContaining("Ask Ada") })
    expect([journal(A), journal(B), journal(home)]).toEqual([false, false, true])
    expect((await fire(A, { hook_event_name: "UserPromptSubmit", prompt: "Go on" })).out).toContain("Ask Ada")
  })

  test("has the plans of its sub-agents in the same place", async () => {
    const { A, B, todoWrite, journal } = await twoRepositories("A", "B")
    await todoWrite(A, { API: "in_progress" })
    await todoWrite(B, { Look: "pending" }, {}, { agent_id: "a1" })
    expect([journal(A, "a1"), journal(B, "a1")]).toEqual([true, false])
  })

  test("begins its plan where its client was started, if the client says so", async () => {
    const { A, B, todoWrite, journal } = await twoRepositories("A", "B")
    await todoWrite(B, { API: "in_progress" }, { CLAUDE_PROJECT_DIR: A })
    expect([journal(A), journal(B)]).toEqual([true, false])
    await todoWrite(B, { API: "completed" }, { CLAUDE_PROJECT_DIR: B })
    expect([journal(A), journal(B)]).toEqual([true, false])
  })

  test("shows its plan in the status line of both", async () => {
    const { A, B, run, todoWrite } = await twoRepositories("A", "B")
    await todoWrite(A, { API: "in_progress" })
    const input = JSON.stringify({ session_id: "s-1", cwd: B, workspace: { project_dir: B } })
    expect((await run(["statusline"], { cwd: B, input })).out).toContain("API")
  })

  test("has its plan here once the first place is gone", async () => {
    const { home, A, B, todoWrite, shown } = await twoRepositories("A")
    await todoWrite(A, { API: "in_progress" })
    renameSync(A, join(home, "moved"))
    await todoWrite(B, { Other: "pending" })
    expect(await shown(B)).toEqual(["pending Other"])
  })
})

describe("a session whose repository begins to keep plans", () => {
  const prompt = { hook_event_name: "UserPromptSubmit", prompt: "Go on" }

  /** A session of A with a todo that a person added, before A keeps plans. */
  const begun = async () => {
    const here = await twoRepositories()
    await here.todoWrite(here.A, { API: "in_progress" })
    await here.run(["todo", "add", "Ask Ada", "--session", "s-1"], { cwd: here.A })
    const other = { cwd: here.A, input: '{"todos":[{"content":"x"}]}' }
    await here.run(["write", "--new", "--project", "--session", "other"], other)
    return here
  }

  test("keeps its one plan, and is told what a person changed before and after", async () => {
    const { home, A, run, fire, todoWrite, shown, journal } = await begun()
    expect((await fire(A, prompt)).out).toContain("Ask Ada")
    await todoWrite(A, { API: "completed", "Ask Ada": "in_progress" })
    expect([journal(A), journal(home)]).toEqual([false, true])
    expect(await shown(A)).toEqual(["completed API", "in_progress Ask Ada"])
    await run(["todo", "add", "Ask Bob", "--session", "s-1"], { cwd: A })
    expect((await fire(A, prompt)).out).toContain("Ask Bob")
    expect([journal(A), journal(home)]).toEqual([false, true])
  })

  test("keeps it if the person trusts plans that came with the repository", async () => {
    const { home, A, run, fire, todoWrite, journal } = await twoRepositories()
    mkdirSync(join(A, ".headway/journal"), { recursive: true })
    await todoWrite(A, { API: "in_progress" })
    await run(["todo", "add", "Ask Ada", "--session", "s-1"], { cwd: A })
    expect((await run(["project", "trust"], { cwd: A })).code).toBe(0)
    expect((await fire(A, prompt)).out).toContain("Ask Ada")
    await todoWrite(A, { API: "completed", "Ask Ada": "pending" })
    expect([journal(A), journal(home)]).toEqual([false, true])
  })

  test("keeps it without a record of its place", async () => {
    const { home, A, fire, todoWrite, journal } = await begun()
    rmSync(join(home, ".headway/cache/places"), { recursive: true })
    expect((await fire(A, prompt)).out).toContain("Ask Ada")
    await todoWrite(A, { API: "completed", "Ask Ada": "pending" })
    expect([journal(A), journal(home)]).toEqual([false, true])
  })

  test("has its sub-agents, its status line and its row in the same place", async () => {
    const { home, A, run, todoWrite, journal } = await begun()
    await todoWrite(A, { Look: "pending" }, {}, { agent_id: "a1" })
    expect([journal(A, "a1"), journal(home, "a1")]).toEqual([false, true])
    const input = JSON.stringify({ session_id: "s-1", cwd: A, workspace: { project_dir: A } })
    expect((await run(["statusline"], { cwd: A, input })).out).toContain("API")
    const rows: { session: string }[] = JSON.parse((await run(["list", "--json"], { cwd: A })).out)
    expect(rows.map(({ session }) => session).toSorted()).toEqual(["other", "s-1", "s-1"])
  })

  test("has the same plan for the server that its client starts again", async () => {
    const { home, A, shown, journal } = await begun()
    const io = Object.create(silentIo(home), { cwd: { value: A } })
    const opened = createOpened()
    const plans = openBridgePlans(
      { io, values: {}, words: [], behind: [], opened },
      { isShared: false, isChild: false },
    )
    const tracker = await plans.connect().planFor({ session: "s-1", agentType: "claude-code" })
    await tracker.write({ tool: "todo", input: { todos: [{ content: "API", status: "completed" }] } }, dialects.headway)
    await plans.close()
    await opened.close()
    expect([journal(A), journal(home)]).toEqual([false, true])
    expect(await shown(A)).toEqual(["completed API", "pending Ask Ada"])
  })

  test("begins its plan in the repository if it had none before", async () => {
    const { home, A, fire, todoWrite, run, journal } = await twoRepositories()
    await fire(A, prompt)
    const other = { cwd: A, input: '{"todos":[{"content":"x"}]}' }
    await run(["write", "--new", "--project", "--session", "other"], other)
    await todoWrite(A, { API: "in_progress" })
    expect([journal(A), journal(home)]).toEqual([true, false])
  })
})

describe("the place of a session", () => {
  test("is not used once the repository there is no longer trusted", async () => {
    const { home, A, B, run, todoWrite, journal, fire } = await twoRepositories("A")
    await todoWrite(A, { API: "in_progress" })
    await run(["todo", "add", "Ask Ada", "--session", "s-1"], { cwd: A })
    await run(["project", "untrust"], { cwd: A })
    const { out } = await fire(B, { hook_event_name: "UserPromptSubmit", prompt: "Go on" })
    expect(out).not.toContain("Ask Ada")
    await todoWrite(B, { API: "completed" })
    expect(journal(home)).toBe(true)
    expect((await run(["show", "--json", "--project", "--session", "s-1"], { cwd: A })).out).toContain(
      '"status": "in_progress"',
    )
  })

  test("is not that of another agent's session with the same id", async () => {
    const { A, B, todoWrite, fire, shown } = await twoRepositories("A", "B")
    await todoWrite(A, { API: "in_progress" })
    const call = { tool_name: "update_plan", tool_input: { plan: [{ step: "Other", status: "pending" }] } }
    await fire(B, { hook_event_name: "PostToolUse", ...call, tool_use_id: "c" }, {}, "openai-codex")
    expect(await shown(A)).toEqual(["in_progress API"])
    expect(await shown(B)).toEqual(["pending Other"])
  })

  test.each(["../A", "A", ""])("is not a relative folder in a variable (%j)", async (named) => {
    const { B, todoWrite, journal } = await twoRepositories("A", "B")
    await todoWrite(B, { API: "in_progress" }, { CLAUDE_PROJECT_DIR: named })
    expect(journal(B)).toBe(true)
  })

  test("is the repository, also from a folder in it", async () => {
    const { A, B, todoWrite, shown, journal } = await twoRepositories("A", "B")
    const inside = join(A, "src/deep")
    mkdirSync(inside, { recursive: true })
    await todoWrite(inside, { API: "in_progress" })
    rmSync(join(A, "src"), { recursive: true })
    await todoWrite(B, { API: "completed" })
    expect(await shown(A)).toEqual(["completed API"])
    expect(journal(B)).toBe(false)
  })
})

describe("a session with plans in the repository and in the home", () => {
  /** A person decided about the plan in A, no longer trusts A, and its agent and the person go on in the home. */
  const untrusted = async () => {
    const here = await twoRepositories("A")
    const { A, run, todoWrite } = here
    const edit = (...words: string[]) => run(["todo", ...words, "--session", "s-1"], { cwd: A })
    const list = { One: "in_progress", Two: "pending", Three: "pending" } as const
    await todoWrite(A, list)
    await edit("rm", "Two")
    await edit("edit", "Three", "Three, my words")
    await run(["project", "untrust"], { cwd: A })
    await todoWrite(A, list)
    await edit("add", "Ask Ada")
    const statusline = async (): Promise<string> => {
      const input = JSON.stringify({ session_id: "s-1", cwd: A, workspace: { project_dir: A } })
      return (await run(["statusline"], { cwd: A, input })).out
    }
    return { ...here, statusline }
  }
  const afterTrust = ["completed One", "pending Three, my words", "pending Ask Ada"]

  test("has one plan with all that the person decided, once the repository is trusted", async () => {
    const { home, A, run, todoWrite, shown, journal, statusline } = await untrusted()
    const { err } = await run(["project", "trust"], { cwd: A })
    expect(err).toContain("what session s-1 had in your home is part of its plan here now")
    const { out } = await todoWrite(A, { One: "completed", Two: "in_progress", Three: "pending" })
    for (const change of ['removed 2 "Two"', "Three, my words", 'added 4 "Ask Ada"'])
      expect(JSON.parse(out).hookSpecificOutput.additionalContext).toContain(change)
    expect(await shown(A)).toEqual(afterTrust)
    expect([journal(A), journal(home)]).toEqual([true, false])
    const rows: { session: string; progress: object }[] = JSON.parse((await run(["list", "--json"], { cwd: A })).out)
    expect(rows.flatMap(({ session, progress }) => (session === "s-1" ? [progress] : []))).toEqual([
      expect.objectContaining({ completed: 1, total: 3 }),
    ])
    expect(await statusline()).toContain("1/3")
  })

  test.each([
    ["that the agent does not know yet", false],
    ["that the agent was told of and has no word for", true],
  ])("has a status of the person %s, whatever its list said in the home meanwhile", async (_, isTold) => {
    const { A, run, todoWrite, shown } = await twoRepositories("A")
    const list = { One: "in_progress", Two: "pending", Three: "pending" } as const
    await todoWrite(A, list)
    await run(["todo", "block", "Two", "--reason", "no key", "--session", "s-1"], { cwd: A })
    if (isTold) await todoWrite(A, list)
    else await run(["todo", "done", "Three", "--session", "s-1"], { cwd: A })
    await run(["project", "untrust"], { cwd: A })
    await todoWrite(A, list)
    await run(["project", "trust"], { cwd: A })
    const third = isTold ? "pending Three" : "completed Three"
    expect(await shown(A)).toEqual(["in_progress One", "blocked Two", third])
    const { out } = await todoWrite(A, { One: "completed", Two: "pending", Three: "pending" })
    expect(out === "").toBe(isTold)
    expect(await shown(A)).toEqual(["completed One", "blocked Two", third])
    await todoWrite(A, { One: "completed", Two: "in_progress", Three: "in_progress" })
    expect(await shown(A)).toEqual(["completed One", "in_progress Two", "in_progress Three"])
  })

  test("has a todo once that the person reworded in the home, and the agent is not told of it again", async () => {
    const { A, run, todoWrite, shown } = await twoRepositories("A")
    const at = (second: number) => ({ now: `2030-01-01T00:00:0${second}Z` })
    const list = { One: "in_progress", Two: "pending" } as const
    await todoWrite(A, list)
    await run(["project", "untrust"], { cwd: A })
    await todoWrite(A, list)
    await run(["todo", "edit", "Two", "Two, my words", "--session", "s-1"], { cwd: A, ...at(1) })
    expect((await todoWrite(A, { One: "pending", Two: "pending" })).out).toContain("Two, my words")
    await run(["project", "trust"], { cwd: A, ...at(2) })
    expect(await shown(A)).toContain("pending Two, my words")
    const { out } = await todoWrite(A, { One: "completed", Two: "in_progress" })
    expect([out, await shown(A)]).toEqual(["", ["completed One", "in_progress Two, my words"]])
  })

  test("has one plan after the command that trusted the repository was killed, with the next command", async () => {
    const { home, A, run, shown, journal } = await untrusted()
    const onErr = (): void => {
      throw new Error("Killed.")
    }
    await expect(run(["project", "trust"], { cwd: A, onErr })).rejects.toThrow("Killed.")
    expect([journal(A), journal(home)]).toEqual([true, true])
    // From anywhere, but not where it names other plans.
    await run(["list", "--store", "memory:"])
    expect(journal(home)).toBe(true)
    await run(["list"])
    expect([journal(A), journal(home)]).toEqual([true, false])
    expect(await shown(A)).toContain("pending Ask Ada")
    expect(readFileSync(join(home, ".headway/trusted-projects.json"), "utf8")).not.toContain("isUnsettled")
  })

  test("has one plan after its repository was renamed and trusted again", async () => {
    const { home, A, run, todoWrite, shown, journal } = await twoRepositories("A")
    await todoWrite(A, { One: "in_progress", Two: "pending" })
    const renamed = join(home, "C")
    renameSync(A, renamed)
    await todoWrite(renamed, { One: "in_progress", Two: "pending" })
    await run(["todo", "add", "Ask Ada", "--session", "s-1"], { cwd: renamed })
    const { err } = await run(["project", "trust"], { cwd: renamed })
    expect(err).toContain("If you moved the repository here, name its former folder with --from")
    await todoWrite(renamed, { One: "completed", Two: "in_progress" })
    expect(await shown(renamed)).toEqual(["completed One", "in_progress Two", "pending Ask Ada"])
    expect([journal(renamed), journal(home)]).toEqual([true, false])
  })

  test("has the plans of its sub-agents in the repository too, under the name that the project has there", async () => {
    const { home, A, run, todoWrite, journal, shown } = await untrusted()
    await todoWrite(A, { Look: "pending" }, {}, { agent_id: "a1" })
    await run(["project", "trust"], { cwd: A })
    await todoWrite(A, { Look: "completed" }, {}, { agent_id: "a1" })
    expect([journal(A, "a1"), journal(home, "a1")]).toEqual([true, false])
    expect(await shown(A, "a1")).toEqual(["completed Look"])
    expect(readFileSync(join(A, ".headway/journal/s-1-agent-a1.jsonl"), "utf8")).not.toContain(home)
  })

  test("has the same plan for a server that was running meanwhile", async () => {
    const { home, A, run, shown, journal } = await untrusted()
    const io = Object.create(silentIo(home), { cwd: { value: A } })
    const opened = createOpened()
    const plans = openBridgePlans(
      { io, values: {}, words: [], behind: [], opened },
      { isShared: false, isChild: false },
    )
    const client = plans.connect()
    const write = async (content: string) =>
      (await client.planFor({ session: "s-1", agentType: "claude-code" })).write(
        { tool: "todo", input: { todos: [{ content, status: "completed" }] } },
        dialects.headway,
      )
    await write("Three")
    await run(["project", "trust"], { cwd: A })
    await write("One")
    await plans.close()
    await opened.close()
    expect(await shown(A)).toContain("completed One")
    expect([journal(A), journal(home)]).toEqual([true, false])
  })

  test("joins nothing of another agent with the same id, and a person's own plans in the home are named", async () => {
    const { home, A, run, fire, shown } = await twoRepositories("A")
    const call = { tool_name: "update_plan", tool_input: { plan: [{ step: "Other", status: "pending" }] } }
    await fire(A, { hook_event_name: "PostToolUse", ...call, tool_use_id: "c" }, {}, "openai-codex")
    await run(["project", "untrust"], { cwd: A })
    const todos = [{ content: "API", status: "pending" }]
    await fire(A, { hook_event_name: "PostToolUse", tool_name: "TodoWrite", tool_input: { todos }, tool_use_id: "d" })
    await run(["todo", "add", "Mine", "--new", "--session", "mine"], { cwd: A })
    const { err } = await run(["project", "trust"], { cwd: A })
    expect(err).not.toContain("s-1")
    expect(err).toContain(`your own plans of this project in ${join(home, ".headway")} stay there: mine`)
    expect((await run(["show", "--home", join(home, ".headway"), "--session", "mine"], { cwd: A })).out).toContain(
      "Mine",
    )
    expect(await shown(A)).toEqual(["pending Other"])
  })

  test("does not make a person's own plan part of one that came with the repository under the same name", async () => {
    const { home, A, run } = await twoRepositories("A")
    await run(["todo", "add", "Of the repository", "--new", "--project", "--session", "A-1"], { cwd: A })
    await run(["project", "untrust"], { cwd: A })
    await run(["todo", "add", "Look for another job", "--new", "--session", "A-1"], { cwd: A })
    const { err } = await run(["project", "trust"], { cwd: A })
    expect(err).toContain("stay there: A-1")
    expect(readFileSync(join(A, ".headway/journal/A-1-agent-main.jsonl"), "utf8")).not.toContain("another job")
    const { out } = await run(["show", "--home", join(home, ".headway"), "--session", "A-1"], { cwd: A })
    expect(out).toContain("Look for another job")
  })
})

test("a server that runs goes on in the store that the person uses now", async () => {
  const { home, A, run } = await twoRepositories()
  const io = Object.create(silentIo(home), { cwd: { value: A } })
  const opened = createOpened()
  const context = { io, values: {}, words: [], behind: [], opened }
  const plans = openBridgePlans(context, { isShared: true, isChild: false })
  const write = async (content: string) =>
    (await plans.connect().planFor({})).write({ tool: "todo", input: { todos: [{ content }] } }, dialects.headway)
  await write("Before")
  writeFileSync(join(home, ".headway/settings.json"), JSON.stringify({ store: `file:${join(home, "other")}` }))
  await write("After")
  await plans.close()
  await opened.close()
  expect((await run(["show"], { cwd: A })).out).toContain("After")
  expect((await run(["show", "--store", "file:"], { cwd: A })).out).not.toContain("After")
})
