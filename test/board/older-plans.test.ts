/** A listing that only counts old plans says the same as one that has made a row of each of them. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { listSessions } from "../../src/board/joined-session.ts"
import { countPlans, withoutOlder } from "../../src/board/older-plans.ts"
import { createOpened } from "../../src/cli/opened.ts"
import { printSessions } from "../../src/cli/output/session-table.ts"
import type { PlanSummary } from "../../src/stores/store.ts"
import { foldedBefore } from "../../src/views/board/fold.ts"
import { leastShown } from "../../src/views/board/list.ts"
import { silentIo } from "../cli/silent-io.ts"
import { rounds } from "../rounds.ts"

const now = new Date("2026-11-16T12:30:00Z")

const listed = (plans: readonly PlanSummary[], older = 0): string => {
  const printed: string[] = []
  const io = {
    ...silentIo("/home/ada"),
    now: () => now,
    out: (text: unknown) => void printed.push(JSON.stringify(text)),
    err: (text: string) => void printed.push(text),
  }
  const context = { io, values: {}, words: [], behind: [], opened: createOpened() }
  printSessions(context, listSessions(plans, [], now), older)
  return printed.join("\n")
}

const hoursAgo = (hours: number): string => new Date(now.getTime() - hours * 3_600_000).toISOString()

const anyTime = fc.oneof(
  fc.constantFrom(-30, 0, 1, 11, 13, 70, 71, 72, 73, 100, 101, 500).map(hoursAgo),
  fc.constantFrom(
    "",
    "2026-13-01T00:00:00.000Z",
    "2026-02-31T00:00:00.000Z",
    "2026-01-01",
    "2026-01-01T02:00:00+02:00",
  ),
)

const anyPlan: fc.Arbitrary<PlanSummary> = fc
  .record({
    session: fc.constantFrom(..."abcdefghijkl"),
    agent: fc.constantFrom("main", "main", "main", "helper"),
    updated: anyTime,
    worked: fc.option(anyTime, { nil: undefined }),
    isFinished: fc.boolean(),
    todos: fc.nat(2),
    project: fc.constantFrom("/p", "/q"),
  })
  .map(({ worked, agent, ...plan }) => ({
    ...plan,
    agent,
    progress: { completed: 0, total: plan.todos, percent: 0 },
    ...(worked === undefined ? {} : { worked }),
    ...(agent === "main" ? {} : { parent: { agent: "main" } }),
  }))

const newestFirst = (one: PlanSummary, other: PlanSummary): number => (one.updated < other.updated ? 1 : -1)

test("old plans are counted as if they had been listed", () => {
  const keyOf = ({ session, agent }: PlanSummary): string => `${session} ${agent}`
  fc.assert(
    fc.property(fc.uniqueArray(anyPlan, { maxLength: 24, selector: keyOf }), (given) => {
      const plans = given.toSorted(newestFirst)
      const how = {
        before: foldedBefore(now),
        least: leastShown,
        now,
        counts: countPlans(plans),
        seen: new Set<string>(),
      }
      const { plans: kept, older } = withoutOlder(plans, how)
      expect(kept.length + older).toBe(plans.length)
      expect(listed(kept, older)).toBe(listed(plans))
    }),
    { numRuns: rounds(500) },
  )
})

test("a plan whose session is found is not counted as old", () => {
  const plans = [..."abcdefgh"].map(
    (session): PlanSummary => ({
      session,
      agent: "main",
      updated: hoursAgo(500),
      progress: { completed: 0, total: 1, percent: 0 },
      isFinished: false,
      todos: 1,
    }),
  )
  const how = { before: foldedBefore(now), least: 0, now, counts: countPlans(plans), seen: new Set(["c"]) }
  expect(withoutOlder(plans, how)).toEqual({ plans: [plans[2]], older: 7 })
})
