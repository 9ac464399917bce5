/** What the list of sessions puts first, what it folds, and what its rows say. */

import { describe, expect, test } from "vitest"
import { countsOf, familiesOf } from "../../../src/views/board/families.ts"
import { foldedBefore } from "../../../src/views/board/fold.ts"
import { boardLines } from "../../../src/views/board/lines.ts"
import { boardList, olderKey } from "../../../src/views/board/list.ts"
import { newsOf } from "../../../src/views/board/news.ts"
import type { BoardSession } from "../../../src/views/board/session.ts"
import { settled } from "../../../src/views/board/settle.ts"
import { type BoardAction, type BoardView, boardAfter, newBoardView } from "../../../src/views/board/view.ts"
import { plainLine } from "../../../src/views/text/span.ts"
import { planOf } from "../sample.ts"
import { ago, boardSession, explorer, finished, morning, noon, shop, stalled, waiting } from "./sample.ts"

const size = { columns: 59, rows: 40, ascii: false }

const folding = (isUnfolded = false): BoardView => newBoardView({ before: foldedBefore(noon, 3), isUnfolded })

const textOf = (view: BoardView, sessions: readonly BoardSession[], at = size): string[] =>
  boardLines(view, sessions, { ...at, now: noon }).map((line) => plainLine(line).trimEnd())

const viewAfter = (view: BoardView, sessions: readonly BoardSession[], ...actions: BoardAction[]): BoardView =>
  actions.reduce(
    (last, action) => settled(boardAfter(last, action, sessions), sessions, size),
    settled(view, sessions, size),
  )

/** Headings as they are, sessions by their keys. */
const orderOf = (sessions: readonly BoardSession[], view: BoardView = newBoardView()): string[] =>
  boardList(view, sessions).entries.map((entry) => {
    if (entry.kind === "session") return entry.session.key
    if (entry.kind === "older") return `${entry.count} older`
    return `${entry.kind === "section" ? entry.section : entry.name} ${entry.count}`
  })

const named = (key: string, fields: Partial<BoardSession> = {}): BoardSession => ({
  ...boardSession({ key, session: key }),
  ...fields,
})

const days = (count: number): string => ago(60 * 24 * count)

const filterFor = (text: string): BoardAction[] => [
  { type: "ask", purpose: { kind: "filter", pane: "sessions" } },
  { type: "insert", text },
]

