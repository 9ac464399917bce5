/** What a person decided outlives the lists an agent goes on sending from memory, in every vocabulary, called or only seen. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import { edits, type Todo } from "../../src/plan/index.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { rounds } from "../rounds.ts"
import { contentsOf, open, patch, person } from "./open.ts"

type Item = { content: string; status: "pending" | "in_progress" | "completed" }

/** The whole list as each agent says it. */
const says: Partial<Record<keyof typeof dialects, [tool: string, input: (items: readonly Item[]) => unknown]>> = {
  "claude-todos": ["TodoWrite", (todos) => ({ todos: todos.map((item) => ({ ...item, activeForm: item.content })) })],
  codex: ["update_plan", (items) => ({ plan: items.map(({ content, status }) => ({ step: content, status })) })],
  gemini: [
    "write_todos",
    (items) => ({ todos: items.map(({ content, ...item }) => ({ description: content, ...item })) }),
  ],
  opencode: ["todowrite", (items) => ({ todos: items.map((item, index) => ({ id: `${index + 1}`, ...item })) })],
  qwen: ["todo_write", (items) => ({ todos: items.map((item, index) => ({ id: `${index + 1}`, ...item })) })],
  headway: ["todo", (todos) => ({ todos, replace: true })],
}

/** They number their todos themselves: a number means the todo that had it, even if it has another text now. */
const numbered: ReadonlySet<string> = new Set(["opencode", "qwen"])

const ways = Object.keys(says).flatMap((id) =>
  [true, false].map((observed) => [id as keyof typeof says, observed] as const),
)

const sending = (tracker: Tracker, id: keyof typeof says, observed: boolean) => {
  const [tool, input] = says[id] ?? ["", () => undefined]
  return (items: readonly Item[]) =>
    tracker.write({ tool, input: input(items), ...(observed ? { observed } : {}) }, dialects[id])
}

const list = (...items: [string, Item["status"]][]): Item[] => items.map(([content, status]) => ({ content, status }))

const todoIn = ({ plan }: Tracker, id: string): Todo | undefined => plan.todos.find((todo) => todo.id === id)

const onTodo = (tracker: Tracker, id: string, edit: (todo: Todo) => ReturnType<typeof edits.remove>) =>
  tracker.edit(person, ({ todos }) => todos.filter((todo) => todo.id === id).flatMap(edit))

