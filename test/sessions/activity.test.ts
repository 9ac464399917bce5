/** What views say of a session: by what was last seen of it, when, and whether it still runs. */
import fc from "fast-check"
import { expect, test } from "vitest"
import {
  type SessionFacts,
  type SessionState,
  stalledFor,
  stateOf,
  waitingFor,
  workingFor,
} from "../../src/sessions/join/activity.ts"
import type { Activity } from "../../src/streams/stream.ts"

const now = new Date("2030-01-01T12:00:00Z")
const ago = (milliseconds: number): string => new Date(now.getTime() - milliseconds).toISOString()
const stands = (facts: Partial<SessionFacts>) => stateOf({ updated: ago(0), ...facts }, now)
const state = (facts: Partial<SessionFacts>): SessionState => stands(facts).state

test.each(["tool", "prompt", "text"] as const)("%s just now is work", (kind) => {
  expect(stands({ activity: { kind, at: ago(workingFor - 1) } })).toEqual({ state: "working" })
})

test.each(["tool", "prompt"] as const)("%s after which nothing came has stalled, and is idle much later", (kind) => {
  expect(state({ activity: { kind, at: ago(workingFor) } })).toBe("stalled")
  expect(state({ activity: { kind, at: ago(stalledFor) } })).toBe("idle")
})

test("old work on a list without open todos is finished, and a later prompt is not", () => {
  const long = (kind: Activity["kind"]) => state({ activity: { kind, at: ago(stalledFor) }, isPlanFinished: true })
  expect([long("tool"), long("prompt")]).toEqual(["finished", "idle"])
})

test.each(["turn-ended", "waiting"] as const)("N9 %s waits for the person, for half a day", (kind) => {
  expect(stands({ activity: { kind, at: ago(0) } })).toEqual({ state: "waiting", waitsFor: { kind: "turn" } })
  expect(state({ activity: { kind, at: ago(waitingFor - 1) } })).toBe("waiting")
  expect(state({ activity: { kind, at: ago(waitingFor) } })).toBe("idle")
})

test("a question is shown while waiting, for as long as its running client reports it", () => {
  const waitsFor = { kind: "permission", text: "Bash make" } as const
  const activity = { kind: "waiting", at: ago(2 * waitingFor), waitsFor } as const
  expect(stands({ activity: { ...activity, at: ago(0) } })).toEqual({ state: "waiting", waitsFor })
  expect(state({ activity })).toBe("idle")
  expect(stands({ activity, isNow: true })).toEqual({ state: "waiting", waitsFor })
  expect(state({ activity: { kind: "turn-ended", at: activity.at }, isNow: true })).toBe("idle")
})

test("text after which nothing came ends a turn", () => {
  expect(state({ activity: { kind: "text", at: ago(workingFor) } })).toBe("waiting")
  expect(state({ activity: { kind: "text", at: ago(waitingFor) } })).toBe("idle")
})

test("N9 a turn that ended with nothing left to do is finished, and so is a process that reported it", () => {
  expect(state({ activity: { kind: "turn-ended", at: ago(0) }, isPlanFinished: true })).toBe("finished")
  expect(state({ activity: { kind: "ended", at: ago(waitingFor) } })).toBe("finished")
})

test("a session that is over with work left, or in the middle of something, has ended", () => {
  const over = (kind: Activity["kind"], more: Partial<SessionFacts> = {}) =>
    state({ activity: { kind, at: ago(0) }, isEnded: true, ...more })
  expect(state({ activity: { kind: "ended", at: ago(0) }, hasWorkLeft: true })).toBe("ended")
  expect(over("turn-ended", { hasWorkLeft: true })).toBe("ended")
  expect(over("turn-ended")).toBe("finished")
  expect([over("tool"), over("prompt"), over("waiting")]).toEqual(["ended", "ended", "ended"])
  expect(over("tool", { isPlanFinished: true })).toBe("finished")
  expect(state({ isEnded: true, hasWorkLeft: true })).toBe("ended")
})

test("a run for one task waits for no one after its turn", () => {
  const activity = { kind: "turn-ended", at: ago(0) } as const
  expect(state({ activity, isOneShot: true })).toBe("finished")
  expect(state({ activity, isOneShot: true, hasWorkLeft: true })).toBe("ended")
  expect(state({ activity: { ...activity, at: ago(2 * waitingFor) }, isOneShot: true })).toBe("finished")
  expect(state({ activity: { kind: "tool", at: ago(0) }, isOneShot: true })).toBe("working")
  const interrupted = { ...activity, error: "The turn was interrupted.", isInterrupted: true } as const
  expect(state({ activity: interrupted, isOneShot: true })).toBe("ended")
})