describe("attention first", () => {
  test("waiting sessions come first over all projects, then working ones, then the rest by project", () => {
    const sessions = [
      named("done", { project: "web", state: "finished", updated: ago(50) }),
      named("works", { project: "api" }),
      named("failed", { project: "api", state: "failed", updated: ago(70) }),
      named("waits", { project: "web", state: "waiting", updated: ago(90) }),
      named("stalls", { project: "web", state: "stalled", updated: ago(9) }),
      named("waits too", { project: "api", state: "waiting", updated: ago(3) }),
    ]
    expect(orderOf(sessions)).toEqual([
      "waiting 2",
      "waits too",
      "waits",
      "working 2",
      "works",
      "stalls",
      "web 1",
      "done",
      "api 1",
      "failed",
    ])
  })

  test("a session with a question comes before one that has only ended a turn", () => {
    const sessions = [
      named("turn", { state: "waiting", waitsFor: { kind: "turn" }, updated: ago(1) }),
      named("asks", { state: "waiting", waitsFor: { kind: "permission" }, updated: ago(60) }),
    ]
    expect(orderOf(sessions)).toEqual(["waiting 2", "asks", "turn"])
  })

  test("a new line of a working session moves no row", () => {
    const sessions = [named("b"), named("a"), named("c", { project: "api" })]
    const busy = sessions.map((one) =>
      one.key === "b" ? { ...one, state: "stalled" as const, updated: ago(-5) } : one,
    )
    expect(orderOf(busy)).toEqual(orderOf(sessions))
  })

  test("a sub-agent that works or waits moves its session, and is not a session itself", () => {
    const main = named("main", { state: "finished" })
    const helper = named("helper", { agent: "a1", parent: "main" })
    expect(orderOf([main, helper])).toEqual(["working 1", "main", "helper"])
    expect(countsOf([main, helper])).toEqual({ total: 1, by: new Map([["working", 1]]) })
    expect(orderOf([main, { ...helper, state: "waiting" }])).toEqual(["waiting 1", "main", "helper"])
  })

  test("a sub-agent that has finished is listed only while it is selected or a filter finds it", () => {
    const helper = named("helper", { agent: "a1", parent: "main", role: "explore", state: "finished" })
    const sessions = [named("main"), helper]
    expect(orderOf(sessions)).toEqual(["working 1", "main"])
    expect(orderOf(sessions, { ...newBoardView(), session: "helper" })).toEqual(["working 1", "main", "helper"])
    expect(viewAfter(newBoardView(), sessions, ...filterFor("explore")).session).toBe("helper")
  })

  test("agents that work for each other, for themselves or for an unknown agent are all shown once", () => {
    const sessions = [
      named("a", { parent: "b" }),
      named("b", { parent: "a" }),
      named("c", { parent: "c" }),
      named("d", { parent: "gone" }),
    ]
    expect(orderOf(sessions).slice(1).toSorted()).toEqual(["a", "b", "c", "d"])
    expect(familiesOf(sessions)).toHaveLength(3)
  })

  test("a board begins with the session that waits", () => {
    expect(settled(newBoardView(), morning, size).session).toBe(waiting.key)
  })

  test("the counts add up to all sessions: those in the sections, by project, and older", () => {
    const sessions = [
      ...morning,
      ...[4, 5, 90].map((age) => named(`old ${age}`, { state: "idle", updated: days(age) })),
    ]
    const counts = boardList(folding(), sessions).entries.flatMap((entry) =>
      entry.kind === "session" ? [] : [entry.count],
    )
    expect(counts.reduce((sum, count) => sum + count)).toBe(countsOf(sessions).total)
    const wide = { columns: 100, rows: 40, ascii: false }
    expect(textOf(folding(), sessions, wide)[0]).toMatch(/1 waiting for you {2}▷ 1 stalled {2}▶ 1 working +8 sessions$/)
  })
})

describe("older sessions", () => {
  const old = [4, 5, 6].map((age) => named(`old ${age}`, { project: "web", state: "finished", updated: days(age) }))
  const sessions = [...old, named("new", { project: "web", state: "finished", updated: days(2) })]

  test("fold into one entry, are unfolded by a key, and fold again", () => {
    expect(orderOf(sessions, folding())).toEqual(["web 1", "new", "3 older"])
    const view = viewAfter(folding(), sessions, { type: "unfold" })
    expect(orderOf(sessions, view)).toEqual(["web 1", "new", "3 older", "web 3", "old 4", "old 5", "old 6"])
    expect(orderOf(sessions, viewAfter(view, sessions, { type: "unfold" }))).toEqual(["web 1", "new", "3 older"])
  })

  test("are an entry that can be selected, and enter unfolds it", () => {
    const there = viewAfter(folding(), sessions, { type: "move", by: 1 })
    expect(there.session).toBe(olderKey)
    expect(textOf(there, sessions)).toContainEqual(expect.stringMatching(/^> ▸ 3 older +enter shows$/))
    const open = viewAfter(there, sessions, { type: "open" })
    expect(open.isUnfolded).toBe(true)
    expect(viewAfter(open, sessions, { type: "move", by: 1 }).session).toBe("old 4")
  })

  test("never include one that works or waits, or one without a time", () => {
    const odd = [
      named("works", { updated: days(9) }),
      named("waits", { state: "waiting", updated: days(9) }),
      named("timeless", { state: "idle", updated: "" }),
    ]
    expect(orderOf([...odd, ...old], folding())).toContain("3 older")
  })

  test("leave the newest five visible if nothing else is listed", () => {
    const all = [7, 4, 5, 9, 6, 8, 10].map((age) => named(`${age}`, { state: "idle", updated: days(age) }))
    expect(orderOf(all, folding())).toEqual(["web-shop 5", "4", "5", "6", "7", "8", "2 older"])
  })

  test("begin after a number of days; with a negative one nothing is folded", () => {
    expect(orderOf(sessions, newBoardView({ before: foldedBefore(noon, 5.5) }))).toContain("1 older")
    expect(orderOf(sessions, newBoardView({ before: foldedBefore(noon, -1) }))).toEqual([
      "web 4",
      "new",
      "old 4",
      "old 5",
      "old 6",
    ])
  })

  test("are found by a filter, and stay visible when the filter is removed", () => {
    const found = viewAfter(folding(), sessions, ...filterFor("old 5"))
    expect(found.session).toBe("old 5")
    const cleared = viewAfter(found, sessions, { type: "back" })
    expect(cleared.session).toBe("old 5")
    expect(orderOf(sessions, cleared)).toEqual(["web 1", "new", "3 older", "web 1", "old 5"])
  })
})

