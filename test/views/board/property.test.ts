/** What holds for the board whatever the sessions say, whatever is pressed, at whatever size. */

import fc from "fast-check"
import { expect, test } from "vitest"
import { progressOf } from "../../../src/plan/progress.ts"
import { startEdit } from "../../../src/views/board/edit.ts"
import { countsOf } from "../../../src/views/board/families.ts"
import { type BoardPlace, commandFor, keyHints } from "../../../src/views/board/keys.ts"
import { boardLines } from "../../../src/views/board/lines.ts"
import { boardList, olderKey } from "../../../src/views/board/list.ts"
import { clicked, wheeled } from "../../../src/views/board/pointer.ts"
import type { BoardSession, BoardState } from "../../../src/views/board/session.ts"
import { settled } from "../../../src/views/board/settle.ts"
import { type BoardAction, type BoardView, boardAfter, newBoardView } from "../../../src/views/board/view.ts"
import { plainLine } from "../../../src/views/text/span.ts"
import { widthOf } from "../../../src/views/text/width.ts"
import { rounds } from "../../rounds.ts"
import { anyPlan, anyText } from "../any-plan.ts"
import { noon } from "./sample.ts"

const keys = ["a", "b", "c", "d", "e"]
const states: BoardState[] = ["working", "waiting", "stalled", "ended", "finished", "failed", "idle"]
const anyTime = fc.constantFrom("", "never", "2026-11-15T11:59:00.000Z", "1999-01-01T00:00:00Z", "2030-01-01T00:00:00Z")

const anySession: fc.Arbitrary<BoardSession> = fc
  .record({
    key: fc.constantFrom(...keys),
    agentType: fc.oneof(fc.constantFrom("claude-code", "openai-codex"), anyText),
    session: anyText,
    agent: fc.oneof(fc.constant("main"), anyText),
    parent: fc.option(fc.constantFrom(...keys, "nobody"), { nil: undefined }),
    project: fc.oneof(fc.constantFrom("web", "api"), anyText),
    title: anyText,
    role: anyText,
    agentName: anyText,
    agentShortName: anyText,
    waitsFor: fc.option(
      fc.record({ kind: fc.constantFrom("permission" as const, "question" as const, "turn" as const), text: anyText }),
      { nil: undefined },
    ),
    error: anyText,
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
    { type: "unfold" },
    { type: "select", session: "b" },
    { type: "select", session: "gone" },
    { type: "select", session: olderKey },
    { type: "select-todo", todo: { session: "a", todo: "1" } },
    { type: "select-todo", todo: { session: "gone", todo: "" } },
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
    { type: "ask", purpose: { kind: "note", session: "a", todo: "1" } },
    { type: "ask", purpose: { kind: "reword", session: "a", todo: "1", text: "Some words\u001b[2J" } },
    { type: "ask", purpose: { kind: "rename", session: "b" } },
  ),
  fc.record({
    type: fc.constant("found" as const),
    filter: fc.oneof(fc.constant(""), anyText),
    sessions: fc.array(fc.tuple(fc.constantFrom(...keys), anyText)).map((found) => new Map(found)),
  }),
  anyText.map((text): BoardAction => ({ type: "insert", text })),
  anyText.map((text): BoardAction => ({ type: "notice", text })),
)

const anySize = fc.record({
  columns: fc.oneof(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 25, max: 140 })),
  rows: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 9, max: 50 })),
  ascii: fc.boolean(),
})

/** Which sessions are old, as the clock and a person's settings have it. */
const anyView = fc
  .record({
    before: fc.constantFrom(Number.NEGATIVE_INFINITY, Date.parse("2020-01-01"), Number.POSITIVE_INFINITY),
    isUnfolded: fc.boolean(),
    can: fc.record({ open: fc.boolean(), search: fc.boolean(), mouse: fc.boolean() }),
  })
  .map(newBoardView)

const anyPoint = fc.record({ column: fc.integer({ min: 0, max: 150 }), row: fc.integer({ min: 0, max: 60 }) })