test("a turn that broke off with an error has failed, one that the person stopped waits", () => {
  const activity = { kind: "turn-ended", at: ago(0), error: "Overloaded" } as const
  const failed = { state: "failed", error: "Overloaded" }
  expect(stands({ activity })).toEqual(failed)
  expect(stands({ activity: { ...activity, at: ago(2 * waitingFor) }, isEnded: true })).toEqual(failed)
  expect(stands({ activity, isSubAgent: true })).toEqual(failed)
  expect(stands({ activity: { ...activity, isInterrupted: true } })).toEqual({
    state: "waiting",
    waitsFor: { kind: "turn" },
  })
})

test("a question still waits when all todos are done", () => {
  expect(state({ activity: { kind: "waiting", at: ago(0) }, isPlanFinished: true })).toBe("waiting")
})

test("after its turn a sub-agent does not wait for the person, and what it left open is not finished", () => {
  const activity = { kind: "turn-ended", at: ago(0) } as const
  expect(state({ activity, isSubAgent: true })).toBe("finished")
  expect(state({ activity, isSubAgent: true, hasWorkLeft: true })).toBe("ended")
  expect(state({ activity, isSubAgent: true, hasWorkLeft: true, isEnded: true })).toBe("ended")
})

test("a list alone does not show that its agent works", () => {
  expect(state({ updated: ago(0) })).toBe("idle")
  expect(state({ updated: ago(0), hasWorkLeft: true })).toBe("idle")
  expect(state({ updated: ago(0), isPlanFinished: true })).toBe("finished")
})

test("an invalid time is long ago", () => {
  expect(state({ updated: "yesterday", activity: { kind: "tool" } })).toBe("idle")
})

test("a time ahead of now is as recent as its file", () => {
  const activity = { kind: "tool", at: ago(-10 * workingFor) } as const
  expect(state({ activity, updated: ago(workingFor - 1) })).toBe("working")
  expect(state({ activity, updated: ago(stalledFor) })).toBe("idle")
})

test("a time ahead of now, like that of its file, does not count as recent", () => {
  const at = "2099-01-01T00:00:00Z"
  expect(state({ activity: { kind: "tool", at }, updated: at })).toBe("idle")
  expect(state({ activity: { kind: "waiting", at }, updated: at })).toBe("idle")
})

test("clocks may differ a little", () => {
  expect(state({ activity: { kind: "tool", at: ago(-60_000) }, updated: ago(stalledFor) })).toBe("working")
})

const kinds = fc.constantFrom<Activity["kind"][]>("tool", "text", "prompt", "turn-ended", "waiting", "ended")
const anyFacts = fc.record(
  {
    activity: fc.record(
      {
        kind: kinds,
        at: fc.integer({ min: -10, max: 3000 }).map((minutes) => ago(minutes * 60_000)),
        error: fc.string(),
        isInterrupted: fc.constant(true as const),
      },
      { requiredKeys: ["kind", "at"] },
    ),
    updated: fc.integer({ min: -10, max: 3000 }).map((minutes) => ago(minutes * 60_000)),
    isPlanFinished: fc.boolean(),
    hasWorkLeft: fc.boolean(),
    isSubAgent: fc.boolean(),
    isOneShot: fc.boolean(),
    isEnded: fc.boolean(),
    isNow: fc.boolean(),
  },
  { requiredKeys: ["updated"] },
)

/** What a session may come to be while nothing new is seen of it. */
const later: Record<SessionState, readonly SessionState[]> = {
  working: ["working", "waiting", "stalled", "finished", "ended", "failed", "idle"],
  waiting: ["waiting", "idle"],
  stalled: ["stalled", "finished", "idle"],
  ended: ["ended"],
  finished: ["finished"],
  failed: ["failed"],
  idle: ["idle"],
}

test("time alone never sets a session to working, and changes nothing about one that is over", () => {
  fc.assert(
    fc.property(anyFacts, fc.integer({ min: 0, max: 10_000 }), (facts, minutes) => {
      const before = stateOf(facts, now)
      const after = stateOf(facts, new Date(now.getTime() + minutes * 60_000))
      // What is dated ahead may come true with time.
      const isAhead = [facts.activity?.at, facts.updated].some((at) => at !== undefined && at > now.toISOString())
      if (!isAhead) expect(later[before.state]).toContain(after.state)
      expect(stateOf(facts, now)).toEqual(before)
      expect(before.waitsFor !== undefined).toBe(before.state === "waiting")
      expect(before.error !== undefined).toBe(before.state === "failed")
    }),
  )
})

test("a session whose process has ended never works, waits or stalls", () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      expect(["ended", "finished", "failed"]).toContain(stateOf({ ...facts, isEnded: true }, now).state)
    }),
  )
})