describe.each(ways)("with %s, only seen: %s", (id, observed) => {
  test("a person's wording stays, however often the agent repeats its own (N3)", async () => {
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "in_progress"], ["Report", "pending"]))
    await onTodo(tracker, "2", (todo) => edits.reword(todo, "Write the report as PDF"))
    for (const status of ["pending", "in_progress", "completed"] as const) {
      await send(list(["Read", "pending"], ["Report", status]))
      expect(todoIn(tracker, "2")).toMatchObject({ content: "Write the report as PDF", status })
    }
  })

  test("a person's notes stay, though the agent never says any (N3)", async () => {
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "in_progress"], ["Report", "pending"]))
    await onTodo(tracker, "2", (todo) => edits.note(todo, "use the new template"))
    for (const status of ["pending", "completed"] as const) {
      await send(list(["Read", "pending"], ["Report", status]))
      expect(todoIn(tracker, "2")).toMatchObject({ notes: ["use the new template"], status })
    }
  })

  test("what a person reworded and then removed does not come back under its old wording (N3)", async () => {
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "in_progress"], ["Deploy", "pending"]))
    await onTodo(tracker, "2", (todo) => edits.reword(todo, "Deploy to staging only"))
    await onTodo(tracker, "2", edits.remove)
    for (const status of ["pending", "in_progress"] as const) {
      await send(list(["Read", "pending"], ["Deploy", status]))
      expect(contentsOf(tracker)).toEqual(["Read"])
    }
  })

  test.each([true, false])(
    "what a person removed does not come back in place of a todo that reads like it, told: %s (N3)",
    async (isTold) => {
      const tracker = await open()
      const send = sending(tracker, id, observed)
      await send(list(["Deploy to staging", "pending"], ["Deploy to production", "pending"], ["Report", "pending"]))
      await onTodo(tracker, "2", edits.remove)
      if (isTold) await tracker.tellAgent()
      for (const status of ["in_progress", "completed"] as const) {
        await send(list(["Deploy to production", status], ["Report", "pending"]))
        expect(contentsOf(tracker)).not.toContain("Deploy to production")
      }
    },
  )

  test("what a person removed and later added again is the agent's to add again once it is done (N3)", async () => {
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "in_progress"], ["Run the tests", "pending"]))
    await onTodo(tracker, "2", edits.remove)
    await tracker.tellAgent()
    await tracker.edit(person, () => edits.add("Run the tests"))
    await tracker.tellAgent()
    await send(list(["Read", "in_progress"], ["Run the tests", "completed"]))
    await send(list(["Read", "in_progress"]))
    expect(contentsOf(tracker)).toEqual(["Read"])
    await send(list(["Read", "completed"], ["Run the tests", "in_progress"]))
    expect(tracker.plan.todos[1]).toMatchObject({ content: "Run the tests", status: "in_progress" })
  })

  test("a todo that a person blocked stays so while the agent calls it pending, for want of another word (N5)", async () => {
    if (dialects[id].carries.statuses.includes("blocked")) return
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "in_progress"], ["Report", "pending"]))
    await onTodo(tracker, "2", (todo) => edits.block(todo, "no access", "Ada"))
    for (const status of ["in_progress", "completed"] as const) {
      await send(list(["Read", status], ["Report", "pending"]))
      expect(todoIn(tracker, "2")).toMatchObject({ status: "blocked", reason: "no access", waitsFor: "Ada" })
    }
    await send(list(["Read", "completed"], ["Report", "in_progress"]))
    expect(todoIn(tracker, "2")).toEqual(expect.not.objectContaining({ reason: "no access", waitsFor: "Ada" }))
    expect(todoIn(tracker, "2")?.status).toBe("in_progress")
  })

  test("a todo of the agent that only reads like a person's is another one (N3)", async () => {
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "in_progress"], ["Report", "pending"]))
    await tracker.edit(person, () => edits.add("Add tests for login"))
    await tracker.tellAgent()
    for (const status of ["pending", "in_progress"] as const) {
      await send(list(["Read", "pending"], ["Report", "pending"], ["Add tests for logout", status]))
      expect(contentsOf(tracker)).toEqual(expect.arrayContaining(["Add tests for login", "Add tests for logout"]))
      expect(contentsOf(tracker)).toHaveLength(4)
    }
  })

  test("what a person set on a todo of the agent does not pass to one that only reads like it (N3)", async () => {
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Deploy to production", "pending"], ["Add tests for login", "pending"], ["Report", "pending"]))
    await onTodo(tracker, "1", (todo) => edits.block(todo, "release freeze", "Bob"))
    await onTodo(tracker, "2", (todo) => edits.note(todo, "with the new keys"))
    await tracker.edit(person, () => [
      { type: "phase-added", name: "Ship" },
      { type: "todo-changed", id: "3", from: { phase: null }, to: { phase: "Ship" } },
    ])
    await tracker.tellAgent()
    for (const status of ["pending", "in_progress"] as const) {
      await send(list(["Report it", "pending"], ["Deploy to staging", "pending"], ["Add tests for logout", status]))
      const said = Object.fromEntries(tracker.plan.todos.map((todo) => [todo.content, todo]))
      expect(said["Deploy to staging"]).toMatchObject({ status: "pending" })
      expect(said["Add tests for logout"]).not.toHaveProperty("notes")
      expect(said["Report it"]).not.toHaveProperty("phase")
      expect(said["Deploy to production"]).toMatchObject({ status: "blocked", reason: "release freeze" })
      expect(said["Add tests for login"]).toMatchObject({ notes: ["with the new keys"] })
    }
  })

  test("what a person set stays with a todo to which the agent only adds words, or of which it leaves some out (N3)", async () => {
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "in_progress"], ["Fix the login redirect", "pending"], ["Report", "pending"]))
    await onTodo(tracker, "2", (todo) => edits.note(todo, "Ask Maria"))
    await tracker.edit(person, () => edits.add("Tell Ada"))
    await onTodo(tracker, "3", edits.remove)
    for (const [content, status] of [
      ["Fix the login redirect bug", "in_progress"],
      ["Fix the redirect bug", "completed"],
    ] as const) {
      await send(list(["Read", "completed"], [content, status], ["Report", "pending"]))
      expect(contentsOf(tracker)).toEqual(["Read", content, "Tell Ada"])
      expect(todoIn(tracker, "2")).toMatchObject({ content, status, notes: ["Ask Maria"] })
    }
  })

  test.each([
    ["names something else", ["Deploy to staging"], []],
    ["has another todo as well", ["Deploy to production now", "Announce it"], []],
    ["has it at another place", [], ["Deploy to production now"]],
    ["has it besides the first", ["Deploy to production", "Deploy to production now"], []],
  ])("what a person set does not pass to a similar todo of a list that %s (N3)", async (_, before, after) => {
    if (numbered.has(id)) return
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "pending"], ["Deploy to production", "pending"], ["Report", "pending"]))
    await onTodo(tracker, "2", (todo) => edits.note(todo, "Ask Maria"))
    const contents = ["Read", ...before, "Report", ...after]
    await send(contents.map((content) => ({ content, status: "pending" })))
    const noted = tracker.plan.todos.filter(({ notes }) => notes !== undefined)
    expect(noted).toMatchObject([{ id: "2", content: "Deploy to production" }])
    expect(contentsOf(tracker)).toEqual(expect.arrayContaining(contents))
  })

  test("a person's todo keeps its words and stays when the agent repeats it a little differently and then leaves it out (N3)", async () => {
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "in_progress"]))
    await tracker.edit(person, () => edits.add("Ask Ada for a review"))
    await tracker.tellAgent()
    await send(list(["Read", "pending"], ["ask Ada for a review.", "in_progress"]))
    expect(tracker.plan.todos[1]).toMatchObject({ content: "Ask Ada for a review", status: "in_progress" })
    await send(list(["Read", "in_progress"]))
    expect(contentsOf(tracker)).toEqual(["Read", "Ask Ada for a review"])
  })

  test("a person's todo that the agent has in its list by its text follows the list before the agent is told of it", async () => {
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "in_progress"]))
    await tracker.edit(person, () => edits.add("Update the changelog"))
    await send(list(["Read", "completed"], ["Update the changelog", "in_progress"]))
    expect(todoIn(tracker, "2")).toMatchObject({ content: "Update the changelog", status: "in_progress" })
  })

  test("a person's note stays with those of the agent (N3)", async () => {
    if (dialects[id].carries.fields.includes("notes")) return
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "in_progress"], ["Report", "pending"]))
    await onTodo(tracker, "2", (todo) => edits.note(todo, "of the person"))
    await patch(tracker, [{ id: "2", notes: ["of the agent"] }])
    await send(list(["Read", "pending"], ["Report", "in_progress"]))
    expect(todoIn(tracker, "2")?.notes).toEqual(["of the person", "of the agent"])
  })

  test("what a person removed again after bringing it back stays removed (N3)", async () => {
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "in_progress"], ["Deploy", "pending"]))
    await onTodo(tracker, "2", edits.remove)
    await tracker.undo(person)
    const { entry } = (await tracker.entries()).map(({ id: entry, undoes }) => ({ entry, undoes })).at(-1) ?? {}
    await tracker.undo(person, entry)
    expect(contentsOf(tracker)).toEqual(["Read"])
    await tracker.tellAgent()
    await send(list(["Read", "pending"], ["Deploy", "in_progress"]))
    expect(contentsOf(tracker)).toEqual(["Read"])
  })

  test("a person's phase stays with its todo", async () => {
    const tracker = await open()
    const send = sending(tracker, id, observed)
    await send(list(["Read", "in_progress"], ["Report", "pending"]))
    await tracker.edit(person, () => [
      { type: "phase-added", name: "Ship" },
      { type: "todo-changed", id: "2", from: { phase: null }, to: { phase: "Ship" } },
    ])
    for (const status of ["pending", "completed"] as const) {
      await send(list(["Read", "pending"], ["Report", status]))
      expect(tracker.plan.phases).toEqual(["Ship"])
      expect(todoIn(tracker, "2")).toMatchObject({ phase: "Ship", status })
    }
  })
})