/** A change of the sessions, an action, the mouse, or another size: what may come next in the life of a board. */
const anyStep = fc.oneof(
  { weight: 2, arbitrary: anyPoint.map((click) => ({ click })) },
  { weight: 1, arbitrary: anyPoint.map((wheel) => ({ wheel })) },
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
    fc.property(
      anyView,
      anySessions,
      anySize,
      fc.array(anyStep, { maxLength: 10 }),
      (start, first, firstSize, steps) => {
        let [view, sessions, size] = [start, first as readonly BoardSession[], firstSize]
        checkFrame(view, sessions, size)
        for (const step of steps) {
          if ("sessions" in step) sessions = step.sessions
          else if ("size" in step) size = step.size
          else if ("click" in step || "wheel" in step) {
            const board = { view, sessions, size }
            const actions = "click" in step ? clicked(board, step.click) : wheeled(board, step.wheel, 1)
            for (const action of actions) view = settled(boardAfter(view, action, sessions), sessions, size)
          } else view = boardAfter(view, step.action, sessions)
          // A frame is sound even when the view was not settled before.
          checkFrame(view, sessions, size)
          view = settled(view, sessions, size)
          checkFrame(view, sessions, size)
        }
      },
    ),
    { numRuns: rounds(40) },
  )
})

test("settling twice has the effect of settling once", () => {
  fc.assert(
    fc.property(
      anyView,
      anySessions,
      anySize,
      fc.array(anyAction, { maxLength: 10 }),
      (start, sessions, size, actions) => {
        const view = actions.reduce(
          (last, action) => settled(boardAfter(last, action, sessions), sessions, size),
          start,
        )
        const once = settled(view, sessions, size)
        expect(settled(once, sessions, size)).toEqual(once)
      },
    ),
    { numRuns: rounds(30) },
  )
})

test("the selection always exists, whatever changes underneath", () => {
  fc.assert(
    fc.property(
      anyView,
      fc.array(anySessions, { minLength: 1, maxLength: 4 }),
      anySize,
      fc.array(anyAction, { minLength: 1 }),
      (start, changes, size, actions) => {
        let view = start
        for (const sessions of changes) {
          view = actions.reduce((last, action) => settled(boardAfter(last, action, sessions), sessions, size), view)
          if (view.filters.sessions === "" && sessions.length > 0) {
            expect([...sessions.map(({ key }) => key), olderKey]).toContain(view.session)
            expect(boardList(view, sessions).places.get(view.session ?? "")).toBe(view.place)
          }
          const { cursor } = view
          if (!cursor) continue
          const owners = sessions.filter(({ key }) => key === cursor.session)
          expect(owners.flatMap(({ plan }) => plan?.todos.map(({ id }) => id) ?? [])).toContain(cursor.todo)
        }
      },
    ),
    { numRuns: rounds(30) },
  )
})

test("every session is counted once: in a section, under a project, or among the older ones", () => {
  fc.assert(
    fc.property(anyView, anySessions, (view, sessions) => {
      const { entries, shown } = boardList({ ...view, isUnfolded: false, session: undefined }, sessions)
      const counts = entries.map((entry) => (entry.kind === "session" ? 0 : entry.count))
      const { total, by } = countsOf(sessions)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total)
      expect(shown).toBe(total)
      expect([...by.values()].reduce((sum, count) => sum + count, 0)).toBe(total)
    }),
    { numRuns: rounds(30) },
  )
})

test("every session is listed when all are unfolded, except for sub-agents that are over", () => {
  fc.assert(
    fc.property(anyView, anySessions, (view, sessions) => {
      const listed = boardList({ ...view, isUnfolded: true, session: undefined }, sessions).entries.flatMap((entry) =>
        entry.kind === "session" ? entry.session : [],
      )
      expect(new Set(listed).size).toBe(listed.length)
      const isOver = ({ state }: BoardSession): boolean => !["working", "waiting", "stalled"].includes(state)
      for (const one of sessions) if (!isOver(one) || one.parent === undefined) expect(listed).toContain(one)
    }),
    { numRuns: rounds(30) },
  )
})

test("every hinted key does something, and its wish is an edit, a question or a refusal", () => {
  fc.assert(
    fc.property(
      anyView,
      anySessions,
      anySize,
      fc.array(anyAction, { maxLength: 6 }),
      (start, sessions, size, actions) => {
        const view = actions.reduce(
          (last, action) => settled(boardAfter(last, action, sessions), sessions, size),
          start,
        )
        const place: BoardPlace = view.page ?? "board"
        for (const { key } of keyHints(view, sessions)) {
          const command = commandFor({ arrows: "up", esc: "escape" }[key] ?? key, place)
          expect(command).toBeDefined()
          if (command?.kind !== "edit") continue
          const answer = startEdit(view, sessions, command.action)
          if ("ask" in answer)
            checkFrame(boardAfter(view, { type: "ask", purpose: answer.ask }, sessions), sessions, size)
          else if ("edit" in answer) expect(sessions.some((one) => one.key === answer.session)).toBe(true)
        }
      },
    ),
    { numRuns: rounds(30) },
  )
})
