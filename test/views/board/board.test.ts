/** The board as lines: what stands where, and what keys make of it. */

import { describe, expect, test } from "vitest"
import { startEdit } from "../../../src/views/board/edit.ts"
import { boardLines } from "../../../src/views/board/lines.ts"
import type { BoardSession, BoardState } from "../../../src/views/board/session.ts"
import { settled } from "../../../src/views/board/settle.ts"
import { timeOf } from "../../../src/views/board/todo.ts"
import { type BoardAction, type BoardView, boardAfter, newBoardView } from "../../../src/views/board/view.ts"
import { type Line, plainLine } from "../../../src/views/text/span.ts"
import { widthOf } from "../../../src/views/text/width.ts"
import { cpuTimeOf } from "../../cpu-time.ts"
import { planOf } from "../sample.ts"
import { ago, boardSession, explorer, finished, morning, noon, shop, shopPlan, waiting } from "./sample.ts"

type Size = { columns: number; rows: number; ascii: boolean }

const screen = (columns: number, rows: number, ascii = false): Size => ({ columns, rows, ascii })

const linesOf = (view: BoardView, sessions: readonly BoardSession[], size: Size): Line[] =>
  boardLines(view, sessions, { ...size, now: noon })

const textOf = (view: BoardView, sessions: readonly BoardSession[], size: Size): string[] =>
  linesOf(view, sessions, size).map((line) => plainLine(line).trimEnd())

/** A board with a session selected, after some actions. */
const viewAfter = (
  actions: readonly BoardAction[],
  { sessions = morning, size = screen(80, 24), session = shop.key as string | undefined } = {},
): BoardView =>
  actions.reduce(
    (view, action) => settled(boardAfter(view, action, sessions), sessions, size),
    settled({ ...newBoardView(), session }, sessions, size),
  )

const open: BoardAction = { type: "open" }
const back: BoardAction = { type: "back" }
const move = (by: number): BoardAction => ({ type: "move", by })
const type = (text: string): BoardAction => ({ type: "insert", text })

