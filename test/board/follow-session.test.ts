/** A plan in step with a session that is looked at again and again, by several at once and not always in order. */
import { describe, expect, test } from "vitest"
import { followSession as followAt, isFollowing } from "../../src/board/follow-session.ts"
import { dialects } from "../../src/dialects/index.ts"
import { edits, type Todo } from "../../src/plan/index.ts"
import type { DiscoveredSession } from "../../src/sessions/discover.ts"
import { fingerprintOf } from "../../src/sessions/fingerprint.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"

const person = { kind: "person", id: "ada" } as const

const opened = { agentType: "claude-code" }

const open = (store = createMemoryStore()): Promise<Tracker> => openTracker({ store, session: "s", opened })

/** Long after all lists, unless a test says otherwise. */
const followSession = (tracker: Tracker, seen: DiscoveredSession, now = "2100-01-01T00:00:00.000Z") =>
  followAt(tracker, seen, new Date(now))

/** A look at a list of one todo: what it says and when it was said. */
const look = (content: string, planned?: string, status: Todo["status"] = "pending"): DiscoveredSession => {
  const plan = { todos: [{ id: "1", content, status }], phases: [], revision: 1 }
  return { ...session(content, planned, status), plan, readPlan: async () => plan }
}

const session = (content: string, planned: string | undefined, status: Todo["status"]) => ({
  agentType: "claude-code",
  session: "s",
  agent: "main",
  path: "/s.jsonl",
  planPath: "/s.jsonl",
  updated: planned ?? "",
  ...(planned === undefined ? {} : { planned }),
  fingerprint: `${content}-${status}`,
  facts: {},
  isWhole: true,
  times: {},
  isTimed: true,
  planTool: "present" as const,
  state: "working" as const,
})

const contents = ({ plan }: Tracker): string[] => plan.todos.map(({ content }) => content)

test("a list is imported once, and later edits of a person stay (N3)", async () => {
  const tracker = await open()
  const first = look("Read", "2030-01-01T00:00:01.000Z")
  expect(isFollowing(tracker.ledger)).toBe(false)
  await followSession(tracker, first)
  expect(isFollowing(tracker.ledger)).toBe(true)
  await tracker.edit(person, ({ todos }) => todos.flatMap(edits.done))
  await tracker.tellAgent()
  expect(await followSession(tracker, first)).toEqual([])
  expect(tracker.plan.todos[0]?.status).toBe("completed")
})

test.each([
  ["with times", "2030-01-01T00:00:01.000Z", "2030-01-01T00:00:02.000Z", "2030-01-01T00:00:03.000Z"],
  ["without times", undefined, undefined, undefined],
])("a list that returns to an earlier content is imported again, %s", async (_, one, two, three) => {
  const tracker = await open()
  await followSession(tracker, look("Alpha", one))
  await followSession(tracker, look("Omega", two))
  await followSession(tracker, look("Alpha", three))
  expect(contents(tracker)).toEqual(["Alpha"])
})

test("a session with the id of a plan that is not for any agent imports nothing", async () => {
  const tracker = await openTracker({ store: createMemoryStore(), session: "s" })
  await tracker.set(person, [{ content: "Own" }])
  expect(await followSession(tracker, look("Foreign", "2099-01-01T00:00:01.000Z"))).toEqual([])
  expect(contents(tracker)).toEqual(["Own"])
})

test("a session of another agent with the same id imports nothing", async () => {
  const tracker = await openTracker({ store: createMemoryStore(), session: "s", opened: { agentType: "openai-codex" } })
  await followSession(tracker, { ...look("Own", "2030-01-01T00:00:01.000Z"), agentType: "openai-codex" })
  expect(await followSession(tracker, look("Replace it", "2030-01-01T00:00:02.000Z"))).toEqual([])
  expect(contents(tracker)).toEqual(["Own"])
})

test("a list older than the known one is not imported", async () => {
  const tracker = await open()
  await followSession(tracker, look("Omega", "2030-01-01T00:00:02.000Z"))
  expect(await followSession(tracker, look("Alpha", "2030-01-01T00:00:01.000Z"))).toEqual([])
  expect(contents(tracker)).toEqual(["Omega"])
})

test("an older list that another process recorded after a newer one is corrected by the next import", async () => {
  const store = createMemoryStore()
  const [one, other] = [await open(store), await open(store)]
  const [alpha, omega] = [look("Alpha", "2030-01-01T00:00:01.000Z"), look("Omega", "2030-01-01T00:00:02.000Z")]
  // Both have decided before either has written; the older one is written last.
  await followSession(one, omega)
  await other.mirror({
    todos: alpha.plan?.todos ?? [],
    phases: [],
    callId: "look 2030-01-01T00:00:01.000Z Alpha-pending",
  })
  expect(contents(other)).toEqual(["Alpha"])
  await Promise.all([followSession(one, omega), followSession(other, omega)])
  await one.refresh()
  expect([contents(one), contents(other)]).toEqual([["Omega"], ["Omega"]])
  expect(await followSession(one, omega)).toEqual([])
})