describe("a filter", () => {
  test("keeps the selection where it matches, and takes the first match where it does not", () => {
    const start = { ...newBoardView(), session: stalled.key }
    expect(viewAfter(start, morning, ...filterFor("upgrade")).session).toBe(stalled.key)
    expect(viewAfter(start, morning, ...filterFor("orders")).session).toBe(shop.key)
    const typed = viewAfter({ ...newBoardView(), session: finished.key }, morning, ...filterFor("e"))
    expect(typed.session).toBe(finished.key)
  })

  test("finds titles, kinds of sub-agents, questions and errors", () => {
    const failed = named("failed", { state: "failed", error: "overloaded_error" })
    const found = (text: string): string | undefined =>
      viewAfter(newBoardView(), [...morning, failed], ...filterFor(text)).session
    expect(found("new table")).toBe(shop.key)
    expect(found("explore")).toBe(explorer.key)
    expect(found("an account there")).toBe(waiting.key)
    expect(found("overloaded")).toBe("failed")
  })

  test("shows the results of a full search, with the text around them", () => {
    const asked = viewAfter(newBoardView(), morning, ...filterFor("zebra"))
    expect(textOf(asked, morning).join("\n")).toContain("Nothing matches.")
    const sessions = new Map([[finished.key, "…make the zebra stripes…"]])
    const after = viewAfter(asked, morning, { type: "found", filter: "zebra", sessions })
    expect(after.session).toBe(finished.key)
    expect(textOf(after, morning).join("\n")).toContain("…make the zebra stripes…")
    expect(viewAfter(asked, morning, { type: "found", filter: "zeb", sessions })).toEqual(asked)
    const inTitle = new Map([[shop.key, "…the orders to a new…"]])
    const orders = viewAfter(newBoardView(), morning, ...filterFor("orders"))
    const titled = viewAfter(orders, morning, { type: "found", filter: "orders", sessions: inTitle })
    expect(textOf(titled, morning)).toEqual(textOf(orders, morning))
  })
})

