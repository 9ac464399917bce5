/** A person's changes to the plans of other agents' sessions, from the shell. */
import { join } from "node:path"
import { expect, test } from "vitest"
import { claudeSays, fileIn, homeWith } from "../board/live-board.ts"
import { contentsUnder, namesIn } from "../stores/temporary.ts"
import { atHome } from "./run-cli.ts"

const now = "2026-11-15T19:30:00Z"
const withAgents = (...recordings: string[]) => atHome({ home: homeWith(...recordings), now })
const subagents = "claude-2.1.197/subagents-todowrite"

test("a session is named by the beginning of its id, and its files stay as they are (N3)", async () => {
  const { home, run } = withAgents(subagents)
  const before = contentsUnder(join(home, ".claude"))
  expect(await run(["todo", "done", "2", "--session", "f53816a2"])).toEqual({
    code: 0,
    out: '2 "Report": now completed\n',
    err: "headway: Claude Code is not connected here, so it will not see this. To connect it: headway setup claude\n",
  })
  expect((await run(["todo", "add", "Ask Ada", "--session", "f53816a2"])).out).toBe('added 3 "Ask Ada"\n')
  expect((await run(["show", "--session", "f53816a2"])).out).toBe(
    "Do the demo work.\n3 todos:\n\n→☒ 1 Delegate the survey\n ☒ 2 Report\n ☐ 3 Ask Ada\n",
  )
  expect(contentsUnder(join(home, ".claude"))).toEqual(before)
  expect(namesIn(join(home, ".headway/journal"))).toEqual(["f53816a2-a98a-4e21-8afe-ab762e5ceecb-agent-main.jsonl"])
})

test("a sub-agent's plan is changed by its own id, and has its parent", async () => {
  const { run } = withAgents(subagents)
  expect((await run(["todo", "drop", "1", "--session", "f538", "--agent", "abf7"])).out).toContain("now cancelled")
  const [first] = JSON.parse((await run(["list", "--json", "--own"])).out)
  expect(first).toMatchObject({ agent: "abf7d66e28674ba19", agentType: "claude-code", parent: { agent: "main" } })
})

test("a kept plan and its session are one line of the listing", async () => {
  const { home, run } = withAgents(subagents)
  await run(["todo", "add", "Ask Ada", "--session", "f538"])
  const rows = async () => (await run(["list"])).out.split("\n").map((row) => row.trim().split(/\s{2,}/))
  expect((await rows()).filter(([name]) => name?.startsWith("Do the"))).toEqual([
    ["Do the demo work.", "Claude Code", "ended", "1/3", "35m", "Reporting"],
  ])
  // The agent goes on without a viewer.
  const at = "2026-11-15T19:31:00Z"
  claudeSays(fileIn(home, "f53816a2-a98a-4e21-8afe-ab762e5ceecb.jsonl"), at, ["Report", "completed"])
  expect(await run(["list", "--json"], { now: at }).then(({ out }) => JSON.parse(out)[0])).toMatchObject({
    isOwn: true,
    state: "working",
    progress: { completed: 1, total: 2 },
    upcoming: { kind: "next", content: "Ask Ada" },
  })
  expect((await run(["show", "--session", "f538"])).out).toBe(
    "Do the demo work.\n2 todos:\n\n·☒ 2 Report\n ☐ 3 Ask Ada\n",
  )
})

test("the history of a session tells the agent's part and the person's", async () => {
  const { run } = withAgents(subagents)
  expect(await run(["history", "--session", "f538"])).toMatchObject({ code: 1, out: "" })
  await run(["todo", "done", "2", "--session", "f538"])
  const { out } = await run(["history", "--session", "f538"])
  expect(out).toMatch(/agent main through session \(observed\)[\s\S]*person ada[\s\S]*2 "Report": now completed/)
})

test("exporting and undoing begin no plan, and undo takes back only what a person did", async () => {
  const { home, run } = withAgents(subagents)
  expect((await run(["todo", "export", "--session", "f538"])).out).toBe("- [x] Delegate the survey\n- [/] Report\n")
  expect(await run(["todo", "undo", "--session", "f538"])).toMatchObject({ code: 1, out: "" })
  expect(namesIn(join(home, ".headway/journal"))).toEqual([])
  await run(["todo", "done", "2", "--session", "f538"])
  const at = "2026-11-15T19:31:00Z"
  const items = ["Delegate the survey", "Report", "Tidy"].map((content): [string, string] => [content, "in_progress"])
  claudeSays(fileIn(home, "f53816a2-a98a-4e21-8afe-ab762e5ceecb.jsonl"), at, ...items)
  expect((await run(["todo", "undo", "--session", "f538"], { now: at })).out).toBe('2 "Report": now in_progress\n')
  expect(await run(["todo", "undo", "--session", "f538"])).toMatchObject({ code: 1, out: "" })
})

test("the beginning of several ids names none, and they are listed", async () => {
  const { home, run } = withAgents("codex-0.166.0/goal", "codex-0.166.0/plan")
  for (const words of [["todo", "done", "1"], ["todo", "add", "x"], ["show"]]) {
    const { code, out, err } = await run([...words, "--session", "01a1e08b"])
    expect([code, out]).toEqual([1, ""])
    expect(err).toMatch(/Several sessions match "01a1e08b":\n {2}01a1e08b-\S+ .*Codex .*\n {2}01a1e08b-/)
    // Any of the ids in it names its session.
    for (const [id = ""] of err.matchAll(/01a1e08b-\S+/g))
      expect((await run(["show", "--session", id])).err).not.toMatch(/no session|Several/)
  }
  expect(namesIn(join(home, ".headway/journal"))).toEqual([])
})

