/** When a person is called: for what lasts, once, and never for what they know. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { BoardSession, BoardState } from "../../src/views/board/session.ts"
import { createNotices, type NoticeEvent } from "../../src/views/notices.ts"

const began = Date.parse("2030-01-01T00:00:00Z")
const at = (seconds: number): Date => new Date(began + seconds * 1000)

type Facts = { key?: string; state?: BoardState; done?: number; parent?: string; updated?: number; current?: string }

const session = (facts: Facts = {}): BoardSession => {
  const { key = "s", state = "working", done = 0, parent, updated = 0, current } = facts
  return {
    key,
    agentType: "claude-code",
    session: key,
    agent: parent === undefined ? "main" : "sub",
    parent,
    project: "~/p",
    state,
    planTool: "present",
    updated: at(updated).toISOString(),
    progress: { completed: done, total: 3, percent: 0 },
    todos: 3,
    current,
    isEditable: true,
    version: 0,
  }
}

/** What is told when things are shown at these seconds. */
const noticesAfter = (...looks: [seconds: number, ...sessions: BoardSession[]][]): string[] => {
  const notices = createNotices({ steady: 3000, quiet: 60_000 })
  return looks.flatMap(([seconds, ...sessions]) =>
    notices(sessions, at(seconds)).map(({ event, session }) => `${seconds} ${event} ${session.key}`),
  )
}

const [busy, waiting, stalled] = [session(), session({ state: "waiting" }), session({ state: "stalled" })]

describe("a notice", () => {
  test.each([
    ["waiting_for_you", waiting],
    ["stalled", stalled],
    ["all_done", session({ done: 3 })],
  ])("%s comes after it has lasted, and only once", (event, then) => {
    expect(noticesAfter([0, busy], [10, then], [12, then], [13, then], [20, then], [999, then])).toEqual([
      `13 ${event} s`,
    ])
  })

  test("does not come for a state at the start, until the state has been over and comes again", () => {
    expect(noticesAfter([0, waiting], [10, waiting], [500, waiting])).toEqual([])
    expect(noticesAfter([0, waiting], [100, busy], [110, busy], [120, waiting], [123, waiting])).toEqual([
      "123 waiting_for_you s",
    ])
  })

  test("does not come for an old session that is found only now, but for a new one", () => {
    const [old, fresh] = [session({ state: "waiting", updated: -999 }), session({ state: "waiting", updated: 50 })]
    expect(noticesAfter([0], [50, old], [60, old])).toEqual([])
    expect(noticesAfter([0], [50, fresh], [60, fresh])).toEqual(["60 waiting_for_you s"])
  })

  test("does not come for a short-lived state", () => {
    const looks = Array.from({ length: 60 }, (_, second): [number, BoardSession] => [
      second,
      second % 4 < 2 ? busy : waiting,
    ])
    expect(noticesAfter(...looks)).toEqual([])
  })

  test("is not repeated when its condition is interrupted for a moment", () => {
    expect(noticesAfter([0, busy], [10, waiting], [13, waiting], [80, busy], [82, waiting], [200, waiting])).toEqual([
      "13 waiting_for_you s",
    ])
  })

  test("waits for the quiet time after the one before, and is not lost", () => {
    const looks: [number, BoardSession][] = [
      [0, busy],
      [10, waiting],
      [13, waiting],
      [20, busy],
      [30, busy],
      [40, waiting],
      [50, waiting],
      [72, waiting],
      [73, waiting],
    ]
    expect(noticesAfter(...looks)).toEqual(["13 waiting_for_you s", "73 waiting_for_you s"])
  })

  test("is about agents that work for the person, not about sub-agents", () => {
    const child = session({ key: "child", parent: "s", done: 3 })
    expect(noticesAfter([0, busy], [10, busy, child], [99, busy, child])).toEqual([])
  })

  test("names who, where and what in a line without terminal escapes", () => {
    const notices = createNotices()
    notices([busy], at(0))
    const late = session({ state: "stalled", current: "Run \u001b[31mtests\n" })
    notices([late], at(1))
    expect(notices([late], at(9)).map(({ message }) => message)).toEqual([
      "claude-code in ~/p seems to have stalled: Run tests",
    ])
  })
})

test("a run that ends with work left is reported, unless it had notified the person before", () => {
  const notices = createNotices()
  const ended = session({ state: "ended" })
  notices([session({ state: "working" })], at(0))
  notices([ended], at(1))
  expect(notices([ended], at(9)).map(({ event }) => event)).toEqual(["ended"])
  const waits = createNotices()
  waits([session({ state: "working" })], at(0))
  waits([session({ state: "waiting" })], at(1))
  expect(waits([session({ state: "waiting" })], at(9)).map(({ event }) => event)).toEqual(["waiting_for_you"])
  waits([ended], at(20))
  expect(waits([ended], at(90))).toEqual([])
})

