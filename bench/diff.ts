/** How the cost of a rewrite grows with the plan: 10,000 todos with 1% changed against 100 todos with one changed. */
import { apply, diff, emptyPlan, type Plan, type Wanted } from "../src/plan/index.ts"
import { byTurns, milliseconds, type Row } from "./measure.ts"

const planOf = (size: number): Plan => ({
  ...emptyPlan,
  todos: Array.from({ length: size }, (_, index) => ({
    id: String(index + 1),
    content: `Migrate module number ${index + 1} to the new interface`,
    status: "pending" as const,
  })),
})

const rewriteOf = (plan: Plan): Wanted[] =>
  plan.todos.map(({ content }, index) => ({ content, status: index % 100 === 0 ? "completed" : "pending" }))

const rewrite = (plan: Plan, wanted: Wanted[]): void => {
  const next = apply(plan, diff(plan, wanted).events).plan
  if (next.todos[0]?.status !== "completed") throw new Error("the rewrite did not happen")
}

export const diffing = async (): Promise<Row[]> => {
  const small = planOf(100)
  const large = planOf(10_000)
  const smallRewrite = rewriteOf(small)
  const largeRewrite = rewriteOf(large)
  const repeats = 50
  const times = byTurns(
    {
      small: () => {
        for (let count = 0; count < repeats; count += 1) rewrite(small, smallRewrite)
      },
      large: () => rewrite(large, largeRewrite),
    },
    40,
  )
  const each = times.small / repeats
  return [
    { what: "diff + apply, 100 todos, 1 changed", figure: milliseconds(each) },
    {
      what: "diff + apply, 10,000 todos, 1% changed",
      figure: milliseconds(times.large),
      ratio: times.large / each,
      limit: 150,
    },
  ]
}