test.each(["reason", "waitsFor"] as const)(
  "a todo stays blocked until the agent was told of the %s that a person gave last (N3, N5)",
  async (field) => {
    const tracker = await open()
    await patch(tracker, [{ content: "Deploy" }, { content: "Report" }])
    await onTodo(tracker, "1", (todo) => edits.block(todo, "no key", "Ada"))
    await tracker.tellAgent()
    await onTodo(tracker, "1", (todo) =>
      field === "reason" ? edits.block(todo, "the key is lost") : edits.block(todo, undefined, "Bob"),
    )
    const before = todoIn(tracker, "1")
    await patch(tracker, [{ id: "1", status: "in_progress", notes: ["trying again"] }])
    expect(todoIn(tracker, "1")).toMatchObject({ ...before, notes: ["trying again"] })
    await patch(tracker, [{ id: "1", status: "in_progress" }])
    expect(todoIn(tracker, "1")).toMatchObject({ status: "in_progress" })
    expect(todoIn(tracker, "1")?.[field]).toBeUndefined()
  },
)

test("notes that an agent gives by id are added to those of a person, which stay the person's (N3)", async () => {
  const tracker = await open()
  const send = sending(tracker, "claude-todos", false)
  await send(list(["Read", "in_progress"], ["Deploy", "pending"]))
  await onTodo(tracker, "2", (todo) => edits.note(todo, "only with key 7"))
  await tracker.tellAgent()
  await patch(tracker, [{ id: "2", notes: ["key 7 is in the vault"] }])
  await patch(tracker, [{ id: "2", notes: ["key 7 is in the vault", "the vault is open"] }])
  const notes = ["only with key 7", "key 7 is in the vault", "the vault is open"]
  expect(todoIn(tracker, "2")).toMatchObject({ notes })
  await send(list(["Read", "in_progress"]))
  expect(todoIn(tracker, "2")).toMatchObject({ content: "Deploy", notes })
})

