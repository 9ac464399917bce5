/** Operations in phases: each op and each complaint, what repeats harmlessly, and how the two tools differ. */
import { describe, expect, test } from "vitest"
import { ohMyPi } from "../../src/dialects/oh-my-pi.ts"
import { emptyPlan, type Plan } from "../../src/plan/index.ts"
import { run, trackerWith } from "../contracts/dialect.ts"

const batch = (...ops: unknown[]) => ({ tool: "todo_write", input: { ops } })
const one = (op: unknown) => ({ tool: "todo", input: op })
const init = {
  op: "init",
  list: [
    { phase: "One", items: ["a", "b"] },
    { phase: "Two", items: ["c"] },
  ],
}
const begun = run(ohMyPi, batch(init), emptyPlan).plan

const show = ({ todos }: Plan): string => todos.map(({ content, status }) => `${content}:${status}`).join(" ")
const planAfter = (...ops: unknown[]): string => show(run(ohMyPi, batch(...ops), begun).plan)
const afterOne = (...ops: unknown[]): string =>
  show(ops.reduce<Plan>((plan, op) => run(ohMyPi, one(op), plan).plan, begun))
const codes = (...ops: unknown[]): string[] => run(ohMyPi, batch(...ops), begun).problems.map(({ code }) => code)

describe("operations", () => {
  test("O1 O6 init lays out phases and the first todo starts", () => {
    expect(show(begun)).toBe("a:in_progress b:pending c:pending")
    expect(begun.phases).toEqual(["One", "Two"])
  })

  test("O1 init keeps phases of the same name apart, and reports the names of the later ones", () => {
    const list = ["a", "b", "c"].map((item) => ({ phase: "Build", items: [item] }))
    const call = { tool: "todo", input: { op: "init", list: [...list, { phase: "Build (2)", items: ["d"] }] } }
    const { plan, ok, text } = run(ohMyPi, call, emptyPlan)
    expect([ok, plan.phases]).toEqual([true, ["Build", "Build (3)", "Build (4)", "Build (2)"]])
    expect(plan.todos.map(({ content, phase }) => [content, phase])).toEqual([
      ["a", "Build"],
      ["b", "Build (3)"],
      ["c", "Build (4)"],
      ["d", "Build (2)"],
    ])
    expect(text).toContain('kept apart; name the later ones "Build (3)", "Build (4)".')
    expect(run(ohMyPi, { tool: "todo", input: { op: "done", phase: "Build (3)" } }, plan).ok).toBe(true)
  })

  test("O16 phases of the same name in an observed result stay apart", () => {
    const phases = ["a", "b"].map((content) => ({ name: "Build", tasks: [{ content, status: "pending" }] }))
    const { plan } = run(
      ohMyPi,
      { tool: "todo", input: {}, result: { details: { phases } }, observed: true },
      emptyPlan,
    )
    expect(plan.phases).toEqual(["Build", "Build (2)"])
  })

  test("O3 init discards everything and makes all pending", () => {
    const worked = run(ohMyPi, batch({ op: "done", task: "a" }, { op: "drop", task: "b" }), begun).plan
    const { plan } = run(ohMyPi, batch({ op: "init", list: [{ phase: "Two", items: ["b", "a"] }] }), worked)
    expect(show(plan)).toBe("b:in_progress a:pending")
    expect(plan.phases).toEqual(["Two"])
  })

  test("O3 start demotes the other to pending", () => {
    expect(planAfter({ op: "start", task: "c" })).toBe("a:pending b:pending c:in_progress")
  })

  test("O3 start revives completed and abandoned todos", () => {
    expect(planAfter({ op: "done", task: "b" }, { op: "start", task: "b" })).toBe("a:pending b:in_progress c:pending")
    expect(planAfter({ op: "drop", task: "b" }, { op: "start", task: "b" })).toBe("a:pending b:in_progress c:pending")
  })

  test("O3 done completes and the next starts", () => {
    expect(planAfter({ op: "done", task: "a" })).toBe("a:completed b:in_progress c:pending")
  })

  test("O3 done on an abandoned todo completes it, drop on a completed one abandons it", () => {
    expect(planAfter({ op: "drop", task: "b" }, { op: "done", task: "b" })).toContain("b:completed")
    expect(planAfter({ op: "done", task: "b" }, { op: "drop", task: "b" })).toContain("b:cancelled")
  })

  test.each(["done", "drop"])("O1 %s takes a todo, a phase or everything", (op) => {
    const word = op === "done" ? "completed" : "cancelled"
    expect(planAfter({ op, task: "b" })).toBe(`a:in_progress b:${word} c:pending`)
    expect(planAfter({ op, phase: "One" })).toBe(`a:${word} b:${word} c:in_progress`)
    expect(planAfter({ op })).toBe(`a:${word} b:${word} c:${word}`)
  })

  test("O3 rm removes a todo, and a phase stays empty", () => {
    const { plan } = run(ohMyPi, batch({ op: "rm", phase: "Two" }), begun)
    expect(show(plan)).toBe("a:in_progress b:pending")
    expect(plan.phases).toEqual(["One", "Two"])
    expect(planAfter({ op: "rm" })).toBe("")
  })

  test.each(["done", "drop", "rm"])("O1 %s with an empty name is refused, and does not mean everything", (op) => {
    for (const blank of [{ task: "" }, { phase: "" }, { task: "", phase: "" }]) {
      expect(codes({ op, ...blank })).toEqual(["blank-target"])
      expect(planAfter({ op, ...blank })).toBe(show(begun))
      expect(afterOne({ op, ...blank })).toBe(show(begun))
    }
    expect(codes({ op, task: "a", phase: "" })).toEqual([])
    expect(codes({ op, task: null, phase: null })).toEqual([])
  })

  test("O1 task wins over phase", () => {
    expect(planAfter({ op: "done", task: "c", phase: "One" })).toBe("a:in_progress b:pending c:completed")
  })

  test("O1 append adds to a phase and creates it", () => {
    const { plan } = run(
      ohMyPi,
      batch({ op: "append", phase: "One", items: ["d"] }, { op: "append", phase: "Three", items: ["e"] }),
      begun,
    )
    expect(plan.todos.map(({ content, phase }) => `${phase}/${content}`)).toEqual([
      "One/a",
      "One/b",
      "One/d",
      "Two/c",
      "Three/e",
    ])
  })

  test("O3 note appends one text, trimmed on the right", () => {
    const { plan } = run(
      ohMyPi,
      batch({ op: "note", task: "a", text: "x  \n" }, { op: "note", task: "a", text: "y" }),
      begun,
    )
    expect(plan.todos[0]?.notes).toEqual(["x", "y"])
  })

  test("O2 targets match exactly, the first across phases", () => {
    const twins = {
      op: "init",
      list: [
        { phase: "P", items: ["a"] },
        { phase: "Q", items: ["a"] },
      ],
    }
    const { plan } = run(ohMyPi, batch(twins, { op: "done", task: "a" }), emptyPlan)
    expect(show(plan)).toBe("a:completed a:in_progress")
    expect(codes({ op: "done", task: "A" })).toEqual(["unknown-todo"])
  })

  test("O1 later ops of a batch see what earlier ones did, also after a removal", async () => {
    const tracker = await trackerWith()
    await tracker.write(batch(init), ohMyPi)
    await tracker.write(batch({ op: "rm", task: "c" }), ohMyPi)
    const { plan, ok } = await tracker.write(
      batch({ op: "append", phase: "Two", items: ["d", "e"] }, { op: "start", task: "d" }, { op: "done", task: "e" }),
      ohMyPi,
    )
    expect(ok).toBe(true)
    expect(show(plan)).toBe("a:pending b:pending d:in_progress e:completed")
  })

  test("O3 a dropped todo keeps the reason that is given", () => {
    const { plan } = run(ohMyPi, one({ op: "drop", task: "b", reason: "out of scope" }), begun)
    expect(plan.todos[1]).toMatchObject({ status: "cancelled", reason: "out of scope" })
  })
})