describe("the second line", () => {
  test.each<[string, Partial<BoardSession>, string | undefined]>([
    [
      "a permission",
      { state: "waiting", waitsFor: { kind: "permission", text: "Bash rm -r dist" } },
      "needs permission: Bash rm -r dist",
    ],
    ["a question", { state: "waiting", waitsFor: { kind: "question", text: "Which one?" } }, "asks: Which one?"],
    ["the end of a turn", { state: "waiting", waitsFor: { kind: "turn" } }, "your turn"],
    ["an unknown reason to wait", { state: "waiting" }, "your turn"],
    ["where a turn ended", { state: "waiting", current: "Mixing paint" }, "your turn, at: Mixing paint"],
    ["an error", { state: "failed", error: "529 overloaded" }, "529 overloaded"],
    ["what is being done", { current: "Mixing paint" }, "Mixing paint"],
    ["work without a plan", {}, "working, no plan yet"],
    ["that nothing is left", { todos: 1, progress: { completed: 1, total: 1, percent: 100 } }, "all todos are done"],
    ["where it stalled", { state: "stalled", current: "Mixing paint" }, "stalled at: Mixing paint"],
    [
      "what an ended session left",
      { state: "ended", current: "Mixing paint", todos: 3, progress: { completed: 1, total: 3, percent: 33 } },
      "ended with 2 left: Mixing paint",
    ],
    ["nothing, for what is finished", { state: "finished" }, undefined],
    ["nothing, for what is long over", { state: "idle" }, undefined],
  ])("shows %s", (_name, fields, text) => {
    expect(newsOf(named("a", fields))).toBe(text)
  })

  test("is there only where it adds something to the first", () => {
    const lines = textOf(newBoardView(), [named("a", { state: "finished", title: "Paint it", updated: ago(60) })])
    expect(lines[3]).toMatch(/^> ✓ Paint it +claude-code +1h$/)
    expect(lines[4]).toBe("")
  })

  test("in the plan pane is the whole question, above the plan", () => {
    const wide = { columns: 80, rows: 30, ascii: false }
    const view = settled({ ...newBoardView(), session: waiting.key }, morning, wide)
    const right = textOf(view, morning, wide).map((line) => line.slice(line.indexOf("│") + 1))
    expect(right.slice(5, 7)).toEqual([" asks: Which provider shall I use, and do we", " have an account there?"])
  })
})

describe("names", () => {
  test("an id is shown only where two would look the same, and then long enough to differ", () => {
    const same = (session: string): BoardSession =>
      named(session, { session, title: "Fix the build", state: "finished", updated: ago(9) })
    const [one, other] = ["01a1e08b-95bb-7642-8c58-840f1ddf27da", "01a1e08b-9aa0-7642-8c58-840f1ddf27da"]
    const text = textOf(newBoardView(), [same(one), same(other), named("c", { title: "Ship it" })]).join("\n")
    expect(text).toContain("✓ 01a1e08b-95 Fix the build")
    expect(text).toContain("✓ 01a1e08b-9a Fix the build")
    expect(text).toMatch(/▶ Ship it +claude-code/)
  })
})

describe("rows out of view", () => {
  const many = Array.from({ length: 30 }, (_, index) =>
    named(`s${String(index).padStart(2, "0")}`, {
      title: `Session ${index}`,
      state: "finished",
      updated: ago(index),
      plan: planOf(
        Array.from({ length: 40 }, (_, todo) => ({ content: `Step ${todo}`, status: "completed" as const })),
      ),
    }),
  )

  test("are counted on the lines above and below each pane", () => {
    const wide = { columns: 80, rows: 20, ascii: false }
    const view = settled(newBoardView(), many, wide)
    expect(textOf(view, many, wide).at(-2)).toMatch(/ ↓ 15 more ──┴─+$/)
    expect(textOf(view, many, wide)[1]).toMatch(/┬─+ ↑ 28 more ──$/)
    const below = settled(boardAfter(view, { type: "move", by: 99 }, many), many, wide)
    expect(textOf(below, many, wide)[1]).toMatch(/─ ↑ 14 more ──┬/)
    expect(textOf(below, many, wide).at(-2)).not.toContain("more")
  })

  test("are a sign in the corner where the screen has no such lines, also in ASCII", () => {
    const small = { columns: 40, rows: 8, ascii: true }
    const view = settled(boardAfter(settled(newBoardView(), many, small), { type: "move", by: 9 }, many), many, small)
    const lines = textOf(view, many, small)
    expect(lines[1]).toMatch(/\^$/)
    expect(lines.at(-2)).toMatch(/v$/)
  })
})