test("a todo of the agent that a person blocked and unblocked goes with a list that leaves it out", async () => {
  const tracker = await open()
  const send = sending(tracker, "codex", true)
  await send(list(["Read", "pending"], ["Report", "pending"]))
  await onTodo(tracker, "2", (todo) => edits.block(todo, "no access"))
  await onTodo(tracker, "2", edits.reopen)
  await tracker.tellAgent()
  await send(list(["Read", "in_progress"]))
  expect(contentsOf(tracker)).toEqual(["Read"])
})

test("what a person did and took back leaves the todos to the agent: a list without them removes them", async () => {
  const tracker = await open()
  const send = sending(tracker, "codex", true)
  await send(list(["Read", "pending"], ["Report", "pending"], ["Deploy", "pending"]))
  await onTodo(tracker, "3", edits.remove)
  await tracker.undo(person)
  await onTodo(tracker, "2", (todo) => edits.reword(todo, "Report as PDF"))
  await tracker.undo(person)
  await tracker.clear(person)
  await tracker.undo(person)
  await tracker.tellAgent()
  expect(contentsOf(tracker)).toEqual(["Read", "Report", "Deploy"])
  await send(list(["Publish", "pending"]))
  expect(contentsOf(tracker)).toEqual(["Publish"])
})

test("a todo of an agent that the person brought back is the person's", async () => {
  const tracker = await open()
  const send = sending(tracker, "codex", true)
  await send(list(["Read", "pending"], ["Report", "pending"]))
  await send(list(["Read", "pending"]))
  const removal = (await tracker.entries()).findLast(({ events }) => events.some(({ type }) => type === "todo-removed"))
  await tracker.undo(person, removal?.id)
  await tracker.tellAgent()
  await send(list(["Read", "in_progress"]))
  expect(contentsOf(tracker)).toEqual(["Read", "Report"])
})

test("more changes than a notice has room for are told one part after the other, and none is undone before it was told (O15)", async () => {
  const tracker = await open()
  const send = sending(tracker, "codex", true)
  const all = Array.from({ length: 16 }, (_, index): [string, Item["status"]] => [`Part ${index + 1}`, "pending"])
  await send(list(...all))
  for (const { id } of tracker.plan.todos) await onTodo(tracker, id, edits.done)
  const { notice } = await send(list(...all))
  expect(notice).toContain('"Part 12"')
  expect(notice).not.toContain("more changes")
  expect(tracker.plan.todos.map(({ status }) => status)).toEqual(Array(16).fill("completed"))
  const next = await send(list(...all))
  expect(next.notice).toContain('"Part 16"')
  expect(tracker.plan.todos.slice(12).map(({ status }) => status)).toEqual(Array(4).fill("completed"))
})

type Step = {
  edit: "remove" | "add" | "note" | "reword" | "none"
  at: number
  /** What the agent does with its own list. */
  lists: "the same" | "one less" | "another"
  sends: boolean
  isTold: boolean
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    edit: fc.constantFrom("remove", "add", "note", "reword", "none"),
    at: fc.nat(7),
    lists: fc.constantFrom("the same", "the same", "one less", "another"),
    sends: fc.boolean(),
    isTold: fc.boolean(),
  }),
  { maxLength: 8 },
)

/** Lists whose todos differ, and lists whose todos read alike. */
const texts: fc.Arbitrary<string[]> = fc.constantFrom(
  ["login form", "cart total", "search index", "release notes", "rate limiter"].map((name) => `Fix the ${name}`),
  ["Add tests for login", "Add tests for logout", "Deploy to staging", "Deploy to production", "Report"],
)