describe("complaints", () => {
  test.each([
    ["a missing list", { op: "init" }, "missing-list"],
    ["a list with an empty phase", { op: "init", list: [{ phase: "One", items: [] }] }, "missing-list"],
    ["a missing task", { op: "start" }, "missing-task"],
    ["a note without a task", { op: "note", text: "x" }, "missing-task"],
    ["a missing phase", { op: "append", items: ["d"] }, "missing-phase"],
    ["missing items", { op: "append", phase: "One" }, "missing-items"],
    ["a missing text", { op: "note", task: "a" }, "missing-text"],
    ["an unknown todo", { op: "done", task: "zzz" }, "unknown-todo"],
    ["an unknown phase", { op: "done", phase: "Nine" }, "unknown-phase"],
    ["an unknown op", { op: "explode", task: "a" }, "unknown-op"],
    ["no op and no way to guess it", { task: "a" }, "missing-op"],
    ["an unknown key without a target", { op: "done", tsk: "a" }, "unknown-target"],
    ["items where a task is wanted", { op: "done", items: ["a"] }, "unknown-target"],
    ["a text where a task is wanted", { op: "rm", text: "a" }, "unknown-target"],
  ])("O5 %s", (_, op, code) => {
    expect(codes(op)).toEqual([code])
    expect(planAfter(op)).toBe(show(begun))
  })

  test("O4 append refuses what exists anywhere, init does not check", () => {
    const { plan, problems } = run(ohMyPi, batch({ op: "append", phase: "Two", items: ["a", "d"] }), begun)
    expect(problems.map(({ code }) => code)).toEqual(["todo-exists"])
    expect(show(plan)).toContain("d:pending")
    const twins = run(ohMyPi, batch({ op: "init", list: [{ phase: "P", items: ["a", "a"] }] }), emptyPlan)
    expect([twins.ok, twins.plan.todos.length]).toEqual([true, 2])
  })

  test("O5 O7 errors come first, stop nothing and roll nothing back", () => {
    const ran = run(
      ohMyPi,
      batch({ op: "done", task: "zzz" }, { op: "done", task: "a" }, { op: "start", task: "yyy" }),
      begun,
    )
    expect([ran.ok, show(ran.plan)]).toEqual([false, "a:completed b:in_progress c:pending"])
    expect(ran.text).toMatch(/^Errors:\n- .*zzz.*\n- .*yyy/)
  })

  test("O5 an empty list has its own hint", () => {
    expect(run(ohMyPi, batch({ op: "done", task: "a" }), emptyPlan).text).toMatch(/empty/)
  })

  test("N2 near misses are named", () => {
    const plan = run(ohMyPi, one({ op: "init", items: ["Fix the login bug"] }), emptyPlan).plan
    expect(run(ohMyPi, one({ op: "done", task: "fix login bug" }), plan).text).toContain('"Fix the login bug"')
  })
})