describe("frames", () => {
  test("120 columns: waiting, working and other sessions by project at the left, the whole plan at the right", () => {
    const size = screen(120, 28)
    expect(textOf(viewAfter([], { size }), morning, size)).toEqual([
      " headway  ◆ 1 waiting for you  ▷ 1 stalled  ▶ 1 working                                                      5 sessions",
      "───────────────────────────────────────────────────┬────────────────────────────────────────────────────────────────────",
      " Waiting for you                                 1 │ Move the orders to a new table",
      "  ◆ Checkout page                 codex · web-shop │ Claude Code · ~/code/web-shop · 550206c9-ad53-4a5f-ba9b-dc6fab035f…",
      "    asks: Which provider shall I use, and… 1/4  4m │ ▶ working                             ██████░░░░░░░░░░░░░░ 2/6 33%",
      "                                                   │",
      " Working                                         2 │ Find out                                                       2/2",
      "  ▷ Upgrade the framework             gemini · api │   ✓ Read how orders are stored today                            4m",
      "    stalled in the middle of something     0/2 25m │   ✓ Write down what the new table needs ¹                      12m",
      "> ▶ Move the orders to a new ta… claude · web-shop │",
      "    Writing the migration                  2/6  9m │ Build                                                          0/2",
      "    ▶ explore: Who reads the orders                │   ▶ Write the migration, with a way back that keeps every or… ² 9m",
      "      Listing who calls them               1/2  2m │     the old column stays for one release",
      "                                                   │     ask about the nightly job",
      " api                                             1 │   ○ Run the tests against a copy of production",
      "  ✓ ses_1                         opencode 1/1  3h │",
      "                                                   │ Ship                                                           0/2",
      " docs                                            1 │   ⊘ Deploy to staging",
      "  ○ 8c424508                        claude-code 1d │     blocked: no access to the cluster; waits for Ada",
      "                                                   │   ✗ Send a mail to everybody",
      "                                                   │     cancelled: out of scope",
      "                                                   │   ○ Announce it",
      "                                                   │",
      "                                                   │  ▶ explore: Who reads the orders · working                     1/2",
      "                                                   │    ✓ Find every query on the orders table                       1m",
      "                                                   │    ▶ List who calls them                                        2m",
      "───────────────────────────────────────────────────┴────────────────────────────────────────────────────────────────────",
      " ↑↓ move  enter plan  w next waiting  / filter  r rename  a add  u undo  e edit  ctrl+t fold  ? help  q quit",
    ])
  })

  test("80 columns in ASCII, the cursor on a todo: all of its text and its notes are there", () => {
    const size = screen(80, 24, true)
    expect(textOf(viewAfter([open], { size }), morning, size)).toEqual([
      " headway  ! 1 waiting for you  ? 1 stalled  * 1 working              5 sessions",
      "----------------------------------+---------------------------------------------",
      " Waiting for you                1 | Move the orders to a new table",
      "  ! Checkout page        web-shop | Claude Code - ~/code/web-shop - 550206c9-...",
      "    asks: Which provid... 1/4  4m | * working             [###--------] 2/6 33%",
      "                                  |",
      " Working                        2 | Find out                                2/2",
      "  ? Upgrade the f... gemini - api |   [x] Read how orders are stored today   4m",
      "    stalled in the mid... 0/2 25m |   [x] Write down what the new ta... (1) 12m",
      "> * Move the orders t... web-shop |",
      "    Writing the migration 2/6  9m | Build                                   0/2",
      "    * explore: Who reads the o... |>  [>] Write the migration, with a        9m",
      "      Listing who call... 1/2  2m |       way back that keeps every",
      "                                  |       order that came in meanwhile",
      " api                            1 |       - the old column stays for one",
      "  x ses_1        opencode 1/1  3h |         release",
      "                                  |       - ask about the nightly job",
      " docs                           1 |   [ ] Run the tests against a copy of pr...",
      "  . 8c424508       claude-code 1d |",
      "                                  | Ship                                    0/2",
      "                                  |   [!] Deploy to staging",
      "                                  |       blocked: no access to the cluster;...",
      "----------------------------------+--------------------------------- v 4 more --",
      " j k move  esc back  space done  a add  s start  n note  ? help  q quit",
    ])
  })

  test("40 columns: one pane at a time", () => {
    const size = screen(40, 14)
    expect(textOf(viewAfter([], { size }), morning, size)).toEqual([
      " ◆ 1 waiting for you  ▷ 1 ▶ 1",
      "────────────────────────────────────────",
      " Waiting for you                      1",
      "  ◆ Checkout page      codex · web-shop",
      "    asks: Which provider shall… 1/4  4m",
      "",
      " Working                              2",
      "  ▷ Upgrade the framework  gemini · api",
      "    stalled in the middle of s… 0/2 25m",
      "> ▶ Move the orders … claude · web-shop",
      "    Writing the migration       2/6  9m",
      "    ▶ explore: Who reads the orders",
      "      Listing who calls them    1/2  2m↓",
      " ↑↓ move  enter plan  ? help  q quit",
    ])
    const plan = viewAfter([open], { size })
    expect(textOf(plan, morning, size)).toEqual([
      " ◆ 1 waiting for you  ▷ 1 ▶ 1",
      "──────────────────────────── ↑ 2 more ──",
      " Move the orders to a new table · Claud…",
      " ▶ working          ███░░░░░░░░ 2/6 33%",
      " Build                              0/2",
      ">  ▶ Write the migration, with a     9m",
      "     way back that keeps every",
      "     order that came in",
      "     meanwhile",
      "     · the old column stays for one",
      "     … enter shows all of it",
      "   ○ Run the tests against a copy of p…",
      "                                       ↓",
      " ↑↓ move  esc back  ? help  q quit",
    ])
    expect(textOf(settled(boardAfter(plan, back, morning), morning, size), morning, size)[2]).toContain(
      "Waiting for you",
    )
  })

  test("20 columns and 5 rows are enough to see the session and what it does", () => {
    const size = screen(20, 5)
    expect(textOf(viewAfter([], { size }), morning, size)).toEqual([
      " ◆ 1 ▷ 1 ▶ 1",
      "  ▷ Upgrade th… 0/2↑",
      "> ▶ Move the o… 2/6",
      "    ▶ explore:… 1/2↓",
      " ? help  q quit",
    ])
    const ascii = screen(20, 5, true)
    expect(textOf(viewAfter([open], { size: ascii }), morning, ascii)).toEqual([
      " ! 1 ? 1 * 1",
      " * Move the ... 2/6^",
      ">  [>] Write     9m",
      "       ... enter   v",
      " ? help  q quit",
    ])
  })

  test("a notice is shown to its end, in as many lines as it needs and at most four", () => {
    const text = "Claude Code is not connected here, so it will not see this. To connect it: headway setup claude-code"
    const size = screen(40, 24)
    const view = boardAfter(viewAfter([], { size }), { type: "notice", text }, morning)
    expect(textOf(view, morning, size).slice(-4)).toEqual([
      "────────────────────────────────────────",
      " Claude Code is not connected here, so",
      " it will not see this. To connect it:",
      " headway setup claude-code",
    ])
    expect(textOf(view, morning, screen(40, 9)).at(-1)).toBe(" Claude Code is not connected here, so …")
    const long = boardAfter(view, { type: "notice", text: text.repeat(3) }, morning)
    const shown = textOf(long, morning, size)
    expect(shown.length).toBe(24)
    expect(shown.slice(-5)[0]).toMatch(/^─+$/)
    expect(shown.at(-1)).toMatch(/…$/)
  })

  test("a machine without agents shows what to do", () => {
    const size = screen(80, 14)
    expect(textOf(newBoardView(), [], size)).toEqual([
      " headway                                                             0 sessions",
      "────────────────────────────────────────────────────────────────────────────────",
      "",
      " No agent has a plan here yet.",
      "",
      "   headway demo                see what it looks like, no agent or key needed",
      "   headway run -- COMMAND      start an agent with its plan below it",
      "   headway setup               give your agents a list that lasts",
      "   headway --help              everything else",
      "",
      " A plan shows up here as soon as an agent writes one.",
      "",
      "",
      " ? help  q quit",
    ])
  })

  test("a session without a todo tool shows that, and what to do about it", () => {
    const size = screen(100, 16)
    const view = viewAfter([], { size, session: "claude:8c424508" })
    const text = textOf(view, morning, size).join("\n")
    expect(text).toContain("no plan tool")
    expect(text).toContain("a switch that turns one on")
  })

  test("selection is a mark as well as a style, only the focused pane is inverted, and marks keep their colour", () => {
    const size = screen(80, 24)
    const inverse = (view: BoardView): string[] =>
      linesOf(view, morning, size).flatMap((line) => {
        const text = line.flatMap((span) => (span.style?.inverse ? [span.text] : [])).join("")
        return text === "" ? [] : [text.trimEnd()]
      })
    const markOf = (view: BoardView, row: RegExp) =>
      linesOf(view, morning, size)
        .find((line) => row.test(plainLine(line)))
        ?.find(({ text }) => text === "▶ ")
    expect(inverse(viewAfter([]))).toEqual(["Move the orders to … web-shop", "Writing the migration 2/6  9m"])
    expect(markOf(viewAfter([]), /^> ▶/)).toEqual({ text: "▶ ", style: { colour: "green" } })
    expect(inverse(viewAfter([open]))[0]).toMatch(/^Write the migration/)
    expect(markOf(viewAfter([open]), /> {2}▶/)?.style).toEqual({ colour: "green" })
  })

  test("N9 sub-agents are under the agent they work for, and their plans under the plan", () => {
    const size = screen(100, 32)
    const lines = textOf(viewAfter([], { size }), morning, size)
    const right = lines.map((line) => line.slice(line.indexOf("│") + 1))
    const place = right.findIndex((line) => line.startsWith("  ▶ explore: Who reads the orders · working"))
    expect(place).toBeGreaterThan(right.findIndex((line) => line.includes("Announce it")))
    expect(right[place + 1]).toMatch(/^ {4}✓ Find every query on the orders table +1m$/)
    expect(right[place + 2]).toMatch(/^ {4}▶ List who calls them +2m$/)
  })

  test("N9 a sub-agent without its main agent has its own name, and is not shown as the session", () => {
    const size = screen(100, 12)
    const alone = boardSession({ key: "alone", session: "550206c9", agent: "explore" })
    const shown = textOf(newBoardView(), [alone], size).join("\n")
    expect(shown).toMatch(/▶ explore +claude-code/)
    expect(shown).not.toMatch(/▶ 550206c9/)
  })
})