test("whatever a person does between an agent's lists stands (N3)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ways), texts, steps, async ([id, observed], contents, all) => {
      const tracker = await open()
      const send = sending(tracker, id, observed)
      const items = contents.slice(1).map((content): Item => ({ content, status: "pending" }))
      await send(items)
      const gone = new Set<string>()
      const wordings = new Map<string, string>()
      const notes = new Map<string, string[]>()
      const noted = new Map<string, string>()
      const added = new Set<string>()
      for (const [round, { edit, at, lists, sends, isTold }] of all.entries()) {
        const { todos } = tracker.plan
        const todo = todos[at % Math.max(1, todos.length)]
        if (edit === "add") {
          await tracker.edit(person, () => edits.add(`Ask ${round}`))
          added.add(`Ask ${round}`)
        } else if (todo && edit === "remove") {
          await onTodo(tracker, todo.id, edits.remove)
          for (const text of [todo.content, wordings.get(todo.id) ?? todo.content]) gone.add(text)
          added.delete(todo.content)
          notes.delete(todo.id)
        } else if (todo && edit === "note") {
          await onTodo(tracker, todo.id, (one) => edits.note(one, `note ${round}`))
          notes.set(todo.id, [...(notes.get(todo.id) ?? []), `note ${round}`])
          noted.set(todo.id, todo.content)
        } else if (todo && edit === "reword" && !added.has(todo.content)) {
          await onTodo(tracker, todo.id, (one) => edits.reword(one, `${one.content} ${round}`))
          if (!wordings.has(todo.id)) wordings.set(todo.id, todo.content)
          noted.delete(todo.id)
        }
        if (lists === "one less" && items.length > 1) items.splice(at % items.length, 1)
        const other = contents.find((content) => items.every((one) => one.content !== content))
        if (lists === "another" && other !== undefined) items.push({ content: other, status: "pending" })
        const item = items[at % items.length]
        if (item) item.status = item.status === "pending" ? "in_progress" : "completed"
        if (sends) await send(items)
        if (isTold) await tracker.tellAgent()
        // What the agent has finished and left out itself may be listed again.
        for (const name of wordings.keys())
          if (tracker.ledger.removed.get(name)?.by.kind === "agent") wordings.delete(name)
        const texts = contentsOf(tracker)
        expect(texts).not.toContain("")
        expect(texts.filter((text) => gone.has(text))).toEqual([])
        expect(texts.filter((text) => [...wordings.values()].includes(text))).toEqual([])
        expect(texts).toEqual(expect.arrayContaining([...added]))
        expect(new Set(texts).size).toBe(texts.length)
        for (const [name, own] of notes) {
          const found = todoIn(tracker, name)
          if (found) expect(found.notes).toEqual(expect.arrayContaining(own))
          if (found && !numbered.has(id)) expect(found.content).toBe(noted.get(name) ?? found.content)
        }
      }
    }),
    { numRuns: rounds(300) },
  )
})

