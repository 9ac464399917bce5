/** Agent teams of Claude Code: several sessions write one list, and each of them shows all of it. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { readClaudeNow } from "../../src/agents/claude-code/now.ts"
import { createDiscovery, type DiscoveredSession, discover } from "../../src/sessions/discover.ts"
import { sources } from "../agents/loaded.ts"
import { observeBytes } from "../contracts/stream.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const folder = temporaryFolder()
const now = new Date("2026-01-01T00:01:00Z")

const [lead, member] = ["11111111-aaaa-4aaa-8aaa-000000000001", "22222222-bbbb-4bbb-8bbb-000000000002"]

const line = (session: string, name: string | undefined, second: number, fields: object): string =>
  `${JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    ...(name === undefined ? {} : { teamName: "perf", agentName: name }),
    sessionId: session,
    cwd: "/p",
    version: "2.1.50",
    uuid: `${session}-${second}`,
    timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
    ...fields,
  })}\n`

const call = (id: string, name: string, input: object): object => ({
  type: "assistant",
  message: { role: "assistant", model: "m", content: [{ type: "tool_use", id, name, input }] },
})

const answer = (id: string, content: string, data?: object): object => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
  ...(data ? { toolUseResult: data } : {}),
})

const completed = answer("toolu_1", "Updated task #2 status", {
  success: true,
  taskId: "2",
  updatedFields: ["status"],
  statusChange: { from: "pending", to: "completed" },
})

const update = [call("toolu_1", "TaskUpdate", { taskId: "2", status: "completed" }), completed]

const memberLines = (...more: object[]): string =>
  [{ type: "user", message: { role: "user", content: "Fix the proxy" } }, ...more]
    .map((fields, index) => line(member, "proxy-fix", index, fields))
    .join("")

const todosIn = (text: string): string[] | undefined => {
  const { agents } = observeBytes(Buffer.from(text), 1000)
  return agents.get("main")?.plan?.todos.map(({ id, status, content }) => `${id} ${status} ${content}`)
}

describe("a member's session file alone", () => {
  test("contains the tasks it has updated, though they were created elsewhere, without a problem", () => {
    const { agents, problems } = observeBytes(Buffer.from(memberLines(...update)), 1000)
    expect(agents.get("main")?.plan?.todos).toMatchObject([{ id: "2", content: "Task #2", status: "completed" }])
    expect([...problems.keys()]).toEqual([])
  })

  test("has the subject of a task once the agent has read it, as data or as text", () => {
    const shown = call("toolu_2", "TaskGet", { taskId: "2" })
    const task = { id: "2", subject: "Fix the proxy", description: "", status: "pending", blocks: [], blockedBy: [] }
    const words = "Task #2: Fix the proxy\nStatus: pending\nDescription: All of it"
    expect(todosIn(memberLines(shown, answer("toolu_2", words, { task }), ...update))).toEqual([
      "2 completed Fix the proxy",
    ])
    expect(todosIn(memberLines(shown, answer("toolu_2", words), ...update))).toEqual(["2 completed Fix the proxy"])
    const listed = [{ id: "1", subject: "Measure", status: "completed", owner: "lead", blockedBy: [] }]
    const list = [call("toolu_3", "TaskList", {}), answer("toolu_3", "…", { tasks: [...listed, task] })]
    expect(todosIn(memberLines(...update, ...list))).toEqual(["2 pending Fix the proxy", "1 completed Measure"])
  })

  test("contains no trace of a task that was not found, not even for a moment", () => {
    const refused = answer("toolu_1", "Task not found", { success: false, taskId: "2", error: "Task not found" })
    const lines = memberLines(update[0] ?? {}, refused).split("\n")
    for (let count = 0; count <= lines.length; count += 1)
      expect(todosIn(lines.slice(0, count).join("\n")) ?? []).toEqual([])
  })
})

/** A home with the session files of a team and the folder of its list. */
const homeOf = (): string => {
  const home = mkdtempSync(join(folder, "home-"))
  write(home, "projects/-p", `${member}.jsonl`, memberLines(...update))
  write(
    home,
    "projects/-p",
    `${lead}.jsonl`,
    [
      line(lead, undefined, 0, { type: "user", message: { role: "user", content: "Make it fast" } }),
      line(lead, "team-lead", 1, call("toolu_9", "TaskCreate", { subject: "Measure" })),
      line(lead, "team-lead", 2, answer("toolu_9", "Task #1 created", { task: { id: "1", subject: "Measure" } })),
    ].join(""),
  )
  writeTask(home, { id: "1", subject: "Measure", status: "in_progress", owner: "team-lead" })
  writeTask(home, { id: "2", subject: "Fix the proxy", status: "completed", owner: "proxy-fix" })
  writeTask(home, { id: "3", subject: "Tell the others", status: "pending" })
  return home
}

