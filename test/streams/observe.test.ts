import { describe, expect, test, vi } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import { createObserver, type Observer, type Signal } from "../../src/streams/index.ts"
import { createScanObserver, type ScanObserver } from "../../src/streams/observe.ts"
import { observeBytes } from "../contracts/stream.ts"
import { fixture } from "./damage.ts"

const todos = (...texts: string[]) => ({ todos: texts.map((content) => ({ content, status: "pending" })) })

const call = (
  callId: string,
  input: unknown,
  about: { agent?: string; tool?: string; dialect?: string } = {},
): Signal => {
  const { agent = "main", tool = "TodoWrite", dialect = "claude-todos" } = about
  return { type: "call", agent, dialect, call: { tool, input, callId, observed: true } }
}
const task = (callId: string, tool: string, input: unknown): Signal =>
  call(callId, input, { tool, dialect: "claude-tasks" })
const result = (callId: string, ok = true, data?: unknown): Signal => ({
  type: "result",
  callId,
  ok,
  ...(data === undefined ? {} : { result: data }),
})
const snapshot = (input: unknown): Signal => ({
  type: "snapshot",
  agent: "main",
  dialect: "claude-todos",
  call: { tool: "TodoWrite", input, observed: true },
})

const observe = (...signals: Signal[]): Observer => {
  const observer = createObserver()
  for (const signal of signals) observer.take(signal)
  return observer
}
const textsOf = (observer: Observer, agent = "main"): string[] | undefined =>
  observer.agents.get(agent)?.plan?.todos.map(({ content }) => content)

describe("a list", () => {
  test("shows with its call; a result with an error takes it back (client row 1)", () => {
    const observer = createObserver()
    expect(observer.take(call("1", todos("a")))).toHaveLength(1)
    expect(observer.take(result("1"))).toEqual([])
    expect(observer.take(call("2", todos("b")))).toHaveLength(1)
    expect(textsOf(observer)).toEqual(["b"])
    expect(observer.take(result("2", false))).toHaveLength(1)
    expect(textsOf(observer)).toEqual(["a"])
  })

  test("C28 that its agent accepted but cannot be read is empty, not the one before it", () => {
    const observer = observe(call("1", todos("a")), result("1"), call("2", { todos: 42 }))
    expect(textsOf(observer)).toEqual(["a"])
    expect(observer.take(result("2"))).toHaveLength(1)
    expect(textsOf(observer)).toEqual([])
    expect(textsOf(observe(call("1", todos("a")), result("1"), call("2", { todos: 42 }), result("2", false)))).toEqual([
      "a",
    ])
  })

  test("A4 whose items are all skipped changes nothing", () => {
    const strange = {
      todos: [
        { content: "b", status: "halfway" },
        { content: "", status: "pending" },
      ],
    }
    expect(textsOf(observe(call("1", todos("a")), result("1"), call("2", strange), result("2")))).toEqual(["a"])
  })

  test("that was the first is none again when it is taken back", () => {
    const observer = observe(call("1", todos("a")), result("1", false))
    expect(observer.agents.get("main")).toMatchObject({ plan: undefined, listCount: 0 })
  })

  test("follows from its calls, in any order of their results (client row 1)", () => {
    const calls = [call("1", todos("a")), call("2", todos("a", "b")), call("3", todos("c"))]
    const results = [result("1"), result("2"), result("3", false)]
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]
    for (const order of orders) {
      const answers = order.flatMap((index) => results[index] ?? [])
      expect(textsOf(observe(...calls, ...answers))).toEqual(["a", "b"])
    }
  })

  test("of tasks gets its ids from the results; later calls then find them (client row 2)", () => {
    const observer = observe(
      task("1", "TaskCreate", { subject: "a", description: "" }),
      task("2", "TaskCreate", { subject: "b", description: "" }),
      result("2", true, { task: { id: "8" } }),
      result("1", true, { task: { id: "7" } }),
      task("3", "TaskUpdate", { taskId: "7", status: "completed" }),
      result("3", true, { success: true }),
    )
    expect(observer.agents.get("main")?.plan?.todos).toMatchObject([
      { content: "a", status: "completed", extra: { nativeId: "7" } },
      { content: "b", status: "pending", extra: { nativeId: "8" } },
    ])
  })

  test("counts a repeated call once", () => {
    const one = task("1", "TaskCreate", { subject: "a", description: "" })
    expect(textsOf(observe(one, one, result("1", true, { task: { id: "1" } }), one))).toEqual(["a"])
  })

  test("loses what a rewind takes back, answered or not", () => {
    const observer = observe(
      call("1", todos("a")),
      result("1"),
      call("2", todos("b")),
      result("2"),
      call("3", todos("c")),
    )
    expect(observer.take({ type: "rewound", callIds: ["2", "3", "unknown"] })).not.toEqual([])
    expect(textsOf(observer)).toEqual(["a"])
    expect(observer.take(result("3"))).toEqual([])
    expect(textsOf(observer)).toEqual(["a"])
  })

  test("is emptied by an empty one (A5)", () => {
    expect(textsOf(observe(call("1", todos("a")), call("2", { todos: [] })))).toEqual([])
  })

  test("keeps its todos' ids when texts stay or move (client row 4)", () => {
    const observer = observe(call("1", todos("Read the notes", "Run the tests")))
    const ids = new Map(observer.agents.get("main")?.plan?.todos.map(({ content, id }) => [content, id]))
    observer.take(call("2", todos("Run the tests", "Read the notes", "Report")))
    const now = new Map(observer.agents.get("main")?.plan?.todos.map(({ content, id }) => [content, id]))
    for (const [content, id] of ids) expect(now.get(content)).toBe(id)
    observer.take(call("3", todos("Run the tests twice", "Read the notes", "Report")))
    expect(observer.agents.get("main")?.plan?.todos[0]?.id).toBe(ids.get("Run the tests"))
  })

  test("of one agent is separate from that of another (C10, client row 5)", () => {
    const observer = observe(call("1", todos("a")), call("2", todos("b"), { agent: "child" }))
    expect([textsOf(observer), textsOf(observer, "child")]).toEqual([["a"], ["b"]])
  })

  test("is right even after more calls than are remembered", () => {
    const observer = createObserver()
    for (let count = 0; count < 1000; count += 1) {
      observer.take(task(`${count}`, "TaskCreate", { subject: `todo ${count}`, description: "" }))
      observer.take(result(`${count}`, count % 2 === 0, { task: { id: `${count}` } }))
    }
    expect(textsOf(observer)).toEqual(Array.from({ length: 500 }, (_, index) => `todo ${2 * index}`))
  })
})

