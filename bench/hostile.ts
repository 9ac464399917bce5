/** How reading grows with texts made to hold it up: the time of four times the text against that of the text. */
import { type DialectId, dialects } from "../src/dialects/index.ts"
import { apply, diff, type Entry, emptyPlan, fold, type Plan, type Wanted } from "../src/plan/index.ts"
import { pieces, places } from "../test/dialects/hostile.ts"
import { nearIds } from "../test/plan/near-ids.ts"
import { hostileLogs } from "./hostile-logs.ts"
import { milliseconds, type Row } from "./measure.ts"

const size = 8_000
const limit = 6

/** Shorter times tell nothing. */
const noticeable = 8

const readings: [DialectId, string[]][] = [
  ["claude-todos", ["as the input", "in a list that is not closed", "as a text"]],
  ["oh-my-pi", ["as the list"]],
  ["markdown", ["as the input"]],
]

const before: Plan = {
  ...emptyPlan,
  todos: ["Read the README", "a", "t1", "t2"].map((content, index) => ({
    id: String(index + 1),
    content,
    status: "pending",
  })),
}

type Growth = { what: string; large: number; ratio: number }

/** The least of a few times each: what else the machine does only ever adds. */
const growthOf = (what: string, runAt: (factor: number) => () => void): Growth => {
  const [run, runLarge] = [runAt(1), runAt(4)]
  let small = Number.POSITIVE_INFINITY
  let large = Number.POSITIVE_INFINITY
  for (let round = 0; round < 12; round += 1) {
    small = Math.min(small, timeOf(run))
    large = Math.min(large, timeOf(runLarge))
    if (round > 0 && (large < noticeable || large / small < limit / 1.5)) break
  }
  return { what, large, ratio: large < noticeable ? 0 : large / small }
}

/** Of this process alone: a short run fits between the turns of others, a long one does not. */
const timeOf = (run: () => void): number => {
  const started = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

const worstOf = (growths: readonly Growth[]): Growth =>
  growths.reduce((worst, growth) => (growth.ratio > worst.ratio ? growth : worst))

const rowOf = (what: string, { what: piece, large, ratio }: Growth): Row => ({
  what,
  figure: `${milliseconds(large)} ${piece}`.slice(0, 26),
  ratio,
  limit,
})

/** A call as the tracker runs it, without a store: read, applied, replied to, and said again. */
const readAll = (id: DialectId, input: unknown): void => {
  const dialect = dialects[id]
  const call = { tool: dialect.toolNames[0], input }
  const decoded = dialect.decode(call, before)
  const { plan: after, events } = apply(before, decoded.events)
  dialect.reply({ call, decoded, before, after, events, problems: decoded.problems, isPersistent: false })
  dialect.encode(after)
}

const todosOf = (count: number, content: (index: number) => string): Plan => ({
  ...emptyPlan,
  todos: Array.from({ length: count }, (_, index) => ({
    id: String(index + 1),
    content: content(index),
    status: "pending",
  })),
})

const long = "Move every part of it to the new place ".repeat(10)

const rewrites: [string, (count: number) => [Plan, Wanted[]]][] = [
  [
    "equal texts",
    (count) => [todosOf(count, () => "Same"), todosOf(count, () => "Same").todos.map(({ content }) => ({ content }))],
  ],
  [
    "long texts reworded",
    (count) => [
      todosOf(count, (at) => `${at} ${long}`),
      todosOf(count, (at) => `${at} ${long} x`).todos.map(({ content }) => ({ content })),
    ],
  ],
  [
    "blockers through each other",
    (count) => {
      const plan = todosOf(count, (at) => `Todo ${at}`)
      return [plan, plan.todos.map(({ id }, at) => ({ id, blockedBy: [String(at), String(count)] }))]
    },
  ],
]

const emptyEntry = (id: string): Entry => ({
  v: 1,
  id,
  at: "2030-01-01T00:00:00.000Z",
  by: { kind: "agent", id: "main" },
  events: [],
})

export const hostile = async (): Promise<Row[]> => [
  ...readings.flatMap(([id, names]) =>
    names.map((name) => {
      const growths = Object.entries(pieces).map(([what, piece]) =>
        growthOf(what, (factor) => {
          const input = places[name]?.(piece(size * factor))
          return () => readAll(id, input)
        }),
      )
      return rowOf(`${id}, text ${name}, worst of ${growths.length}`, worstOf(growths))
    }),
  ),
  ...rewrites.map(([what, rewrite]) => {
    const growth = growthOf("", (factor) => {
      const [plan, wanted] = rewrite(2_500 * factor)
      return () => void diff(plan, wanted)
    })
    return rowOf(`diff, 10,000 todos, ${what}`, growth)
  }),
  ...hostileLogs.map(([what, logOf]) => {
    const growth = growthOf("", (factor) => {
      const log = logOf(2_500 * factor)
      return () => void fold(log)
    })
    return rowOf(`fold, 10,000 entries, ${what}`, growth)
  }),
  rowOf(
    "fold, ids chosen to be slow",
    growthOf("", (factor) => {
      const log = nearIds(5_000 * factor).map(emptyEntry)
      return () => void fold(log)
    }),
  ),
]
