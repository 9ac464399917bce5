/** A todo moves through its plan as the plan is shown, one place at a time. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { movedBy, movedTo } from "../../src/board/moved-by.ts"
import { apply, type Plan } from "../../src/plan/index.ts"
import { phaseGroups } from "../../src/views/plan/phases.ts"
import { planArbitrary } from "../plan/arbitraries.ts"
import { rounds } from "../rounds.ts"

const planOf = (phases: readonly string[], ...todos: [content: string, phase?: string][]): Plan => ({
  phases,
  revision: 1,
  todos: todos.map(([content, phase], index) => ({
    id: String(index + 1),
    content,
    status: "pending",
    ...(phase === undefined ? {} : { phase }),
  })),
})

/** As it is shown: phases and words in their order. */
const shown = (plan: Plan): string[] =>
  phaseGroups(plan).flatMap(({ name, todos }) => [
    ...(name === undefined ? [] : [`# ${name}`]),
    ...todos.map(({ content }) => content),
  ])

const moved = (plan: Plan, content: string, by: -1 | 1): Plan => {
  const todo = plan.todos.find((one) => one.content === content)
  if (!todo) throw new Error(content)
  return apply(plan, movedBy(todo, plan, by)).plan
}

describe("a todo moved by a key", () => {
  test("changes places with its neighbour, and stays at either end", () => {
    const plan = planOf([], ["A"], ["B"], ["C"])
    expect(shown(moved(plan, "C", -1))).toEqual(["A", "C", "B"])
    expect(shown(moved(plan, "A", 1))).toEqual(["B", "A", "C"])
    expect(moved(plan, "A", -1)).toEqual(plan)
    expect(moved(plan, "C", 1)).toEqual(plan)
  })

  test("goes from the edge of a phase into the next one, also an empty one", () => {
    const plan = planOf(["One", "Two", "Three"], ["A", "One"], ["B", "One"], ["C", "Three"])
    expect(shown(moved(plan, "B", 1))).toEqual(["# One", "A", "# Two", "B", "# Three", "C"])
    const again = moved(moved(plan, "B", 1), "B", 1)
    expect(shown(again)).toEqual(["# One", "A", "# Two", "# Three", "B", "C"])
    expect(shown(moved(again, "B", 1))).toEqual(["# One", "A", "# Two", "# Three", "C", "B"])
  })

  test("passes over todos of other phases that are between them in the list", () => {
    const plan = planOf(["One", "Two"], ["A", "One"], ["X", "Two"], ["B", "One"], ["Y", "Two"])
    expect(shown(moved(plan, "B", -1))).toEqual(["# One", "B", "A", "# Two", "X", "Y"])
    expect(shown(moved(plan, "X", 1))).toEqual(["# One", "A", "B", "# Two", "Y", "X"])
  })

  test("is where it was when it is moved there and back, in any plan", () => {
    fc.assert(
      fc.property(planArbitrary, fc.nat(), fc.constantFrom(-1 as const, 1 as const), (plan, chance, by) => {
        const todo = plan.todos[chance % Math.max(1, plan.todos.length)]
        if (!todo) return
        const events = movedBy(todo, plan, by)
        const there = apply(plan, events).plan
        const arrived = there.todos.find(({ id }) => id === todo.id)
        if (!arrived) throw new Error("it is gone")
        const idsOf = (one: Plan): string[] => phaseGroups(one).flatMap(({ todos }) => todos.map(({ id }) => id))
        expect(idsOf(there).toSorted()).toEqual(idsOf(plan).toSorted())
        if (events.length === 0) return
        const back = by === 1 ? (-1 as const) : (1 as const)
        expect(idsOf(apply(there, movedBy(arrived, there, back)).plan)).toEqual(idsOf(plan))
      }),
      { numRuns: rounds(300) },
    )
  })
})

describe("a todo put after another", () => {
  const placed = (plan: Plan, content: string, behind?: string, phase?: string): Plan => {
    const find = (words: string) => plan.todos.find((one) => one.content === words)
    const todo = find(content)
    if (!todo) throw new Error(content)
    return apply(plan, movedTo(todo, plan, { after: behind === undefined ? undefined : find(behind), phase })).plan
  }

  test("is after it and in its phase, or before all others", () => {
    const plan = planOf(["One", "Two"], ["A", "One"], ["X", "Two"], ["B", "One"], ["Y", "Two"])
    expect(shown(placed(plan, "Y", "A"))).toEqual(["# One", "A", "Y", "B", "# Two", "X"])
    expect(shown(placed(plan, "A", "Y"))).toEqual(["# One", "B", "# Two", "X", "Y", "A"])
    expect(shown(placed(plan, "Y"))).toEqual(["# One", "Y", "A", "B", "# Two", "X"])
    expect(placed(plan, "A")).toEqual(plan)
    expect(placed(plan, "B", "B")).toEqual(plan)
  })

  test("comes first in a phase, also in its own, in an empty one, and before all phases", () => {
    const plan = planOf(["One", "Two", "Three"], ["A", "One"], ["X", "Two"], ["B", "One"], ["Y", "Two"])
    expect(shown(placed(plan, "A", undefined, "Two"))).toEqual(["# One", "B", "# Two", "A", "X", "Y", "# Three"])
    expect(shown(placed(plan, "Y", undefined, "Two"))).toEqual(["# One", "A", "B", "# Two", "Y", "X", "# Three"])
    expect(shown(placed(plan, "A", undefined, "Three"))).toEqual(["# One", "B", "# Two", "X", "Y", "# Three", "A"])
    expect(shown(placed(plan, "Y", undefined, ""))).toEqual(["Y", "# One", "A", "B", "# Two", "X", "# Three"])
    expect(placed(plan, "X", undefined, "Two")).toEqual(plan)
  })

  test("goes to the same place as with the key that moves it into the next phase", () => {
    const plan = planOf(["One", "Two"], ["A", "One"], ["X", "Two"], ["B", "One"], ["Y", "Two"])
    expect(shown(placed(plan, "B", undefined, "Two"))).toEqual(shown(moved(plan, "B", 1)))
  })

  test("is first in the phase as the plan is shown, in any plan", () => {
    fc.assert(
      fc.property(planArbitrary, fc.nat(), fc.nat(), (plan, one, other) => {
        const todo = plan.todos[one % Math.max(1, plan.todos.length)]
        const names = phaseGroups(plan).map(({ name = "" }) => name)
        const phase = names[other % Math.max(1, names.length)]
        if (!todo || phase === undefined) return
        const after = apply(plan, movedTo(todo, plan, { phase })).plan
        const group = phaseGroups(after).find(({ name = "" }) => name === phase)
        expect(group?.todos[0]?.id).toBe(todo.id)
        expect(after.todos).toHaveLength(plan.todos.length)
      }),
    )
  })

  test("is right behind it as the plan is shown, in any plan", () => {
    fc.assert(
      fc.property(planArbitrary, fc.nat(), fc.nat(), (plan, one, other) => {
        const [todo, behind] = [one, other].map((chance) => plan.todos[chance % Math.max(1, plan.todos.length)])
        if (!todo || !behind || todo.id === behind.id) return
        const after = apply(plan, movedTo(todo, plan, { after: behind })).plan
        const ids = phaseGroups(after).flatMap(({ todos }) => todos.map(({ id }) => id))
        expect(ids.indexOf(todo.id)).toBe(ids.indexOf(behind.id) + 1)
        expect(ids).toHaveLength(plan.todos.length)
      }),
    )
  })
})