describe("the life of a list", () => {
  const livesOf = (...signals: Signal[]): (number | undefined)[] => {
    const observer = createObserver()
    return signals.map((signal) => {
      observer.take(signal)
      return observer.agents.get("main")?.listCount
    })
  }

  test("continues while a todo is left, and ends when it is emptied or all are gone", () => {
    const lists = [todos("a"), todos("a", "b"), todos("b"), todos(), todos("c"), todos("x y z")]
    expect(livesOf(...lists.map((input, index) => call(`${index}`, input)))).toEqual([1, 1, 1, 1, 2, 3])
  })

  test("begins with its first todo", () => {
    expect(livesOf(snapshot(todos()), snapshot(todos("a")))).toEqual([0, 1])
  })

  test("is restored when a call is taken back", () => {
    expect(livesOf(call("1", todos("a")), call("2", todos("x y z")), result("2", false))).toEqual([1, 2, 1])
  })
})

describe("problems (A4)", () => {
  const odd = { todos: [...todos("a").todos, { content: "b", status: "purple" }, { content: "", status: "pending" }] }

  test("items without text or with an unknown status are skipped, the rest is kept", () => {
    const observer = observe(call("1", odd), result("1"))
    expect(textsOf(observer)).toEqual(["a"])
    expect(observer.problems.get("unknown-status")).toMatchObject({ count: 1, problem: { severity: "warning" } })
  })

  test("when all are skipped the list stays as it was", () => {
    const observer = observe(call("1", todos("a")))
    expect(observer.take(call("2", { todos: [{ content: "b", status: "purple" }] }))).toEqual([])
    expect(textsOf(observer)).toEqual(["a"])
  })

  test("a call is counted once it has a result, however often it is applied; a refused one is not", () => {
    const observer = observe(call("0", todos("z")), call("1", odd), call("2", odd), call("3", odd))
    expect(observer.problems.size).toBe(0)
    for (const signal of [result("3"), result("1"), result("0", false), result("2", false)]) observer.take(signal)
    expect(observer.problems.get("unknown-status")?.count).toBe(2)
    observer.end()
    expect(observer.problems.get("unknown-status")?.count).toBe(2)
  })

  test("a call that never gets a result is counted at the end", () => {
    const observer = observe(call("1", odd))
    observer.end()
    expect(observer.problems.get("unknown-status")?.count).toBe(1)
  })

  test("a repeated call counts once; another one with the same id counts too", () => {
    const signals = [call("0", todos("a")), result("0"), call("0", todos("b")), result("0")]
    expect(textsOf(observe(...signals))).toEqual(["b"])
    expect(textsOf(observe(...signals, call("0", todos("a"))))).toEqual(["a"])
    expect(textsOf(observe(...signals, call("0", todos("c")), result("0", false)))).toEqual(["b"])
    const twice = observe(task("1", "TaskCreate", { subject: "x" }), task("1", "TaskCreate", { subject: "x" }))
    expect(textsOf(twice)).toEqual(["x"])
  })

  test("a rewind takes back the last calls of an id, one for each time it is named", () => {
    const signals = [call("0", todos("a")), call("0", todos("b")), call("0", todos("c"))]
    expect(textsOf(observe(...signals, { type: "rewound", callIds: ["0"] }))).toEqual(["b"])
    expect(textsOf(observe(...signals, { type: "rewound", callIds: ["0", "0"] }))).toEqual(["a"])
  })

  test("an observer that continues from a snapshot knows the calls of an id", () => {
    const before = createScanObserver()
    for (const signal of [call("0", todos("a")), result("0"), call("0", todos("b")), result("0")]) before.take(signal)
    const after = createScanObserver({ from: before.snapshot() })
    after.take(call("0", todos("b")))
    expect(after.agents()[0]?.listCount).toBe(before.agents()[0]?.listCount)
    after.take(call("0", todos("a")))
    expect(after.agents()[0]?.plan?.todos.map(({ content }) => content)).toEqual(["a"])
  })

  test("an unknown dialect and a result without a call are ignored", () => {
    expect(textsOf(observe(call("1", todos("a"), { dialect: "none" }), result("9")))).toBeUndefined()
  })
})