const write = (home: string, place: string, name: string, text: string): void => {
  const path = join(home, ".claude", place, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const writeTask = (home: string, task: { id: string; subject: string; status: string; owner?: string }): void =>
  write(home, "tasks/perf", `${task.id}.json`, JSON.stringify({ description: "", blocks: [], blockedBy: [], ...task }))

const shownIn = (sessions: readonly DiscoveredSession[]): Record<string, string[] | undefined> =>
  Object.fromEntries(
    sessions.map(({ session, plan }) => [
      session,
      plan?.todos.map(({ id, status, content, owner = "-" }) => `${id} ${status} ${content} ${owner}`),
    ]),
  )

const team = ["1 in_progress Measure team-lead", "2 completed Fix the proxy proxy-fix", "3 pending Tell the others -"]

describe("with the files of the team's list", () => {
  test("every member's session shows the whole list with its owners, and the list is not a session itself", async () => {
    const sessions = await discover({ sources, env: {}, home: homeOf(), now })
    expect(shownIn(sessions)).toEqual({ [lead]: team, [member]: team })
    const lists = await Promise.all(sessions.map(async (one) => (await one.readPlan())?.todos.length))
    expect(lists).toEqual([3, 3])
  })

  test("a member's session that is looked at alone shows the whole list too", async () => {
    const only = { session: member, agent: "main" }
    const sessions = await discover({ sources, env: {}, home: homeOf(), now, only })
    expect(shownIn(sessions)).toEqual({ [member]: team })
  })

  test("every member's session follows the changes of another", async () => {
    const home = homeOf()
    const discovery = createDiscovery({ sources, env: {}, home })
    await discovery.refresh(now)
    writeTask(home, { id: "3", subject: "Tell the others", status: "in_progress", owner: "proxy-fix" })
    const changed = new Set([join(home, ".claude/tasks/perf/3.json")])
    const after = [...team.slice(0, 2), "3 in_progress Tell the others proxy-fix"]
    expect(shownIn(await discovery.refresh(now, changed))).toEqual({ [lead]: after, [member]: after })
    discovery.close()
  })

  test("a session that joins the team later shows its list from then on, and no longer its own", async () => {
    const home = homeOf()
    const third = "33333333-cccc-4ccc-8ccc-000000000003"
    const path = join(home, ".claude/projects/-p", `${third}.jsonl`)
    writeFileSync(path, line(third, undefined, 0, { type: "user", message: { role: "user", content: "Hello" } }))
    write(home, `tasks/${third}`, "1.json", JSON.stringify({ id: "1", subject: "My own", status: "pending" }))
    const discovery = createDiscovery({ sources, env: {}, home })
    expect(shownIn(await discovery.refresh(now))[third]).toEqual(["1 pending My own -"])
    appendFileSync(path, line(third, "helper", 1, { type: "user", message: { role: "user", content: "Help" } }))
    expect(shownIn(await discovery.refresh(now))).toEqual({ [lead]: team, [member]: team, [third]: team })
    discovery.close()
  })

  test("a list named after a session stays that session's, whichever file comes first", async () => {
    const home = mkdtempSync(join(folder, "home-"))
    const own = ["1 pending My own -"]
    const asks = { type: "user", message: { role: "user", content: "Hello" } }
    const files = {
      [lead]: line(lead, undefined, 0, asks),
      [member]: line(member, "thief", 0, { ...asks, teamName: lead }),
    }
    write(home, `tasks/${lead}`, "1.json", JSON.stringify({ id: "1", subject: "My own", status: "pending" }))
    for (const order of [
      [lead, member],
      [member, lead],
    ]) {
      const discovery = createDiscovery({ sources, env: {}, home })
      for (const session of order) {
        write(home, "projects/-p", `${session}.jsonl`, files[session] ?? "")
        await discovery.refresh(now)
      }
      expect(shownIn(await discovery.refresh(now))).toEqual({ [lead]: own, [member]: undefined })
      discovery.close()
      rmSync(join(home, ".claude/projects"), { recursive: true })
    }
  })

  test("a list whose sessions are gone is shown under its own name", async () => {
    const home = homeOf()
    rmSync(join(home, ".claude/projects"), { recursive: true })
    expect(shownIn(await discover({ sources, env: {}, home, now }))).toEqual({ perf: team })
  })

  test("the status line of a member has the team's list", () => {
    const home = join(homeOf(), ".claude")
    const transcript = join(home, "projects/-p", `${member}.jsonl`)
    const found = readClaudeNow({ folder: home, session: member, transcript })
    expect(found?.plan.todos.map(({ content }) => content)).toEqual(["Measure", "Fix the proxy", "Tell the others"])
  })
})