test("the list in the result of a call counts, though it has the same time", async () => {
  const tracker = await open()
  const at = "2030-01-01T00:00:01.000Z"
  await followSession(tracker, look("Read", at))
  await followSession(tracker, look("Read", at, "in_progress"))
  expect(tracker.plan.todos[0]?.status).toBe("in_progress")
})

describe("a clock that was set back", () => {
  const before = "2030-01-01T02:00:00.000Z"
  const after = "2030-01-01T01:00:00.000Z"
  const later = "2030-01-01T01:05:00.000Z"

  test("does not keep the next list from being imported, nor those after it", async () => {
    const tracker = await open()
    await followSession(tracker, look("Alpha", before), before)
    await followSession(tracker, look("Beta", after), after)
    expect(contents(tracker)).toEqual(["Beta"])
    await followSession(tracker, look("Gamma", later), later)
    expect(contents(tracker)).toEqual(["Gamma"])
  })

  test("does not let a list from before it come back, whichever process still has it", async () => {
    const tracker = await open()
    const early = "2030-01-01T00:30:00.000Z"
    await followSession(tracker, look("Early", early), before)
    await followSession(tracker, look("Alpha", before), before)
    expect(await followSession(tracker, look("Early", early), after)).toEqual([])
    await followSession(tracker, look("Beta", after), after)
    expect(await followSession(tracker, look("Alpha", before), after)).toEqual([])
    expect(await followSession(tracker, look("Early", early), after)).toEqual([])
    expect(contents(tracker)).toEqual(["Beta"])
  })

  test("does not freeze a plan that an agent's hooks write", async () => {
    let now = before
    const store = createMemoryStore()
    const tracker = await openTracker({ store, session: "s", opened, now: () => new Date(now) })
    const write = (content: string) =>
      tracker.write(
        { tool: "TodoWrite", input: { todos: [{ content, status: "pending", activeForm: content }] } },
        dialects["claude-todos"],
      )
    await write("Alpha")
    now = after
    await write("Beta")
    // A list that is older than what was written last stays out.
    expect(await followSession(tracker, look("Stale", "2030-01-01T00:59:00.000Z"), later)).toEqual([])
    await followSession(tracker, look("Gamma", later), later)
    expect(contents(tracker)).toEqual(["Gamma"])
  })
})

describe("a plan with entries from another source", () => {
  const fed = async (): Promise<Tracker> => {
    const now = () => new Date("2030-01-01T00:00:05Z")
    const tracker = await openTracker({ store: createMemoryStore(), session: "s", opened, now })
    await tracker.set({ kind: "agent", id: "main" }, [{ content: "By hook" }])
    return tracker
  }

  test("is ahead of its session", async () => {
    const tracker = await fed()
    expect(await followSession(tracker, look("Old", "2030-01-01T00:00:04.000Z"))).toEqual([])
    expect(isFollowing(tracker.ledger)).toBe(false)
  })

  test("follows the session once the session has a newer list", async () => {
    const tracker = await fed()
    await followSession(tracker, look("New", "2030-01-01T00:00:06.000Z"))
    expect(contents(tracker)).toEqual(["New"])
  })
})

describe("a session whose agent only read its list, or said the same again", () => {
  const later = "2030-01-01T00:00:06.000Z"

  const call = (tracker: Tracker, tool: string, input: unknown, result: unknown) =>
    tracker.write({ tool, input, result, observed: true }, dialects["claude-tasks"])

  /** Two tasks of the agent, one of them removed by a person, and one that the person added and finished. */
  const changed = async (): Promise<Tracker> => {
    const now = () => new Date("2030-01-01T00:00:05Z")
    const tracker = await openTracker({ store: createMemoryStore(), session: "s", opened, now })
    for (const [index, subject] of ["Fix it", "Deploy"].entries())
      await call(tracker, "TaskCreate", { subject }, { task: { id: String(index + 1), subject } })
    await tracker.edit(person, () => edits.add("Tell Maria"))
    await tracker.edit(person, ({ todos }) =>
      todos.flatMap((todo) =>
        todo.content === "Tell Maria" ? edits.done(todo) : todo.content === "Deploy" ? edits.remove(todo) : [],
      ),
    )
    await tracker.tellAgent()
    return tracker
  }

  const looks = (...statuses: Todo["status"][]): DiscoveredSession => {
    const contents = ["Fix it", "Deploy"]
    const todos = statuses.map((status, index) => {
      const nativeId = String(index + 1)
      return { id: nativeId, content: contents[index] ?? "", status, extra: { nativeId } }
    })
    const plan = { todos, phases: [], revision: 1 }
    return { ...look("", later), fingerprint: fingerprintOf(plan), plan, readPlan: async () => plan }
  }

  const listed = ({ plan }: Tracker): string[] => plan.todos.map(({ content, status }) => `${content} ${status}`)

  test("has no news", async () => {
    const tracker = await changed()
    const before = await tracker.entries()
    for (const _ of "twice") expect(await followSession(tracker, looks("pending", "pending"))).toEqual([])
    const [known, ...others] = (await tracker.entries()).slice(before.length)
    expect(known).toMatchObject({ events: [] })
    expect(others).toEqual([])
    expect(listed(tracker)).toEqual(["Fix it pending", "Tell Maria completed"])
  })

  test("has news with its next change, and nothing that a person added is removed by it", async () => {
    const tracker = await changed()
    await followSession(tracker, looks("in_progress", "pending"))
    expect(listed(tracker)).toEqual(["Fix it in_progress", "Tell Maria completed"])
  })
})