describe("genuine recordings", () => {
  test("two assistant events of one message count once", () => {
    const lines = fixture("claude-2.1.197/tasks/stdout.jsonl").split("\n").filter(Boolean)
    const twice = lines.flatMap((line) => (line.includes('"assistant"') ? [line, line] : [line]))
    const observer = observeBytes(Buffer.from(twice.join("\n")), 65_536)
    expect(textsOf(observer)).toEqual(["Read the README", "Run the smoke test twice", "Summarise findings"])
  })

  test("status words of all clients mean the same five (client row 3)", () => {
    const words = ["closed", "done", "abandoned", "deleted", "blocked", "in_progress", "open"]
    const input = { todos: words.map((status, index) => ({ content: `todo ${index}`, status })) }
    const list = observe(call("1", input, { dialect: "opencode" })).agents.get("main")?.plan?.todos
    expect(list?.map(({ status }) => status)).toEqual([
      "completed",
      "completed",
      "cancelled",
      "cancelled",
      "blocked",
      "in_progress",
      "pending",
    ])
  })

  test("Claude's tasks are one list of all agents, its todos one of each (client row 5)", () => {
    const agentsOf = (name: string): string[] => {
      const { agents } = observeBytes(Buffer.from(fixture(`claude-2.1.197/${name}/stdout.jsonl`)), 65_536)
      return [...agents.values()].flatMap(({ agent, plan }) => (plan ? [agent] : []))
    }
    expect(agentsOf("subagents-tasks")).toEqual(["main"])
    expect(agentsOf("subagents-todowrite")).toEqual(["main", "a3b22d34f61719c9b", "abf7d66e28674ba19"])
  })
})