describe("an agent that only reads its list", () => {
  const tasks = dialects["claude-tasks"]
  const observe = (tracker: Tracker, tool: string, input: unknown, result: unknown) =>
    tracker.write({ tool, input, result, observed: true }, tasks)
  const native = ["Add cart", "Write docs", "Deploy"].map((subject, index) => ({ id: String(index + 1), subject }))

  const withTasks = async (): Promise<Tracker> => {
    const tracker = await open()
    for (const task of native) await observe(tracker, "TaskCreate", { subject: task.subject }, { task })
    return tracker
  }

  test("and finds it empty leaves the todos a person added", async () => {
    const tracker = await open()
    await tracker.edit(person, () => [...edits.add("Ask Ada"), ...edits.add("Update the changelog")])
    await tracker.tellAgent()
    await observe(tracker, "TaskList", {}, { tasks: [] })
    expect(contentsOf(tracker)).toEqual(["Ask Ada", "Update the changelog"])
  })

  test("and finds it empty takes away its own", async () => {
    const tracker = await withTasks()
    await tracker.edit(person, () => edits.add("Ask Ada"))
    await tracker.tellAgent()
    await observe(tracker, "TaskList", {}, { tasks: [] })
    expect(contentsOf(tracker)).toEqual(["Ask Ada"])
  })

  test.each(["TaskList", "TaskGet"])(
    "with %s brings nothing back and takes back no status a person set",
    async (tool) => {
      const tracker = await withTasks()
      await onTodo(tracker, "1", (todo) => edits.done(todo))
      await onTodo(tracker, "2", (todo) => edits.block(todo, "no access", "Ada"))
      await onTodo(tracker, "3", edits.remove)
      await tracker.tellAgent()
      const before = tracker.plan.todos
      const found = native.map((task) => ({ ...task, status: "pending" }))
      if (tool === "TaskList") await observe(tracker, tool, {}, { tasks: found })
      else for (const task of found) await observe(tracker, tool, { taskId: task.id }, { task })
      expect(tracker.plan.todos).toEqual(before)
    },
  )

  test("or changes a task made elsewhere does not mean a person's todo with that number", async () => {
    const tracker = await withTasks()
    await tracker.edit(person, () => edits.add("Ask Ada before deploying"))
    await tracker.tellAgent()
    await observe(tracker, "TaskUpdate", { taskId: "4", status: "completed" }, { success: true, taskId: "4" })
    expect(todoIn(tracker, "4")).toMatchObject({ content: "Ask Ada before deploying", status: "pending" })
  })

  describe("and continues a task that the person removed", () => {
    /** After the person's own todo each task has another number here than in the agent's tool. */
    const withRemoved = async (): Promise<Tracker> => {
      const tracker = await open()
      await tracker.edit(person, () => edits.add("Ask Ada"))
      for (const task of native) await observe(tracker, "TaskCreate", { subject: task.subject }, { task })
      await tracker.edit(person, ({ todos }) =>
        todos.filter(({ content }) => content === "Deploy").flatMap(edits.remove),
      )
      await tracker.tellAgent()
      return tracker
    }

    test.each(["completed", "deleted"])("changes no other one with its number: %s", async (status) => {
      const tracker = await withRemoved()
      const before = tracker.plan.todos
      await observe(tracker, "TaskUpdate", { taskId: "3", status }, { success: true, taskId: "3" })
      expect(tracker.plan.todos).toEqual(before)
      expect(tracker.ledger.refused.size).toBe(status === "deleted" ? 0 : 1)
    })

    test("does not bring it back in other words", async () => {
      const tracker = await withRemoved()
      const before = tracker.plan.todos
      await observe(tracker, "TaskGet", { taskId: "3" }, { task: { ...native[2], subject: "Roll out the docs" } })
      expect(tracker.plan.todos).toEqual(before)
    })
  })

  test("takes a person's todo over where it creates a task with its text", async () => {
    const tracker = await open()
    await tracker.edit(person, () => edits.add("Ask Ada"))
    await tracker.tellAgent()
    await observe(
      tracker,
      "TaskCreate",
      { subject: "Ask Ada", description: "by mail" },
      { task: { id: "7", subject: "Ask Ada" } },
    )
    expect(tracker.plan.todos).toMatchObject([{ id: "1", content: "Ask Ada", description: "by mail" }])
    await observe(tracker, "TaskUpdate", { taskId: "7", status: "completed" }, { success: true, taskId: "7" })
    expect(tracker.plan.todos).toMatchObject([{ id: "1", status: "completed" }])
    const tracked = await open()
    await tracked.edit(person, () => edits.add("Ask Ada"))
    await tracked.tellAgent()
    const create = { tool: "tracker_create_task", input: { title: "Ask Ada", description: "", type: "task" } }
    await tracked.write({ ...create, result: "Created task abc123", observed: true }, dialects["gemini-tracker"])
    expect(tracked.plan.todos).toHaveLength(1)
  })

  test("takes it over before it is told of it", async () => {
    const tracker = await open()
    await tracker.edit(person, () => edits.add("Ask Ada"))
    await observe(tracker, "TaskCreate", { subject: "Ask Ada" }, { task: { id: "7", subject: "Ask Ada" } })
    await observe(tracker, "TaskUpdate", { taskId: "7", status: "completed" }, { success: true, taskId: "7" })
    expect(tracker.plan.todos).toMatchObject([{ id: "1", content: "Ask Ada", status: "completed" }])
  })

  test("makes up for a change it missed", async () => {
    const tracker = await withTasks()
    await onTodo(tracker, "3", edits.remove)
    await tracker.tellAgent()
    await observe(tracker, "TaskList", {}, { tasks: [{ ...native[0], status: "completed" }] })
    expect(tracker.plan.todos.map(({ status }) => status)).toEqual(["completed", "pending"])
  })
})