describe("repetition", () => {
  const twice = (op: unknown, tool = "todo_write") => {
    const call = tool === "todo" ? one(op) : batch(op)
    const first = run(ohMyPi, call, begun)
    return { first, second: run(ohMyPi, call, first.plan) }
  }

  test.each([init, { op: "start", task: "b" }, { op: "done", task: "b" }, { op: "drop", task: "b" }])(
    "O9 %j repeats harmlessly",
    (op) => {
      const { first, second } = twice(op)
      expect([second.ok, second.plan.todos]).toEqual([true, first.plan.todos])
    },
  )

  test.each([
    { op: "rm", task: "b" },
    { op: "append", phase: "One", items: ["d"] },
  ])("O9 %j is an error the second time and changes nothing", (op) => {
    const { first, second } = twice(op)
    expect([first.ok, second.ok, second.plan]).toEqual([true, false, first.plan])
  })

  test("O9 note always adds", () => {
    expect(twice({ op: "note", task: "a", text: "x" }).second.plan.todos[0]?.notes).toEqual(["x", "x"])
  })
})

describe("result", () => {
  test("O6 of several in progress the first stays", () => {
    const plan = { ...begun, todos: begun.todos.map((todo) => ({ ...todo, status: "in_progress" as const })) }
    expect(show(run(ohMyPi, batch({ op: "note", task: "b", text: "x" }), plan).plan)).toBe(
      "a:in_progress b:pending c:pending",
    )
  })

  test("O7 an empty list without errors is cleared", () => {
    expect(run(ohMyPi, batch({ op: "rm" }), begun).text).toMatch(/cleared/)
  })

  test("O7 it has what remains, the progress of the phase, the tree and the notes of the todo in progress", () => {
    const { text } = run(ohMyPi, batch({ op: "done", task: "a" }, { op: "note", task: "b", text: "look here" }), begun)
    expect(text).toMatch(
      /Remaining \(2\)[\s\S]*One \(1 of 2\), 1\/2[\s\S]*Phase "One":[\s\S]*\[x\] a[\s\S]*look here[\s\S]*Phase "Two":/,
    )
  })

  test("O8 details contain the phases, where they are stored, and what was completed", async () => {
    const tracker = await trackerWith()
    await tracker.write(batch(init), ohMyPi)
    const { data } = await tracker.write(
      batch({ op: "done", task: "a" }, { op: "drop", task: "c" }, { op: "note", task: "b", text: "n" }),
      ohMyPi,
    )
    expect(data).toEqual({
      phases: [
        {
          name: "One",
          tasks: [
            { content: "a", status: "completed" },
            { content: "b", status: "in_progress", notes: ["n"] },
          ],
        },
        { name: "Two", tasks: [{ content: "c", status: "abandoned" }] },
      ],
      storage: "memory",
      completedTasks: [{ phase: "One", content: "a" }],
    })
  })

  test("O8 without newly completed todos none are listed", async () => {
    const tracker = await trackerWith()
    await tracker.write(batch(init, { op: "done", task: "a" }), ohMyPi)
    const { data } = await tracker.write(batch({ op: "done", task: "a" }), ohMyPi)
    expect(data).not.toHaveProperty("completedTasks")
  })
})