test("a mistyped id changes nothing, and the nearest sessions are listed with what differs", async () => {
  const { home, run } = withAgents(subagents)
  expect(await run(["todo", "add", "Alone", "--session", "f53816b2"])).toEqual({
    code: 1,
    out: "",
    err: expect.stringMatching(
      /^headway: There is no session "f53816b2"\. Add --new to begin one under that id\. Similar ones are:\n {2}f53816a2 .*Claude Code .* 35m\n$/,
    ),
  })
  expect(namesIn(join(home, ".headway/journal"))).toEqual([])
  expect((await run(["todo", "add", "Alone", "--session", "f53816b2", "--new"])).out).toBe('added 1 "Alone"\n')
  expect((await run(["show", "--session", "f53816b2"])).out).toContain("Alone")
})

test("a sub-agent is named by what a listing prints, and by its id", async () => {
  const { run } = withAgents(subagents)
  const printed = ["└ general-purpose: Check the tests", "general-purpose: Check the tests", "check the tests"]
  expect((await run(["list", "--all"])).out).toContain(printed[0])
  for (const name of [...printed, "abf7d66e", "f53816a2 abf7d66e", "f53816a2/abf7d66e28674ba19"]) {
    const { code, out } = await run(["show", "--json", "--session", name])
    expect([code, JSON.parse(out).agent], name).toEqual([0, "abf7d66e28674ba19"])
  }
})

test("whatever a listing prints names its session, for every command", async () => {
  const { run } = withAgents(subagents, "codex-0.166.0/goal", "codex-0.166.0/plan")
  const { out } = await run(["list", "--all"])
  const rows = out.split("\n").map((row) => row.trim().split(/\s{2,}/))
  const names = rows.flatMap(([name = "", agent = ""]) => (/Claude|Codex/.test(agent) ? [name] : []))
  expect(names).toHaveLength(5)
  const sessions = new Set<string>()
  for (const name of names) {
    const added = await run(["todo", "add", "Ask Ada", "--session", name, "--json"])
    const { session, agent } = JSON.parse(added.out).plan as { session: string; agent: string }
    sessions.add(`${session} ${agent}`)
    for (const words of [["show"], ["todo", "export"], ["statusline"], ["history"], ["write"], ["todo", "undo"]])
      expect((await run([...words, "--session", name], { input: "{}" })).out, `${words} ${name}`).not.toBe("")
    expect((await run(["gc", "--older-than", "1d", "--dry-run", "--session", name])).code).toBe(0)
  }
  expect(sessions.size).toBe(5)
})

test("what an agent does against an edit it is not told of is in history, and in the plan as JSON", async () => {
  const { home, run } = withAgents(subagents)
  const edit = await run(["todo", "rm", "Report", "--session", "f538", "--json"])
  expect(JSON.parse(edit.out)).toMatchObject({ ok: true, told: false, hears: "never" })
  const history = async (at = now) => (await run(["history", "--session", "f538"], { now: at })).out
  expect(await history()).toMatch(/ {2}removed 2 "Report"\n {2}\(not told\)\n/)
  const file = fileIn(home, "f53816a2-a98a-4e21-8afe-ab762e5ceecb.jsonl")
  // It only says its list again: nothing was done against the edit.
  claudeSays(file, "2026-11-15T19:31:00Z", ["Delegate the survey", "completed"], ["Report", "in_progress"])
  expect(await history("2026-11-15T19:31:30Z")).not.toContain("went on")
  claudeSays(file, "2026-11-15T19:32:00Z", ["Delegate the survey", "completed"], ["Report", "completed"])
  const against = 'continued "Report" (completed) against a change by hand'
  expect(await history("2026-11-15T19:32:30Z")).toContain(against)
  const shown = await run(["show", "--session", "f538", "--json"], { now: "2026-11-15T19:32:30Z" })
  expect(JSON.parse(shown.out)).toMatchObject({
    todos: [{ content: "Delegate the survey" }],
    told: false,
    hears: "never",
    untold: ['removed "Report"'],
    against: [against],
  })
})

test("an edit that was undone before the agent learned of it is not reported to the agent", async () => {
  const { run } = withAgents(subagents)
  await run(["todo", "rm", "Report", "--session", "f538"])
  expect(await run(["todo", "undo", "--session", "f538"])).toEqual({
    code: 0,
    out: 'brought back 2 "Report"\n',
    err: "",
  })
})

test("a plan follows its session after the clock was set back, in every listing", async () => {
  const { home, run } = withAgents(subagents)
  await run(["todo", "add", "Ask Ada", "--session", "f538"])
  const file = fileIn(home, "f53816a2-a98a-4e21-8afe-ab762e5ceecb.jsonl")
  claudeSays(file, "2026-11-15T19:31:00Z", ["Report", "in_progress"])
  await run(["list"], { now: "2026-11-15T19:31:00Z" })
  const at = "2026-11-15T19:15:00Z"
  claudeSays(file, at, ["Report", "completed"])
  const [first] = JSON.parse((await run(["list", "--json"], { now: at })).out)
  expect(first).toMatchObject({ progress: { completed: 1, total: 2 } })
  expect((await run(["show", "--session", "f538"], { now: at })).out).toContain("☒ 2 Report\n ☐ 3 Ask Ada")
})