describe("a list that is mirrored from a session", () => {
  const mirrored = (tracker: Tracker, ...todos: Todo[]) =>
    tracker.mirror({ todos, phases: [], callId: `call-${todos.length}-${todos.map(({ status }) => status).join()}` })

  const withPlan = async (): Promise<Tracker> => {
    const tracker = await open()
    await mirrored(
      tracker,
      { id: "1", content: "Read", status: "pending" },
      { id: "2", content: "Report", status: "pending" },
    )
    return tracker
  }

  test("has numbers of its own: they mean no todo that a person added here", async () => {
    const tracker = await withPlan()
    await tracker.edit(person, () => edits.add("Ask Ada about the deployment"))
    await tracker.tellAgent()
    await mirrored(
      tracker,
      { id: "1", content: "Read", status: "completed" },
      { id: "2", content: "Report", status: "pending", blockedBy: ["3"] },
      { id: "3", content: "Run deployment", status: "pending" },
    )
    expect(contentsOf(tracker)).toEqual(expect.arrayContaining(["Ask Ada about the deployment", "Run deployment"]))
    const run = tracker.plan.todos.find(({ content }) => content === "Run deployment")
    expect(todoIn(tracker, "2")?.blockedBy).toEqual([run?.id])
  })

  test("finishes a person's todo that it has by its text, though the agent is never told of it", async () => {
    const tracker = await withPlan()
    await tracker.edit(person, () => edits.add("Update the changelog"))
    const read: Todo = { id: "1", content: "Read", status: "completed" }
    for (const status of ["pending", "in_progress", "completed"] as const)
      await mirrored(tracker, read, { id: "2", content: "Update the changelog", status })
    expect(todoIn(tracker, "3")).toMatchObject({ content: "Update the changelog", status: "completed" })
    await mirrored(tracker, { id: "4", content: "Publish", status: "pending" })
    expect(contentsOf(tracker)).toEqual(["Publish"])
  })

  test("takes back nothing that a person set on their todo after they had added it", async () => {
    const tracker = await withPlan()
    await tracker.edit(person, () => edits.add("Update the changelog"))
    const read: Todo = { id: "1", content: "Read", status: "completed" }
    await mirrored(tracker, read, { id: "2", content: "Update the changelog", status: "in_progress" })
    await onTodo(tracker, "3", (todo) => edits.block(todo, "no access"))
    await mirrored(tracker, read, { id: "2", content: "Update the changelog", status: "completed" })
    expect(todoIn(tracker, "3")).toMatchObject({ status: "blocked", reason: "no access" })
  })

  test("takes back no blocked of a person for want of another word", async () => {
    const tracker = await withPlan()
    await onTodo(tracker, "2", (todo) => edits.block(todo, "no access"))
    await tracker.tellAgent()
    await mirrored(
      tracker,
      { id: "1", content: "Read", status: "completed" },
      { id: "2", content: "Report", status: "pending" },
    )
    expect(todoIn(tracker, "2")).toMatchObject({ status: "blocked", reason: "no access" })
  })
})

describe("a list with phases", () => {
  const says = (tracker: Tracker) => {
    const phases = [
      {
        name: "Build",
        tasks: [
          { content: "Write it", status: "pending" },
          { content: "Test it", status: "pending" },
        ],
      },
    ]
    return tracker.write({ tool: "todo", input: { op: "replace", phases }, observed: true }, dialects["oh-my-pi"])
  }
  const replaces = (tracker: Tracker, status: string) =>
    tracker.write(
      {
        tool: "todo",
        input: {
          replace: true,
          todos: ["Write it", "Test it"].map((content) => ({ content, status, phase: "Build" })),
        },
      },
      dialects.headway,
    )

  test.each([
    ["oh-my-pi", says],
    ["headway", (tracker: Tracker) => replaces(tracker, "in_progress")],
  ])("of %s does not take a todo out of the phase that a person moved it to", async (_, send) => {
    const tracker = await open()
    await replaces(tracker, "pending")
    await tracker.edit(person, () => [
      { type: "phase-added", name: "Ship" },
      { type: "todo-changed", id: "2", from: { phase: "Build" }, to: { phase: "Ship" } },
    ])
    await tracker.tellAgent()
    await send(tracker)
    expect(todoIn(tracker, "2")?.phase).toBe("Ship")
    expect(tracker.plan.phases).toEqual(["Build", "Ship"])
  })
})

describe("a list with ids of the agent's own", () => {
  const says = (tracker: Tracker, merge: boolean, ...todos: unknown[]) =>
    tracker.write({ tool: "todo_write", input: { merge, todos }, observed: true }, dialects.cursor)

  const withPersons = async (): Promise<Tracker> => {
    const tracker = await open()
    await tracker.edit(person, () => edits.add("Ask Ada"))
    await tracker.tellAgent()
    const items = ["Read", "Write", "Deploy"].map((content, index) => ({ id: String(index + 1), content }))
    await says(tracker, true, ...items.map((item) => ({ ...item, status: "pending" })))
    return tracker
  }

  test("means no other todo by the id of one that a person removed", async () => {
    const tracker = await withPersons()
    await tracker.edit(person, ({ todos }) => todos.filter(({ content }) => content === "Deploy").flatMap(edits.remove))
    await tracker.tellAgent()
    const before = tracker.plan.todos
    await says(tracker, true, { id: "3", status: "completed" })
    expect(tracker.plan.todos).toEqual(before)
  })

  test("means no todo of a person by a number", async () => {
    const tracker = await open()
    await tracker.edit(person, () => edits.add("Ask Ada"))
    await tracker.tellAgent()
    await says(tracker, true, { id: "1", status: "completed" })
    expect(tracker.plan.todos).toMatchObject([{ content: "Ask Ada", status: "pending" }])
  })
})