describe("selection", () => {
  test("stays with a session when others come in above it", () => {
    const size = screen(80, 24)
    const view = viewAfter([], { size })
    const more = [boardSession({ key: "a", project: "aaa" }), ...morning]
    expect(settled(view, more, size).session).toBe(shop.key)
  })

  test("moves to the neighbour when a session is gone, and leaves a plan that the person did not choose", () => {
    const size = screen(80, 24)
    const view = viewAfter([open], { size, session: waiting.key })
    const next = settled(
      view,
      morning.filter(({ key }) => key !== waiting.key),
      size,
    )
    expect(next.session).toBe("gemini:904ea9a7")
    expect(next.pane).toBe("sessions")
  })

  test("stays with a todo when the plan changes, and moves to the neighbour when the todo is gone", () => {
    const size = screen(80, 24)
    const view = viewAfter([open, move(1)], { size })
    expect(view.cursor).toEqual({ session: shop.key, todo: "4" })
    const withPlan = (todos: typeof shopPlan.todos): BoardSession[] => [{ ...shop, plan: { ...shopPlan, todos } }]
    const added = withPlan([
      { id: "9", content: "First of all", status: "pending", phase: "Find out" },
      ...shopPlan.todos,
    ])
    expect(settled(view, added, size).cursor?.todo).toBe("4")
    const removed = withPlan(shopPlan.todos.filter(({ id }) => id !== "4"))
    expect(settled(view, removed, size).cursor?.todo).toBe("3")
  })

  test("follows the agent's current todo until the person moves the cursor", () => {
    const size = screen(80, 16)
    const todos = Array.from({ length: 60 }, (_, index) => ({
      content: `Step ${index + 1}`,
      status: "pending" as const,
    }))
    const at = (current: number): BoardSession[] => [
      boardSession({
        key: "a",
        plan: planOf(todos.map((todo, index) => (index === current ? { ...todo, status: "in_progress" } : todo))),
      }),
    ]
    const shown = settled(newBoardView(), at(0), size)
    const later = settled(shown, at(40), size)
    const text = textOf(later, at(40), size).join("\n")
    expect(text).toContain("▶ Step 41")
    expect(text).toContain("○ Step 43")
    const moved = settled(boardAfter(boardAfter(later, open, at(40)), move(-30), at(40)), at(40), size)
    expect(textOf(settled(moved, at(50), size), at(50), size).join("\n")).toContain("○ Step 11")
  })

  test("keeps the screen still when todos are added above the view", () => {
    const size = screen(80, 16)
    const plan = (first: number): BoardSession[] => {
      const todos = Array.from({ length: 60 - first }, (_, index) => ({
        id: String(first + index),
        content: `Step ${first + index}`,
        status: "pending" as const,
      }))
      return [boardSession({ key: "a", plan: { todos, phases: [], revision: 1 } })]
    }
    const rightOf = (view: BoardView, sessions: readonly BoardSession[]): string[] =>
      textOf(view, sessions, size)
        .slice(5, -2)
        .map((line) => line.slice(32))
    const view = [open, move(30)].reduce(
      (last, action) => settled(boardAfter(last, action, plan(10)), plan(10), size),
      settled(newBoardView(), plan(10), size),
    )
    const before = rightOf(view, plan(10))
    expect(before.join("\n")).toContain(">○ Step 40".replace(">", "> "))
    expect(rightOf(settled(view, plan(0), size), plan(0))).toEqual(before)
  })
})

