/** Logs made so that each entry asks for all that stands before it: a todo, a phase, a note, what a person did. */
import type { Actor, Entry, PlanEvent, Todo, TodoStatus } from "../src/plan/index.ts"

/** By what each entry does, the log of so many todos or notes, and as many entries. */
export const hostileLogs: [string, (count: number) => Entry[]][] = [
  ["each clears one todo", (count) => turns(count, (turn) => ({ events: [cleared(turn)] }))],
  [
    "each brings the plan back",
    (count) =>
      turns(count, (turn) => ({
        events: [changed(0, turn % 2 === 0 ? "completed" : "pending"), { type: "plan-restored", context: "resume" }],
      })),
  ],
  [
    "each starts the next",
    (count) => turns(count, (turn) => ({ events: [changed(turn, "completed")], settle: { autoStart: true } })),
  ],
  [
    "one in progress",
    (count) => turns(count, (turn) => ({ events: [changed(turn, "in_progress")], settle: { oneActive: true } })),
  ],
  [
    "a person holds all that could start",
    (count) => [
      entry("first", { events: each(count, (index) => added(index, { status: "blocked" })) }),
      entry("person", { by: person, events: each(count, (index) => changed(index, "pending")) }),
      ...each(count, (turn) => entry(`e${turn}`, { settle: { autoStart: true } })),
    ],
  ],
  [
    "a person holds all in progress",
    (count) => [
      entry("first", { events: each(count, (index) => added(index)) }),
      entry("person", { by: person, events: each(count, (index) => changed(index, "in_progress")) }),
      ...each(count, (turn) => entry(`e${turn}`, { settle: { oneActive: true } })),
    ],
  ],
  [
    "each adds to another phase",
    (count) => [
      entry("first", { events: each(count, (index) => added(index, { phase: `Phase ${index}` })) }),
      ...each(count, (turn) => entry(`e${turn}`, { events: [added(count + turn, { phase: `Phase ${turn}` })] })),
    ],
  ],
  [
    "each moves a phase, and starts the next",
    (count) => [
      entry("first", { events: each(count, (index) => added(index, { phase: `Phase ${index}` })) }),
      ...each(count, (turn) =>
        entry(`e${turn}`, {
          events: [{ type: "phase-added", name: `Phase ${turn}`, after: "" }, changed(turn, "completed")],
          settle: { autoStart: true },
        }),
      ),
    ],
  ],
  [
    "each comes at the same place, and starts the next",
    (count) =>
      turns(count, (turn) => ({
        events: [{ type: "todo-added", todo: todoAt(count + turn), after: "7" }, changed(turn, "completed")],
        settle: { autoStart: true },
      })),
  ],
  [
    "a person's undos, none of them of the last",
    (count) => each(count, (turn) => entry(`e${turn}`, { by: person, events: [added(turn)], undoes: "e1" })),
  ],
  [
    "a person removed all, the agent adds others",
    (count) => [
      ...each(count, (turn) => entry(`a${turn}`, { events: [added(turn)] })),
      ...each(count, (turn) => entry(`p${turn}`, { by: person, events: [removed(turn)] })),
      ...each(count, (turn) => entry(`e${turn}`, { events: [added(count + turn, { content: `New ${turn}` })] })),
    ],
  ],
  [
    "a person brought all back, the agent adds the same",
    (count) => [
      entry("first", { events: each(count, (index) => added(index)) }),
      entry("gone", { by: person, events: each(count, removed) }),
      entry("back", { by: person, events: each(count, (index) => added(index, {}, { restores: true })) }),
      ...each(count, (turn) => entry(`e${turn}`, { events: [added(count + turn)] })),
    ],
  ],
  ["each takes away the first note", (count) => noteTurns(count, (turn) => noted([`Note ${turn}`], ["x"]))],
  ["each takes away the last note", (count) => noteTurns(count, (turn) => noted([`Note ${count - 1 - turn}`], null))],
  ["each changes no note", (count) => noteTurns(count, () => noted(null, []))],
  [
    "each notes beside a person's note",
    (count) =>
      noteTurns(count, (turn) => noted(null, [`More ${turn}`]), [
        entry("person", { by: person, events: [noted(null, ["Mine"])] }),
      ]),
  ],
  [
    "each changes the note beside a long one",
    (count) => [
      entry("first", { events: [added(0, { notes: ["n".repeat(count * 50), "x0"] })] }),
      ...each(count, (turn) => entry(`e${turn}`, { events: [noted([`x${turn}`], [`x${turn + 1}`])] })),
    ],
  ],
]

const person: Actor = { kind: "person", id: "ada" }

const entry = (id: string, part: Partial<Entry>): Entry => ({
  v: 1,
  id,
  at: "2030-01-01T00:00:00.000Z",
  by: { kind: "agent", id: "main" },
  events: [],
  ...part,
})

const each = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

const todoAt = (index: number, part: Partial<Todo> = {}): Todo => ({
  id: String(index + 1),
  content: "Read",
  status: "pending",
  ...part,
})

const added = (index: number, part: Partial<Todo> = {}, more: { restores?: true } = {}): PlanEvent => ({
  type: "todo-added",
  todo: todoAt(index, part),
  ...more,
})

const removed = (index: number): PlanEvent => ({ type: "todo-removed", todo: todoAt(index) })

const cleared = (index: number): PlanEvent => ({ type: "plan-cleared", todos: [todoAt(index)] })

const changed = (index: number, status: TodoStatus): PlanEvent => ({
  type: "todo-changed",
  id: String(index + 1),
  from: {},
  to: { status },
})

const noted = (from: string[] | null, to: string[] | null): PlanEvent => ({
  type: "todo-changed",
  id: "1",
  from: { notes: from },
  to: { notes: to },
})

/** So many todos, and as many entries. */
const turns = (count: number, part: (turn: number) => Partial<Entry>): Entry[] => [
  entry("first", { events: each(count, (index) => added(index)) }),
  ...each(count, (turn) => entry(`e${turn}`, part(turn))),
]

/** One todo with so many notes, and as many entries of a person or an agent in turn. */
const noteTurns = (count: number, event: (turn: number) => PlanEvent, before: Entry[] = []): Entry[] => [
  entry("first", { events: [added(0, { notes: each(count, (index) => `Note ${index}`) })] }),
  ...before,
  ...each(count, (turn) =>
    entry(`e${turn}`, { events: [event(turn)], ...(turn % 2 === 0 && before.length === 0 ? { by: person } : {}) }),
  ),
]
