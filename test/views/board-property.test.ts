/** What holds for the board whatever the sessions say, whatever is pressed, at whatever size. */

import fc from "fast-check"
import { expect, test } from "vitest"
import { progressOf } from "../../src/plan/progress.ts"
import { boardLines } from "../../src/views/board/lines.ts"
import type { BoardSession, BoardState } from "../../src/views/board/session.ts"
import { settled } from "../../src/views/board/settle.ts"
import { type BoardAction, type BoardView, boardAfter, newBoardView } from "../../src/views/board/view.ts"
import { plainLine } from "../../src/views/span.ts"
import { widthOf } from "../../src/views/width.ts"
import { noon } from "./board-sample.ts"
import { anyPlan, anyText } from "./sample.ts"

const keys = ["a", "b", "c", "d", "e"]
const states: BoardState[] = ["working", "waiting", "stalled", "finished", "idle"]
const anyTime = fc.constantFrom("", "never", "2026-11-15T11:59:00.000Z", "1999-01-01T00:00:00Z", "2030-01-01T00:00:00Z")

const anySession: fc.Arbitrary<BoardSession> = fc
  .record({
    key: fc.constantFrom(...keys),
    agentType: fc.oneof(fc.constantFrom("claude-code", "openai-codex"), anyText),
    session: anyText,
    agent: fc.oneof(fc.constant("main"), anyText),
    parent: fc.option(fc.constantFrom(...keys, "nobody"), { nil: undefined }),
    project: fc.oneof(fc.constantFrom("web", "api"), anyText),
    state: fc.constantFrom(...states),
    planTool: fc.constantFrom("present" as const, "absent" as const, "unknown" as const),
    updated: anyTime,
    current: fc.option(anyText, { nil: undefined }),
    plan: fc.option(anyPlan, { nil: undefined }),
    isEditable: fc.boolean(),
    started: anyTime,
    finished: anyTime,
  })
  .map(({ started, finished, ...session }) => ({
    ...session,
    progress: progressOf(session.plan ?? { todos: [] }),
    todos: session.plan?.todos.length ?? 0,
    times: Object.fromEntries((session.plan?.todos ?? []).map(({ id }) => [id, { started, finished }])),
    version: 0,
  }))

const anySessions = fc.array(anySession, { maxLength: 8 })

const anyAction: fc.Arbitrary<BoardAction> = fc.oneof(
  fc.record({ type: fc.constant("move" as const), by: fc.constantFrom(-1, 1, 1, 5, -5, Infinity, -Infinity, 0) }),
  fc.record({ type: fc.constant("focus" as const), pane: fc.constantFrom("sessions" as const, "plan" as const) }),
  fc.constantFrom<BoardAction[]>(
    { type: "open" },
    { type: "open" },
    { type: "back" },
    { type: "fold" },
    { type: "help" },
    { type: "next-waiting" },
    { type: "answered" },
    { type: "erase", what: "character" },
    { type: "erase", what: "word" },
    { type: "erase", what: "all" },
    { type: "caret", to: "left" },
    { type: "caret", to: "right" },
    { type: "caret", to: "start" },
    { type: "caret", to: "end" },
    { type: "ask", purpose: { kind: "filter", pane: "sessions" } },
    { type: "ask", purpose: { kind: "filter", pane: "plan" } },
    { type: "ask", purpose: { kind: "add", session: "a" } },
    { type: "ask", purpose: { kind: "block", session: "a", todo: "1" } },
    { type: "ask", purpose: { kind: "drop", session: "gone", todo: "1" } },
  ),
  anyText.map((text): BoardAction => ({ type: "insert", text })),
  anyText.map((text): BoardAction => ({ type: "notice", text })),
)

const anySize = fc.record({
  columns: fc.oneof(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 25, max: 140 })),
  rows: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 9, max: 50 })),
  ascii: fc.boolean(),
})

/** A change of the sessions, an action, or another size: what may come next in the life of a board. */
const anyStep = fc.oneof(
  { weight: 6, arbitrary: anyAction.map((action) => ({ action })) },
  { weight: 1, arbitrary: anySessions.map((sessions) => ({ sessions })) },
  { weight: 1, arbitrary: anySize.map((size) => ({ size })) },
)

const unsafe = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u206f]/

const checkFrame = (
  view: BoardView,
  sessions: readonly BoardSession[],
  size: { columns: number; rows: number; ascii: boolean },
) => {
  const lines = boardLines(view, sessions, { ...size, now: noon }).map(plainLine)
  expect(lines).toHaveLength(size.rows)
  for (const line of lines) {
    expect(widthOf(line)).toBeLessThanOrEqual(size.columns)
    expect(line).not.toMatch(unsafe)
    expect(line.isWellFormed()).toBe(true)
  }
}

test("a frame has exactly as many rows as the screen, none too wide, and no control character (G8)", () => {
  fc.assert(
    fc.property(anySessions, anySize, fc.array(anyStep, { maxLength: 10 }), (first, firstSize, steps) => {
      let [view, sessions, size] = [newBoardView(), first as readonly BoardSession[], firstSize]
      checkFrame(view, sessions, size)
      for (const step of steps) {
        if ("sessions" in step) sessions = step.sessions
        else if ("size" in step) size = step.size
        else view = boardAfter(view, step.action, sessions)
        // A frame is sound even when the view was not settled before.
        checkFrame(view, sessions, size)
        view = settled(view, sessions, size)
        checkFrame(view, sessions, size)
      }
    }),
    { numRuns: 100 },
  )
})

test("settling twice is settling once", () => {
  fc.assert(
    fc.property(anySessions, anySize, fc.array(anyAction, { maxLength: 10 }), (sessions, size, actions) => {
      const view = actions.reduce(
        (last, action) => settled(boardAfter(last, action, sessions), sessions, size),
        newBoardView(),
      )
      const once = settled(view, sessions, size)
      expect(settled(once, sessions, size)).toEqual(once)
    }),
    { numRuns: 80 },
  )
})

test("what is selected is always there, whatever changes underneath", () => {
  fc.assert(
    fc.property(
      fc.array(anySessions, { minLength: 1, maxLength: 4 }),
      anySize,
      fc.array(anyAction, { minLength: 1 }),
      (changes, size, actions) => {
        let view = newBoardView()
        for (const sessions of changes) {
          view = actions.reduce((last, action) => settled(boardAfter(last, action, sessions), sessions, size), view)
          if (view.filters.sessions === "" && sessions.length > 0) {
            expect(sessions.map(({ key }) => key)).toContain(view.session)
          }
          const { cursor } = view
          if (!cursor) continue
          const owners = sessions.filter(({ key }) => key === cursor.session)
          expect(owners.flatMap(({ plan }) => plan?.todos.map(({ id }) => id) ?? [])).toContain(cursor.todo)
        }
      },
    ),
    { numRuns: 80 },
  )
})