describe("keys", () => {
  test("moving stops at both ends and skips projects", () => {
    const all = viewAfter([move(-99)])
    expect(all.session).toBe(waiting.key)
    expect(viewAfter([move(-99), move(1), move(1)]).session).toBe(shop.key)
    expect(viewAfter([move(99)]).session).toBe("claude:8c424508")
  })

  test("in the plan the cursor continues into the plans of sub-agents", () => {
    expect(viewAfter([open, move(99)]).cursor).toEqual({ session: explorer.key, todo: "2" })
  })

  test("w cycles through the waiting sessions", () => {
    const second = { ...shop, key: "zz", state: "waiting" as const, updated: ago(30) }
    const sessions = [...morning, second]
    const next: BoardAction = { type: "next-waiting" }
    const view = viewAfter([next], { sessions })
    expect(view.session).toBe(waiting.key)
    const again = settled(boardAfter(view, next, sessions), sessions, screen(80, 24))
    expect(again.session).toBe("zz")
    expect(boardAfter(again, next, sessions).session).toBe(waiting.key)
    expect(boardAfter(newBoardView(), next, [shop]).notice).toBe("Nothing is waiting for you.")
  })

  test("C32 ctrl+t folds a plan to eight todos around the current one and unfolds it again", () => {
    const size = screen(80, 40)
    const plan = planOf(
      Array.from({ length: 30 }, (_, index) => ({
        content: `Step ${index + 1}`,
        status: index < 12 ? ("completed" as const) : ("pending" as const),
      })),
    )
    const sessions = [boardSession({ key: "a", plan })]
    const count = (view: BoardView): number =>
      textOf(view, sessions, size).filter((line) => line.includes("Step")).length
    const folded = viewAfter([{ type: "fold" }], { sessions, size, session: "a" })
    expect(count(folded)).toBe(8)
    const text = textOf(folded, sessions, size).join("\n")
    expect(text).toContain("… 9 earlier")
    expect(text).toContain("… 13 more")
    expect(count(boardAfter(folded, { type: "fold" }, sessions))).toBe(30)
  })

  test("N10 a filter shows matches with their parents, and esc removes it", () => {
    const size = screen(59, 24)
    const asked = viewAfter([{ type: "ask", purpose: { kind: "filter", pane: "sessions" } }, type("explore")], { size })
    expect(textOf(asked, morning, size).slice(0, 8)).toEqual([
      " ◆ 1 waiting for you  ▷ 1 stalled  ▶ 1 working",
      "───────────────────────────────────────────────────────────",
      " Working                                                 1",
      "  ▶ Move the orders to a new table       claude · web-shop",
      "    Writing the migration                          2/6  9m",
      ">   ▶ explore: Who reads the orders",
      "      Listing who calls them                       1/2  2m",
      "",
    ])
    expect(textOf(asked, morning, size).at(-1)).toBe(" Filter: explore▏")
    const kept = boardAfter(asked, { type: "answered" }, morning)
    expect(kept.filters.sessions).toBe("explore")
    expect(boardAfter(kept, back, morning).filters.sessions).toBe("")
  })

  test("a filter can ask for a state in words, and reports when nothing matches", () => {
    const size = screen(80, 24)
    const filtered = (text: string): string =>
      textOf(
        viewAfter([{ type: "ask", purpose: { kind: "filter", pane: "sessions" } }, type(text)]),
        morning,
        size,
      ).join("\n")
    expect(filtered("waiting codex")).toContain("/waiting codex 1 of 5")
    expect(filtered("no plan tool")).toContain("/no plan tool 1 of 5")
    expect(filtered("nobody")).toContain("Nothing matches. esc clears")
  })

  test("in a plan the filter is for its todos", () => {
    const size = screen(80, 24)
    const view = viewAfter([open, { type: "ask", purpose: { kind: "filter", pane: "plan" } }, type("MIGRATION")])
    const text = textOf(view, morning, size).join("\n")
    expect(text).toContain("/MIGRATION 1 of 7")
    expect(text).not.toContain("Announce it")
    expect(view.cursor?.todo).toBe("3")
  })

  test("enter on a todo opens all of it, esc returns", () => {
    const size = screen(60, 14)
    const view = viewAfter([open, open], { size })
    expect(textOf(view, morning, size).slice(2, 10)).toEqual([
      " ▶ in progress · 9m · Build                              #3",
      "",
      " Write the migration, with a way back that keeps every",
      " order that came in meanwhile",
      " Writing the migration",
      "",
      " · the old column stays for one release",
      " · ask about the nightly job",
    ])
    expect(settled(boardAfter(view, back, morning), morning, size).page).toBeUndefined()
  })

  test("help lists the keys and can be scrolled to its end on the smallest screen", () => {
    const size = screen(20, 5)
    const help = viewAfter([{ type: "help" }, move(500)], { size })
    expect(textOf(help, morning, size)).toEqual([
      " ◆ 1 ▷ 1 ▶ 1",
      "  None of these    ↑",
      "  proves that the",
      "  work is right.",
      " esc back",
    ])
  })

  test("edits are for the todo under the cursor, in the plan it belongs to", () => {
    const at = (actions: readonly BoardAction[], action: Parameters<typeof startEdit>[2]) =>
      startEdit(viewAfter(actions), morning, action)
    const seen = shop.plan
    expect(at([open], "toggle")).toEqual({ session: shop.key, edit: { kind: "toggle", todo: "3" }, seen })
    expect(at([open, move(99)], "block")).toEqual({
      ask: { kind: "block", session: explorer.key, todo: "2", seen: explorer.plan },
    })
    expect(at([], "add")).toEqual({ ask: { kind: "add", session: shop.key, after: undefined, seen } })
    expect(at([open], "add")).toEqual({ ask: { kind: "add", session: shop.key, after: "3", seen } })
    expect(at([], "drop")).toEqual({ refusal: "Choose a todo first: enter goes to the plan." })
    const looked = viewAfter([open], { session: finished.key })
    expect(startEdit(looked, morning, "toggle")).toEqual({ refusal: "This plan is read-only." })
    expect(startEdit(newBoardView(), [], "undo")).toEqual({ refusal: "There is no session to change." })
  })
})