test("O14 view after a resume leaves out what was finished before it, and completed phases", async () => {
  const tracker = await trackerWith()
  const call = (input: unknown) => tracker.write({ tool: "todo", input }, ohMyPi)
  const list = [
    { phase: "Look", items: ["a"] },
    { phase: "Build", items: ["b", "c", "d"] },
  ]
  await call({ op: "init", list })
  for (const task of ["a", "b"]) await call({ op: "done", task })
  expect((await call({ op: "view" })).text).toContain('Phase "Look":\n  [x] a')
  await tracker.restore("resume")
  const { text, data } = await call({ op: "view" })
  expect(text).not.toMatch(/Look|\[x\]/)
  expect(data).toMatchObject({ phases: [{ name: "Build", tasks: [{ content: "c" }, { content: "d" }] }] })
  expect((await call({ op: "done", task: "c" })).text).toContain("[x] c")
  expect(tracker.plan.todos).toHaveLength(4)
})

test.each([
  [
    {
      op: "init",
      list: [
        { phase: "Build", items: ["a", "b"] },
        { phase: "Ship", items: ["c"] },
      ],
    },
    "init Build (2), Ship (1)",
  ],
  [{ op: "done", task: "Run the tests" }, "done Run the tests"],
  [{ op: "complete", phase: "Build" }, "done Build"],
  [{ op: "drop" }, "drop everything"],
  [{ op: "append", phase: "Build", items: ["a"] }, "append Build: 1 todo"],
  [{ op: "view" }, "view"],
  [
    {
      ops: [
        { op: "start", task: "a" },
        { op: "note", task: "a", text: "x" },
        { op: "rm", task: "b" },
        { op: "rm", task: "c" },
      ],
    },
    "start a, note a, rm b, and 1 more",
  ],
  ['{"op":"done","task":"a"}', "done a"],
  ["nothing of the kind", ""],
  [{ op: "init", list: 7 }, "init"],
])("O11 %j is recognised as %j", (input, told) => {
  expect(ohMyPi.describeCall?.({ tool: "todo", input })).toBe(told)
})