describe("a scan", () => {
  const scan = (...signals: Signal[]) => {
    const observer = createScanObserver()
    for (const signal of signals) observer.take(signal)
    return observer
  }
  const listIn = (observer: ScanObserver): string[] | undefined =>
    observer.agents()[0]?.plan?.todos.map(({ content, status }) => `${content} ${status}`)
  const items = (...ids: string[]) => ids.map((id) => ({ id, content: `Todo ${id}`, status: "pending" }))
  const cursor = (callId: string, input: object): Signal =>
    call(callId, input, { dialect: "cursor", tool: "todo_write" })

  test("keeps what a merge does not name, as events do", () => {
    const whole = cursor("1", { merge: false, todos: items("1", "2", "3") })
    const merge = cursor("2", { merge: true, todos: [{ id: "2", status: "completed" }] })
    const signals = [whole, result("1"), merge, result("2")]
    expect(listIn(scan(...signals))).toEqual(["Todo 1 pending", "Todo 2 completed", "Todo 3 pending"])
    expect(textsOf(observe(...signals))).toEqual(["Todo 1", "Todo 2", "Todo 3"])
  })

  test.each([
    ["after another", [call("1", todos("a")), result("1")]],
    ["as the first", []],
  ])("has an empty list where an accepted one cannot be read, %s, as events do", (_, before) => {
    const signals = [...before, call("2", { todos: 42 }), result("2")]
    expect(listIn(scan(...signals))).toEqual([])
    expect(textsOf(observe(...signals))).toEqual([])
  })

  test("keeps the list before a merge that cannot be read", () => {
    const whole = cursor("1", { merge: false, todos: items("1") })
    const signals = [whole, result("1"), cursor("2", { merge: true, todos: 42 }), result("2")]
    expect(listIn(scan(...signals))).toEqual(["Todo 1 pending"])
    expect(textsOf(observe(...signals))).toEqual(["Todo 1"])
  })

  test("keeps the same small part of a session however long it was", () => {
    const sizes = [100, 3_000].map((count) => {
      const observer = createScanObserver({ readsAll: true })
      for (let made = 0; made < count; made += 1) {
        observer.take(call(`call-${made + 1_000}`, todos("a", `b ${made % 10}`)))
        observer.take(result(`call-${made + 1_000}`, made % 3 > 0))
      }
      return JSON.stringify(observer.snapshot()).length
    })
    expect(Math.abs((sizes[1] ?? 0) - (sizes[0] ?? 0))).toBeLessThan(100)
  })

  test("counts what it has to read of a call, also where that is not a todo", () => {
    const nothing = Array.from({ length: 200 }, () => ({ unknown: "x".repeat(10_000) }))
    const merges = Array.from({ length: 50 }, (_, id) => cursor(`${id}`, { merge: true, todos: nothing }))
    const observer = scan(...merges)
    listIn(observer)
    expect(Array.from(observer.problems().values(), ({ problem }) => problem.code)).toContain("too-many-changes")
  })

  test("with more changes than it reads skips the last ones, none in between, and reads a whole list again", () => {
    const added = Array.from({ length: 450 }, (_, index) => `new-${index}`)
    const whole = cursor("whole", { merge: false, todos: items(...Array.from({ length: 5_000 }, (_, id) => `${id}`)) })
    const merges = added.flatMap((id) => [cursor(id, { merge: true, todos: items(id) }), result(id)])
    const observer = scan(whole, result("whole"), ...merges)
    const read = listIn(observer)?.slice(5_000) ?? []
    expect(Array.from(observer.problems().values(), ({ problem }) => problem.code)).toContain("too-many-changes")
    expect(read.length).toBeLessThan(added.length)
    expect(read).toEqual(added.slice(0, read.length).map((id) => `Todo ${id} pending`))
    for (const signal of [cursor("last", { merge: false, todos: items("9") }), result("last")]) observer.take(signal)
    expect(listIn(observer)).toEqual(["Todo 9 pending"])
  })

  test("with lists that cost too much to compare skips those before the last, and gives no id of theirs to another todo", () => {
    const many = Array.from({ length: 20 }, (_, list) => Array.from({ length: 200 }, (__, at) => `${list} of ${at}`))
    const lists = [...many, ["Alpha", "Beta", "Gamma"], ["Beta", "Gamma", "Zeta", "Alpha"], ["Gamma", "Alpha"]]
    const signals = lists.map((list, index) => [call(`${index}`, todos(...list)), result(`${index}`)])
    const meant = new Map<string, string>()
    for (const count of [many.length, many.length + 1, many.length + 2, many.length + 3]) {
      const observer = createScanObserver({ readsAll: true })
      for (const signal of signals.slice(0, count).flat()) observer.take(signal)
      const { plan } = observer.agents()[0] ?? {}
      expect(observer.isWhole()).toBe(false)
      expect(plan?.todos.map(({ content }) => content)).toEqual(lists[count - 1])
      for (const { id, content } of plan?.todos ?? []) {
        expect(meant.get(id) ?? content).toBe(content)
        meant.set(id, content)
      }
    }
  })

  test("searches the results of the last calls only", () => {
    const observer = createScanObserver()
    for (let made = 0; made < 1_000; made += 1)
      observer.take(call(`call-${made}`, todos("a"), { agent: `${made % 50}` }))
    expect(observer.open.size).toBe(200)
    expect(observer.open.has("call-999")).toBe(true)
  })
})

test("a rewind of many calls applies none of them again", () => {
  const observer = createObserver()
  const ids = Array.from({ length: 150 }, (_, index) => `${index}`)
  for (const id of ids) for (const signal of [call(id, todos("a", id)), result(id)]) observer.take(signal)
  const decode = vi.spyOn(dialects["claude-todos"], "decode")
  expect(observer.take({ type: "rewound", callIds: ids.slice(1) })).toHaveLength(1)
  expect(decode).not.toHaveBeenCalled()
  expect(textsOf(observer)).toEqual(["a", "0"])
  decode.mockRestore()
})