describe("the typed line", () => {
  const ask: BoardAction = { type: "ask", purpose: { kind: "add", session: shop.key } }
  const promptAfter = (...actions: BoardAction[]) => viewAfter([ask, ...actions]).prompt

  test("takes pasted text as one safe line", () => {
    const pasted = "  Fix\r\nthe \u001b[31mlogin\u001b[0m\u0007\tbug\u202e "
    expect(promptAfter(type(pasted))?.text).toBe(" Fix the login bug ")
  })

  test("is edited at the caret, by grapheme", () => {
    const left: BoardAction = { type: "caret", to: "left" }
    const erase: BoardAction = { type: "erase", what: "character" }
    expect(promptAfter(type("a👩‍👩‍👧‍👦b"), left, erase)).toMatchObject({ text: "ab", at: 1 })
    expect(promptAfter(type("one two"), { type: "erase", what: "word" })?.text).toBe("one ")
    expect(promptAfter(type("one"), { type: "caret", to: "start" }, type("two "))?.text).toBe("two one")
    expect(promptAfter(type("one"), { type: "erase", what: "all" })?.text).toBe("")
  })

  test("shows its end, where the caret is, however long it is", () => {
    const size = screen(40, 10)
    const view = viewAfter([ask, type(`${"words ".repeat(100)}the end`)], { size })
    const line = textOf(view, morning, size).at(-1) ?? ""
    expect(line).toMatch(/^ Add: .*the end▏$/)
    expect(widthOf(line)).toBeLessThanOrEqual(40)
  })

  test("takes all that a todo can have, and one character more, by which a longer text is refused and not cut", () => {
    const words = "words ".repeat(3_000)
    expect(promptAfter(type(words))?.text).toBe(words)
    expect(promptAfter(type("x".repeat(100_000)))?.text.length).toBe(20_001)
  })
})

