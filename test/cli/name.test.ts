/** What a person calls a session holds wherever sessions are shown, and its agent's files stay as they are. */
import { appendFileSync, cpSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { contentsUnder, temporaryFolder } from "../stores/temporary.ts"
import { atHome } from "./run-cli.ts"

const now = "2026-11-15T19:00:00Z"
const id = "f53816a2-a98a-4e21-8afe-ab762e5ceecb"

const withAgents = (...recordings: string[]) => {
  const home = temporaryFolder()
  for (const name of recordings) cpSync(resolve("test/fixtures/streams", name, "home"), home, { recursive: true })
  return atHome({ home, now })
}

const subagents = "claude-2.1.197/subagents-todowrite"

const titleIn = async (run: ReturnType<typeof atHome>["run"], ...words: string[]) =>
  JSON.parse((await run([...words, "--json"])).out) as unknown

describe("headway name", () => {
  test("names a session for good: in list, in show, in its heading and in the status line", async () => {
    const { home, run } = withAgents(subagents)
    const before = contentsUnder(join(home, ".claude"))
    expect(await run(["name", "f538", "Pay the", "invoices"])).toEqual({ code: 0, out: "Pay the invoices\n", err: "" })
    expect((await run(["list"])).out).toContain("Pay the invoices")
    expect(await titleIn(run, "list")).toMatchObject([
      { session: id, agent: "main", title: "Pay the invoices" },
      {},
      {},
    ])
    expect(await titleIn(run, "show", "--session", "f538")).toMatchObject({ session: id, title: "Pay the invoices" })
    expect((await run(["show", "--session", "f538"])).out).toMatch(/^Pay the invoices\n2 todos:\n/)
    expect((await run(["show", "--session", "f538", "--format", "markdown"])).out).not.toContain("invoices")
    await run(["todo", "add", "Ask Ada", "--session", "f538"])
    expect((await run(["statusline", "--session", id])).out).toBe("▶ Reporting · 1/3 · 5m · Pay the invoices\n")
    expect(contentsUnder(join(home, ".claude"))).toEqual(before)
  })

  test("prints the name of a session, and --clear restores its own title", async () => {
    const { run } = withAgents(subagents)
    expect((await run(["name", "f538"])).out).toBe("Do the demo work.\n")
    await run(["name", "f538", "Mine"])
    expect(await titleIn(run, "name", id)).toEqual({
      session: id,
      agent: "main",
      agentType: "claude-code",
      title: "Mine",
    })
    expect(await run(["name", "f538", "--clear"])).toEqual({ code: 0, out: "Do the demo work.\n", err: "" })
    expect(await run(["name", "f538", "--clear"])).toEqual({
      code: 1,
      out: "Do the demo work.\n",
      err: "headway: you had not given it a title\n",
    })
  })

  test("--clear has done what was asked also where no other title is left", async () => {
    const { run } = withAgents(subagents)
    await run(["write", "--session", "own", "--new"], { input: '{"todos":[{"content":"Read"}]}' })
    await run(["name", "own", "Mine"])
    const cleared = await run(["name", "own", "--clear"])
    expect(cleared).toEqual({ code: 0, out: "", err: "headway: removed; this session has no other title\n" })
    expect(await run(["name", "own"])).toMatchObject({ code: 1, err: "headway: this session has no title\n" })
  })

  test("names a sub-agent, and a plan of our own", async () => {
    const { run } = withAgents(subagents)
    await run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}' })
    expect(await run(["name", "mine"])).toEqual({ code: 1, out: "", err: "headway: this session has no title\n" })
    expect((await run(["name", "mine", "Rest well"])).code).toBe(0)
    expect((await run(["name", "f538", "Find all tests", "--agent", "abf7"])).code).toBe(0)
    const { out } = await run(["list"])
    expect(out).toContain("Rest well")
    expect(out).toContain("└ general-purpose: Find all tests")
    expect(out).toContain("Do the demo work.")
  })

  test("makes one short safe line of any name", async () => {
    const { run } = withAgents(subagents)
    expect((await run(["name", "f538", "a\u001b[31m\nb\u202e".repeat(80)])).out).toMatch(/^a ba b[ ab]*…\n$/)
    expect(await run(["name", "f538", "\u001b[31m"])).toMatchObject({
      code: 2,
      err: "headway: A name needs letters.\n",
    })
  })

  test("refuses what makes no sense, and prints what would be right", async () => {
    const { run } = withAgents(subagents, "claude-2.1.197/todowrite")
    expect((await run(["name"])).err).toContain("Which session? Usage: headway name SESSION")
    expect(await run(["name", "zzz", "Mine"])).toMatchObject({ code: 1, out: "" })
    expect((await run(["name", "zzz", "Mine"])).err).toContain('There is no session "zzz"')
    expect(await run(["name", "f538", "Mine", "--clear"])).toMatchObject({ code: 2 })
    expect((await run(["name", "", "Mine"])).err).toContain('There is no session "". The newest are:')
  })

  test("reports a damaged file of names, and all other names count", async () => {
    const { home, run } = withAgents(subagents)
    await run(["name", "f538", "Mine"])
    appendFileSync(join(home, ".headway/names.jsonl"), "{torn")
    const { out, err } = await run(["list"])
    expect(out).toContain("Mine")
    expect(err).toMatch(
      /^headway: .*names\.jsonl has a line without a name, which was skipped; all other names are used\.\n$/,
    )
  })

  test("loses no name when several people name at once", async () => {
    const { run } = withAgents(subagents)
    const sessions = Array.from({ length: 8 }, (_, index) => `plan-${index}`)
    for (const session of sessions)
      await run(["write", "--new", "--session", session], { input: '{"todos":[{"content":"Rest"}]}' })
    await Promise.all(sessions.map((session) => run(["name", session, `Name of ${session}`])))
    const listed = (await titleIn(run, "list", "--own")) as { session: string; title: string }[]
    expect(listed.map(({ session, title }) => title === `Name of ${session}`)).toEqual(sessions.map(() => true))
  })
})

describe("the shown names of sessions", () => {
  test("have as much of their ids as needed where two would look the same", async () => {
    const { run } = withAgents(subagents, "claude-2.1.197/todowrite", "claude-2.1.197/tasks", "codex-0.166.0/plan")
    const names = (await run(["list"])).out.split("\n").map((row) => row.trim().split(/\s{2,}/)[0] ?? "")
    expect(names.filter((name) => name.includes("demo work")).toSorted()).toEqual([
      "550206c9 Do the demo work.",
      "Do the demo work.",
      "d8e9bb8e Do the demo work.",
      "f53816a2 Do the demo work.",
    ])
  })

  test("include the title of the agent's session for a plan without a title", async () => {
    const { run } = withAgents(subagents)
    const event = { hook_event_name: "PostToolUse", session_id: id, cwd: "/", tool_name: "TodoWrite" }
    const input = { ...event, tool_input: { todos: [{ content: "Rest", status: "pending", activeForm: "Resting" }] } }
    await run(["hook", "claude-code"], { input: JSON.stringify(input) })
    expect(await titleIn(run, "show", "--session", id)).toMatchObject({ title: "Do the demo work." })
  })

  test("keep the title of a plan when the agent has removed the session's file", async () => {
    const { home, run } = withAgents(subagents)
    await run(["todo", "add", "Ask Ada", "--session", "f538"])
    const { run: later } = atHome({ home, now, env: { CLAUDE_CONFIG_DIR: join(home, "gone") } })
    expect(await titleIn(later, "list")).toMatchObject([{ session: id, title: "Do the demo work." }])
  })
})