describe("Copilot's table", () => {
  const sql = (tracker: Tracker, query: string) =>
    tracker.write({ tool: "sql", input: { query }, observed: true }, dialects.copilot)
  const rows = "INSERT INTO todos (id, title, status) VALUES ('t1', 'Read', 'done'), ('t2', 'Deploy', 'in_progress')"

  const withRows = async (): Promise<Tracker> => {
    const tracker = await open()
    await sql(tracker, rows)
    return tracker
  }

  test("written anew does not bring back what a person removed", async () => {
    const tracker = await withRows()
    await onTodo(tracker, "2", edits.remove)
    await tracker.tellAgent()
    await sql(tracker, `DELETE FROM todos; ${rows}`)
    expect(contentsOf(tracker)).toEqual(["Read"])
  })

  test.each(["WHERE 1 = 1", "WHERE status IS NOT NULL"])(
    "emptied with %s and written anew does not bring it back either",
    async (condition) => {
      const tracker = await withRows()
      await onTodo(tracker, "2", edits.remove)
      await tracker.tellAgent()
      await sql(tracker, `DELETE FROM todos ${condition}; ${rows}`)
      expect(contentsOf(tracker)).toEqual(["Read"])
    },
  )

  test("knows a todo by its own title, which a person has reworded here", async () => {
    const tracker = await withRows()
    await onTodo(tracker, "2", (todo) => edits.reword(todo, "Deploy to staging"))
    await tracker.tellAgent()
    await sql(tracker, "UPDATE todos SET status = 'done' WHERE title = 'Deploy'")
    expect(todoIn(tracker, "2")).toMatchObject({ content: "Deploy to staging", status: "completed" })
  })

  test("has numbers of its own: they mean no todo that a person added", async () => {
    const tracker = await open()
    await tracker.edit(person, () => edits.add("Ask Ada"))
    await tracker.tellAgent()
    await sql(tracker, "INSERT INTO todos (id, title) VALUES ('1', 'Read'), ('2', 'Deploy')")
    await sql(tracker, "INSERT INTO todo_deps (todo_id, depends_on) VALUES ('2', '1')")
    await sql(tracker, "UPDATE todos SET status = 'done' WHERE id = '1'")
    expect(tracker.plan.todos.map(({ content, status }) => `${content} ${status}`)).toEqual([
      "Ask Ada pending",
      "Read completed",
      "Deploy pending",
    ])
    expect(todoIn(tracker, "3")?.blockedBy).toEqual(["2"])
  })

  test("leaves a todo waiting for one that a person added, whatever number a row has", async () => {
    const tracker = await open()
    await tracker.edit(person, () => edits.add("Ask Ada"))
    await tracker.tellAgent()
    await sql(tracker, "INSERT INTO todos (id, title) VALUES ('1', 'Read'), ('2', 'Deploy')")
    await tracker.edit(person, () => [
      { type: "todo-changed", id: "3", from: { blockedBy: null }, to: { blockedBy: ["1"] } },
    ])
    await tracker.tellAgent()
    await sql(tracker, "DELETE FROM todo_deps; UPDATE todos SET status = 'done' WHERE id = '1'")
    expect(todoIn(tracker, "3")?.blockedBy).toEqual(["1"])
  })

  test("has no row for what a person added: the agent takes it over with a row of the same title", async () => {
    const tracker = await withRows()
    await tracker.edit(person, () => edits.add("Ask Ada"))
    await tracker.tellAgent()
    for (const status of ["pending", "in_progress"])
      await sql(tracker, `UPDATE todos SET status = '${status}' WHERE id = 't2'`)
    await sql(tracker, "UPDATE todos SET status = 'done' WHERE status != 'done'")
    expect(tracker.plan.todos.map(({ status }) => status)).toEqual(["completed", "completed", "pending"])
    await sql(tracker, "INSERT INTO todos (id, title) VALUES ('t3', 'ask Ada')")
    await sql(tracker, "UPDATE todos SET status = 'done' WHERE id = 't3'")
    expect(tracker.plan.todos).toHaveLength(3)
    expect(todoIn(tracker, "3")).toMatchObject({ content: "Ask Ada", status: "completed" })
  })
})