describe("bad input", () => {
  const hostile = [
    "\u001b[2J\u001b[Hgone",
    "漢字とかなを表示する ".repeat(9),
    "👩‍👩‍👧‍👦🇩🇪 ".repeat(9),
    "e\u0301\u0302\u0303".repeat(40),
    "נסיון \u202eabc ".repeat(9),
    "\ud800 lone",
    "x".repeat(10_000),
    "\u0000\u0007\u009b31m",
  ]

  test.each([40, 80, 120])("escapes, wide and joined characters keep their lines at %i columns (G8)", (columns) => {
    const sessions = hostile.map((text, index) =>
      boardSession({
        key: String(index),
        agentType: text,
        agent: text,
        session: text,
        project: text,
        current: text,
        plan: planOf(
          hostile.map((content) => ({
            content,
            status: "in_progress" as const,
            phase: text,
            notes: [content],
            reason: text,
          })),
          [text],
        ),
      }),
    )
    for (const actions of [[], [open], [open, open]]) {
      const size = screen(columns, 30)
      const view = viewAfter(actions, { sessions, size, session: "0" })
      for (const line of textOf(view, sessions, size)) {
        expect(widthOf(line)).toBeLessThanOrEqual(columns)
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
      }
    }
  })

  test("a folder whose name is a hundred thousand characters long is shown as fast as another", () => {
    const sessions = [boardSession({ key: "0", project: `/${"a".repeat(100_000)}/b` })]
    const size = screen(120, 30)
    const took = cpuTimeOf(() => {
      expect(textOf(viewAfter([], { sessions, size }), sessions, size).join("")).toContain("b")
    })
    expect(took).toBeLessThan(1_000)
  })

  test("all of a 10,000-character todo can be read", () => {
    const size = screen(80, 24)
    const words = Array.from({ length: 2_000 }, (_, index) => `w${index}`).join(" ")
    const sessions = [boardSession({ key: "a", plan: planOf([{ content: words, status: "pending" }]) })]
    const seen = new Set<string>()
    let view = viewAfter([open, open], { sessions, size, session: "a" })
    for (let page = 0; page < 20; page += 1) {
      for (const word of textOf(view, sessions, size).join(" ").match(/w\d+/g) ?? []) seen.add(word)
      view = settled(boardAfter(view, move(15), sessions), sessions, size)
    }
    expect(seen.size).toBe(2_000)
  })

  test("a frame of a 5,000-todo plan reads the visible todos, not all of them", () => {
    let looked = 0
    const todos = Array.from({ length: 5_000 }, (_, index) => ({
      id: String(index + 1),
      status: "pending" as const,
      get content() {
        looked += 1
        return `Step ${index + 1} ${"with many words ".repeat(600)}`
      },
    }))
    const plan = { todos, phases: [], revision: 1 }
    const many = Array.from({ length: 200 }, (_, index) => boardSession({ key: `s${index}`, plan: shopPlan }))
    const sessions = [...many, boardSession({ key: "a", plan })]
    const size = screen(120, 40)
    let view = viewAfter([open], { sessions, size, session: "a" })
    textOf(view, sessions, size)
    looked = 0
    view = settled(boardAfter(view, move(2_500), sessions), sessions, size)
    const lines = textOf(view, sessions, size)
    expect(lines.join("\n")).toContain("Step 2501")
    expect(looked).toBeLessThan(size.rows * 10)
  })
})

test("the clock of a todo stops when its session does", () => {
  const todo = shopPlan.todos[2]
  const shown = (state: BoardState): string =>
    todo ? timeOf(todo, { ...shop, state, updated: ago(3), times: { [todo.id]: { started: ago(9) } } }, noon) : ""
  expect([shown("working"), shown("stalled")]).toEqual(["9m", "9m"])
  const stopped = (["waiting", "ended", "finished", "failed", "idle"] as const).map(shown)
  expect(stopped).toEqual(["6m", "6m", "6m", "6m", "6m"])
})