describe("the two tools", () => {
  test("O18 a model's rm abandons in the newer tool, and leaves completed todos alone", () => {
    expect(afterOne({ op: "done", task: "a" }, { op: "rm", phase: "One" })).toBe(
      "a:completed b:cancelled c:in_progress",
    )
  })

  test("O18 drop without a target spares completed and blocked todos", () => {
    expect(afterOne({ op: "done", task: "a" }, { op: "block", task: "b", reason: "r" }, { op: "drop" })).toBe(
      "a:completed b:blocked c:cancelled",
    )
  })

  test("O18 block and unblock need a target; block leaves finished todos alone", () => {
    expect(run(ohMyPi, one({ op: "block", reason: "r" }), begun).ok).toBe(false)
    expect(run(ohMyPi, one({ op: "unblock" }), begun).ok).toBe(false)
    expect(afterOne({ op: "done", task: "a" }, { op: "block", phase: "One", reason: "r" })).toBe(
      "a:completed b:blocked c:in_progress",
    )
  })

  test("O18 unblock makes a todo pending and removes the reason", () => {
    const blocked = run(ohMyPi, one({ op: "block", task: "b", reason: "r" }), begun).plan
    expect(blocked.todos[1]?.reason).toBe("r")
    const { plan } = run(ohMyPi, one({ op: "unblock", task: "b" }), blocked)
    expect(plan.todos[1]).toEqual({ id: "2", content: "b", status: "pending", phase: "One" })
  })

  test("O18 note is gone from the newer tool; block, unblock and view are not in the older", () => {
    expect(run(ohMyPi, one({ op: "note", task: "a", text: "x" }), begun).problems[0]?.code).toBe("unknown-op")
    for (const op of ["block", "unblock", "view"]) expect(codes({ op, task: "a" })).toEqual(["unknown-op"])
  })

  test("O18 a failing call of the newer tool changes nothing", () => {
    const { ok, plan } = run(ohMyPi, one({ op: "append", phase: "One", items: ["d", "a"] }), begun)
    expect([ok, plan]).toEqual([false, begun])
    expect(run(ohMyPi, one({ op: "init", items: ["x", "x"] }), begun).plan).toEqual(begun)
  })

  test("O18 a flat list goes to the phase Tasks", () => {
    expect(run(ohMyPi, one({ op: "init", items: ["x"] }), emptyPlan).plan.phases).toEqual(["Tasks"])
  })

  test("O18 view changes nothing", () => {
    expect(run(ohMyPi, one({ op: "view" }), begun)).toMatchObject({ ok: true, events: [], plan: begun })
  })
})

describe("missing parts are inferred", () => {
  test.each([
    [{ list: [{ phase: "P", items: ["x"] }] }, "x:in_progress"],
    [{ phase: "Two", items: ["x"] }, "a:in_progress b:pending c:pending x:pending"],
    [{ op: "complete", task: "a" }, "a:completed b:in_progress c:pending"],
    [{ op: " DONE ", task: "a" }, "a:completed b:in_progress c:pending"],
  ])("N2 %j", (op, expected) => {
    expect(planAfter(op)).toBe(expected)
  })

  test("N2 the shape every model knows is read too", () => {
    const input = {
      todos: [
        { content: "a", status: "completed" },
        { content: "b", status: "in_progress" },
      ],
    }
    expect(show(run(ohMyPi, { tool: "todo", input }, begun).plan)).toBe("a:completed b:in_progress")
  })
})

test("O10 O6 a checklist is read into phases, orphans into Todos, and the first pending one starts", () => {
  const { plan } = run(ohMyPi, { tool: "todo", input: "- [ ] loose\n# Later\n- [x] done\n- [!] stuck" }, emptyPlan)
  expect(plan.todos.map(({ content, status, phase }) => `${phase}/${content}:${status}`)).toEqual([
    "Todos/loose:in_progress",
    "Later/done:completed",
    "Later/stuck:blocked",
  ])
})

test("N1 equal texts are distinguished when a plan is encoded", () => {
  const twin = (id: string) => ({ id, content: "a", status: "completed" as const })
  const plan: Plan = { ...emptyPlan, todos: [twin("1"), { ...twin("2"), content: "a (2)" }, twin("3")] }
  const reached = ohMyPi.encode(plan).reduce((state, call) => run(ohMyPi, call, state).plan, emptyPlan)
  expect(show(reached)).toBe("a:completed a (2):completed a (3):completed")
})

test("N1 the todo in progress stays in progress where the phase of todos without one is moved to the front", () => {
  const plan: Plan = {
    todos: [
      { id: "1", content: "a", status: "completed" },
      { id: "2", content: "b", status: "in_progress", phase: "Build" },
      { id: "3", content: "c", status: "pending", phase: "Todos" },
    ],
    phases: ["Build", "Todos"],
    revision: 1,
  }
  const read = ohMyPi.encode(plan).reduce((state, call) => run(ohMyPi, call, state).plan, emptyPlan)
  expect(show(read)).toBe("a:completed c:pending b:in_progress")
})