test("a list that the agent adopted from a person does not overrule what the person decides next (N3)", async () => {
  const tracker = await open()
  await followSession(tracker, look("Read", "2030-01-01T00:00:01.000Z"))
  await tracker.edit(person, ({ todos }) => todos.flatMap(edits.done))
  await tracker.tellAgent()
  const adopted = { todos: [{ id: "1", content: "Read", status: "completed" as const }], phases: [], revision: 1 }
  const seen = { ...look("Read", "2030-01-01T00:00:02.000Z", "completed"), fingerprint: fingerprintOf(adopted) }
  await followSession(tracker, seen)
  await tracker.edit(person, ({ todos }) => todos.flatMap(edits.reopen))
  await tracker.tellAgent()
  await followSession(tracker, seen)
  expect(tracker.plan.todos).toMatchObject([{ content: "Read", status: "pending" }])
})

test("a list that is read late does not overrule what a person decided after it was written (N3)", async () => {
  const tracker = await openTracker({
    ...{ store: createMemoryStore(), session: "s", opened },
    now: () => new Date("2030-01-01T00:00:05Z"),
  })
  await followSession(tracker, look("Read", "2030-01-01T00:00:01.000Z"))
  await tracker.edit(person, ({ todos }) => todos.flatMap(edits.done))
  await tracker.tellAgent()
  await followSession(tracker, look("Read", "2030-01-01T00:00:04.000Z", "in_progress"))
  expect(tracker.plan.todos).toMatchObject([{ content: "Read", status: "completed" }])
  await followSession(tracker, look("Other", "2030-01-01T00:00:04.500Z"))
  expect(contents(tracker)).toContain("Read")
  await followSession(tracker, look("Read", "2030-01-01T00:00:06.000Z", "in_progress"))
  expect(tracker.plan.todos).toMatchObject([{ content: "Read", status: "in_progress" }])
})

test("a list that was written before the agent was told of a decision does not overrule it when it is read after that (N3)", async () => {
  const times = ["05", "05", "10"]
  const tracker = await openTracker({
    ...{ store: createMemoryStore(), session: "s", opened },
    now: () => new Date(`2030-01-01T00:00:${times.shift() ?? "10"}Z`),
  })
  await followSession(tracker, look("Read", "2030-01-01T00:00:01.000Z", "completed"))
  await tracker.edit(person, ({ todos }) => todos.flatMap(edits.reopen))
  await tracker.tellAgent()
  await followSession(tracker, look("Read", "2030-01-01T00:00:07.000Z", "in_progress"))
  expect(tracker.plan.todos).toMatchObject([{ content: "Read", status: "pending" }])
  await followSession(tracker, look("Read", "2030-01-01T00:00:11.000Z", "completed"))
  expect(tracker.plan.todos).toMatchObject([{ content: "Read", status: "completed" }])
})

test("a list that goes back on what the agent had adopted from a person is news", async () => {
  const tracker = await open()
  const listed = (status: Todo["status"], planned: string) => {
    const plan = { todos: [{ id: "1", content: "Read", status }], phases: [], revision: 1 }
    return { ...look("Read", planned, status), fingerprint: fingerprintOf(plan), readPlan: async () => plan }
  }
  await followSession(tracker, listed("pending", "2090-01-01T00:00:01.000Z"))
  await tracker.edit(person, ({ todos }) => todos.flatMap(edits.done))
  await tracker.tellAgent()
  await followSession(tracker, listed("completed", "2090-01-01T00:00:02.000Z"))
  await followSession(tracker, listed("pending", "2090-01-01T00:00:03.000Z"))
  expect(tracker.plan.todos).toMatchObject([{ content: "Read", status: "pending" }])
})
