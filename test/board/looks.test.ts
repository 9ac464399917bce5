/** Looking at an agent's session while it works, between its calls and their hooks, changes nothing about the plan. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { followSession } from "../../src/board/follow-session.ts"
import type { ToolCall } from "../../src/dialects/dialect.ts"
import { type DialectId, dialects } from "../../src/dialects/index.ts"
import { editNotice } from "../../src/guidance/edit-notice.ts"
import { edits, nativeIdOf, type PlanEvent, type Todo } from "../../src/plan/index.ts"
import { fingerprintOf } from "../../src/sessions/fingerprint.ts"
import { createObserver } from "../../src/streams/observe.ts"
import { rounds } from "../rounds.ts"
import { open, person } from "../tracker/open.ts"

type Call = Pick<ToolCall, "tool" | "input" | "result">

/** An agent whose calls change single todos, which it numbers itself. */
type Agent = {
  dialect: DialectId
  create(id: string, text: string): Call
  update(id: string, fields: { status?: Todo["status"]; description?: string }): Call
}

const agents: Record<string, Agent> = {
  "Claude Code's tasks": {
    dialect: "claude-tasks",
    create: (id, subject) => ({
      tool: "TaskCreate",
      input: { subject, description: "d" },
      result: { task: { id, subject } },
    }),
    update: (taskId, fields) => ({
      tool: "TaskUpdate",
      input: { taskId, ...fields },
      result: { success: true, taskId, updatedFields: Object.keys(fields) },
    }),
  },
  "Gemini's tracker": {
    dialect: "gemini-tracker",
    create: (id, title) => ({
      tool: "tracker_create_task",
      input: { title, description: "d", type: "task" },
      result: `Created task ${hex(id)}: ${title}`,
    }),
    update: (id, { status, ...fields }) => ({
      tool: "tracker_update_task",
      input: { id: hex(id), ...fields, ...(status ? { status: trackerStatus[status] } : {}) },
      result: `Updated task ${hex(id)}`,
    }),
  },
  "Cursor's merged lists": {
    dialect: "cursor",
    create: (id, content) => ({
      tool: "todo_write",
      input: { merge: true, todos: [{ id, content, status: "pending" }] },
    }),
    update: (id, { status }) => ({
      tool: "todo_write",
      input: { merge: true, todos: [{ id, ...(status ? { status } : {}) }] },
    }),
  },
}

const hex = (id: string): string => id.padStart(6, "a")

const trackerStatus: Partial<Record<Todo["status"], string>> = {
  pending: "open",
  in_progress: "in_progress",
  completed: "closed",
}

const verbs: Record<string, (todo: Todo) => PlanEvent[]> = {
  start: edits.start,
  done: edits.done,
  reopen: edits.reopen,
  drop: (todo) => edits.drop(todo, "not needed"),
  block: (todo) => edits.block(todo, "no key"),
  reword: (todo) => edits.reword(todo, `${todo.content} today`),
  note: (todo) => edits.note(todo, "careful"),
  remove: edits.remove,
}

/** Three todos are there from the start; `todo` is the number of one. */
const numbers = fc.integer({ min: 1, max: 5 }).map(String)
const edit: fc.Arbitrary<Edit> = fc.record({ verb: fc.constantFrom("add", ...Object.keys(verbs)), todo: numbers })
const status = fc.constantFrom<Todo["status"][]>("pending", "in_progress", "completed")
const fields = fc.oneof(fc.record({ status }), fc.record({ description: fc.constantFrom("one", "two") }))
const looks = fc.record({ before: fc.boolean(), after: fc.boolean() })

type Edit = { verb: string; todo: string }
type Looks = { before: boolean; after: boolean }
/** How a call goes: where it is looked at, and what a person changes before its hook runs. */
type CallStep = { looks: Looks; edit?: Edit | null }
type Step =
  | (CallStep & { kind: "create" })
  | (CallStep & { kind: "update"; todo: string; fields: { status?: Todo["status"]; description?: string } })
  | { kind: "edit"; edit: Edit; looks: Looks }
  | { kind: "other tool"; looks: Looks }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), looks, edit: fc.option(edit) }),
  fc.record({ kind: fc.constant("update" as const), todo: numbers, fields, looks, edit: fc.option(edit) }),
  fc.record({ kind: fc.constant("edit" as const), edit, looks }),
  fc.record({ kind: fc.constant("other tool" as const), looks }),
)

const play = async (agent: Agent, steps: readonly Step[], isLookedAt: boolean): Promise<string[]> => {
  let seconds = 0
  const now = (): Date => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds))
  const tracker = await open({ now, editNotice, opened: { agentType: "claude-code" } })
  const observer = createObserver()
  let [created, calls, added] = [0, 0, 0]

  const look = async (): Promise<void> => {
    const { plan, updated, said } = observer.agents.get("main") ?? {}
    if (!isLookedAt || !plan || updated === undefined) return
    const seen = { planned: updated, fingerprint: fingerprintOf(plan), said, readPlan: async () => plan }
    await followSession(tracker, { ...seen, agentType: "claude-code" }, now())
  }
  const change = async (made: Edit): Promise<void> => {
    seconds += 1
    if (made.verb === "add") added += 1
    await tracker.edit(person, ({ todos }) => {
      if (made.verb === "add") return edits.add(`Mine ${added}`)
      const todo = todos.find((one) => nativeIdOf(one)?.endsWith(made.todo))
      return (todo && verbs[made.verb]?.(todo)) ?? []
    })
  }
  /** In the order in which it happens: the call is in the session, then its hook runs. */
  const call = async (made: Call, about: string, { looks, edit: between }: CallStep): Promise<void> => {
    seconds += 1
    calls += 1
    const { result, ...asked } = made
    const callId = `call-${calls}`
    const at = now().toISOString()
    observer.take({
      type: "call",
      agent: "main",
      dialect: agent.dialect,
      call: { ...asked, callId, at, observed: true },
    })
    observer.take({ type: "result", callId, ok: true, result })
    if (looks.before) await look()
    // What a person decides about the todo itself depends on what they see of it.
    if (between && between.todo !== about) await change(between)
    seconds += 1
    await tracker.write({ ...made, callId, observed: true }, dialects[agent.dialect])
    if (looks.after) await look()
  }
  const create = (how: CallStep): Promise<void> => {
    created += 1
    const id = String(created)
    return call(agent.create(id, texts[created - 1] ?? `Todo ${id}`), id, how)
  }
  for (const _ of [1, 2, 3]) await create({ looks: { before: true, after: false } })
  for (const one of steps) {
    if (one.kind === "create") await create(one)
    else if (one.kind === "update") {
      if (Number(one.todo) <= created) await call(agent.update(one.todo, one.fields), one.todo, one)
    } else if (one.kind === "edit") await change(one.edit)
    else {
      seconds += 1
      await tracker.tellAgent()
    }
    if (one.looks.after) await look()
  }
  // Of two that are added at the same time, the one that is known first comes first.
  return tracker.plan.todos.map(({ id: _, ...todo }) => JSON.stringify(Object.entries(todo).sort())).sort()
}

const texts = ["Read the parser", "Fix the login", "Deploy to production", "Write to Maria", "Measure the speed"]

describe.each(Object.entries(agents))("with %s", (_, agent) => {
  test("looks at any moment leave the plan as it is without them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        expect(await play(agent, steps, true)).toEqual(await play(agent, steps, false))
      }),
      { numRuns: rounds(400) },
    )
  })
})
