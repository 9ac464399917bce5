import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Queued, runQueue } from "../../src/reference-agent/tool-queue.ts"
import { open, script, todoWrite } from "./open.ts"

/** Calls that take as many steps as they are told, and a log of who began and ended when. */
const callsOf = (plans: readonly { isConcurrencySafe: boolean; steps: number }[]) => {
  const log: { kind: "begin" | "end"; index: number }[] = []
  const calls = plans.map(
    ({ isConcurrencySafe, steps }, index): Queued<number> => ({
      isConcurrencySafe,
      async run() {
        log.push({ kind: "begin", index })
        for (let step = 0; step < steps; step += 1) await Promise.resolve()
        log.push({ kind: "end", index })
        return index
      },
    }),
  )
  return { calls, log }
}

const plans = fc.array(fc.record({ isConcurrencySafe: fc.boolean(), steps: fc.nat(5) }), { maxLength: 12 })

describe("the queue of a turn (C26)", () => {
  test("returns results in the order of the calls, whatever takes longer", async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (given) => {
        const { calls } = callsOf(given)
        expect(await runQueue(calls)).toEqual(given.map((_, index) => index))
      }),
    )
  })

  test("never runs an unsafe call in parallel with another; those before it have ended, those after it wait", async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (given) => {
        const { calls, log } = callsOf(given)
        await runQueue(calls)
        const at = (kind: "begin" | "end", index: number): number =>
          log.findIndex((one) => one.kind === kind && one.index === index)
        for (const [index, { isConcurrencySafe }] of given.entries()) {
          if (isConcurrencySafe) continue
          for (const other of given.keys()) {
            if (other < index) expect(at("end", other)).toBeLessThan(at("begin", index))
            if (other > index) expect(at("begin", other)).toBeGreaterThan(at("end", index))
          }
        }
      }),
    )
  })

  test("runs safe calls in parallel", async () => {
    const { calls, log } = callsOf([
      { isConcurrencySafe: true, steps: 5 },
      { isConcurrencySafe: true, steps: 1 },
    ])
    await runQueue(calls)
    expect(log.map(({ kind }) => kind)).toEqual(["begin", "begin", "end", "end"])
  })

  test("applies two list calls of one turn in call order", async () => {
    const { run, tracker, eventsOf } = await open(
      script(
        { calls: [todoWrite(["Read", "in_progress"]), todoWrite(["Read", "pending"], ["Write", "in_progress"])] },
        { text: "Shall I go on?" },
      ),
    )
    await run()
    expect(eventsOf("plan-changed").map(({ plan }) => plan.todos.map(({ status }) => status))).toEqual([
      ["in_progress"],
      ["pending", "in_progress"],
    ])
    expect(tracker.plan.todos.map(({ content }) => content)).toEqual(["Read", "Write"])
  })
})