test("the question, and the reason of a failure, are reported", () => {
  const noticesOf = (more: Partial<BoardSession>): string[] => {
    const notices = createNotices()
    notices([session({ state: "working" })], at(0))
    const one = { ...session({ state: more.state ?? "waiting", current: "Report" }), ...more }
    notices([one], at(1))
    return notices([one], at(9)).map(({ event, message }) => `${event}: ${message}`)
  }
  expect(noticesOf({ waitsFor: { kind: "permission", text: "Bash make" } })).toEqual([
    "waiting_for_you: claude-code in ~/p needs permission: Bash make",
  ])
  expect(noticesOf({ waitsFor: { kind: "question", text: "Which way?" } })).toEqual([
    "waiting_for_you: claude-code in ~/p asks: Which way?",
  ])
  expect(noticesOf({ waitsFor: { kind: "turn" } })).toEqual([
    "waiting_for_you: claude-code in ~/p waits for you: Report",
  ])
  expect(noticesOf({ state: "failed", error: "Overloaded" })).toEqual(["failed: claude-code in ~/p failed: Overloaded"])
})

const states = fc.constantFrom<BoardState>("working", "waiting", "stalled", "ended", "finished", "failed", "idle")
const steps = fc.array(fc.record({ state: states, done: fc.nat(3), after: fc.integer({ min: 1, max: 20 }) }), {
  maxLength: 80,
})

const holds: Record<NoticeEvent, (facts: { state: BoardState; done: number }) => boolean> = {
  all_done: ({ done }) => done === 3,
  waiting_for_you: ({ state }) => state === "waiting",
  stalled: ({ state }) => state === "stalled",
  ended: ({ state }) => state === "ended",
  failed: ({ state }) => state === "failed",
}

test("a notice is always true, has lasted, is news, and keeps its distance from the one before", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const notices = createNotices({ steady: 3000, quiet: 60_000 })
      const before = new Map<NoticeEvent, number>()
      let now = 0
      const seen = all.map((step) => {
        now += step.after
        const events = notices([session({ ...step, updated: now })], at(now)).map(({ event }) => event)
        return { ...step, now, events }
      })
      for (const [index, { events, now }] of seen.entries()) {
        for (const event of events) {
          const from = seen.findLastIndex((step, place) => place <= index && !holds[event](step))
          // It did not hold at the start, or it would be known; it has held since for as long as it must.
          expect(from).toBeGreaterThanOrEqual(0)
          expect(now - (seen[from + 1]?.now ?? now)).toBeGreaterThanOrEqual(3)
          expect(now - (before.get(event) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(60)
          before.set(event, now)
        }
      }
    }),
  )
})

test("a state that begins and lasts is always reported", () => {
  fc.assert(
    fc.property(steps, fc.constantFrom<BoardState>("waiting", "stalled"), (all, state) => {
      const notices = createNotices({ steady: 3000, quiet: 60_000 })
      let now = 0
      for (const step of all) {
        now += step.after
        notices([session({ ...step, updated: now })], at(now))
      }
      const last = [busy, busy, session({ state }), session({ state }), session({ state })].flatMap((one) => {
        now += 100
        return notices([one], at(now)).map(({ event }) => event)
      })
      expect(last).toEqual([state === "waiting" ? "waiting_for_you" : "stalled"])
    }),
  )
})

test("a message names the subject of the session, and the project, or only the project", () => {
  const messages = (title?: string): string[] => {
    const notices = createNotices({ steady: 0 })
    const one = { ...session({ state: "waiting", current: "Run tests", updated: 1 }), ...(title ? { title } : {}) }
    notices([busy], at(0))
    return [2, 3].flatMap((seconds) => notices([one], at(seconds)).map(({ message }) => message))
  }
  expect(messages("Fix the \u001b[31mlogin")).toEqual(["Fix the login (claude-code in ~/p) waits for you: Run tests"])
  expect(messages()).toEqual(["claude-code in ~/p waits for you: Run tests"])
})

test("a clock that is set back does not delay a notice until the old time", () => {
  const looks = [busy, waiting, waiting].map((one, index): [number, BoardSession] => [index * 5, one])
  const back = [busy, busy, waiting, waiting, waiting].map((one, index): [number, BoardSession] => [
    -3600 + index * 20,
    one,
  ])
  expect(noticesAfter(...looks, ...back)).toEqual(["10 waiting_for_you s", "-3540 waiting_for_you s"])
})
