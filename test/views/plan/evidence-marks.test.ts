/** Marks beside done todos: on the board, in the list, the panel, the tree and the status line. */
import { expect, test } from "vitest"
import { boardLines } from "../../../src/views/board/lines.ts"
import { settled } from "../../../src/views/board/settle.ts"
import { type BoardAction, boardAfter, newBoardView } from "../../../src/views/board/view.ts"
import { panelText, statusLine, todosLines, todosText, treeText } from "../../../src/views/index.ts"
import type { DoneMarks } from "../../../src/views/plan/evidence-marks.ts"
import { plainLine } from "../../../src/views/text/span.ts"
import { boardSession, noon } from "../board/sample.ts"
import { planOf } from "../sample.ts"

const done = (...contents: string[]) => contents.map((content) => ({ content, status: "completed" as const }))

const plan = planOf([
  ...done("Write the adapter", "Rename the button", "Move the checkout", "Describe it"),
  { content: "Deploy", status: "in_progress" },
])

const mark = (word: DoneMarks[string]["word"], ...sentences: string[]) => ({ word, sentences })

const marks: DoneMarks = {
  1: mark("verified"),
  2: mark("unchecked"),
  3: mark("contradicted", '"npm test" failed (line 14).'),
  4: { ...mark("backed"), isStale: true },
}

const session = boardSession({ key: "shop", title: "Shop", plan, marks, contradicted: 1 })

const textAt = (columns: number, ascii: boolean, actions: readonly BoardAction[] = []): string[] => {
  const size = { columns, rows: 20, ascii }
  const first = settled({ ...newBoardView(), session: session.key }, [session], size)
  const view = actions.reduce((one, action) => settled(boardAfter(one, action, [session]), [session], size), first)
  return boardLines(view, [session], { ...size, now: noon }).map((line) => plainLine(line).trimEnd())
}

const planPart = (lines: readonly string[]): string => lines.map((line) => line.split(/[│|] ?/).at(-1) ?? "").join("\n")

test("the board has a sign next to each tick, and words next to a doubtful one", () => {
  const text = planPart(textAt(120, false))
  expect(text).toContain("✓✓ Write the adapter")
  expect(text).toContain("?✓ Rename the button")
  expect(text).toMatch(/!✓ Move the checkout +done\?/)
  expect(text).toContain("~✓ Describe it")
  expect(text).toContain(" ▶ Deploy")
  expect(text).toContain("1 done?")
})

test("below the plan its signs are named, doubtful ones first, and the doubt is shown before a bar", () => {
  expect(planPart(textAt(120, false))).toContain(" ! check failed  ? unchecked  ~ verified before  ✓ verified")
  const narrow = planPart(textAt(80, true))
  expect(narrow).toContain(" ! check failed  ? unchecked")
  expect(narrow).toMatch(/1 done\? +4\/5 80%/)
  expect(narrow).not.toContain("#")
})

test("the same signs are used at 40 columns and in ASCII, without words that would displace the todo", () => {
  const text = textAt(40, true, [{ type: "open" }]).join("\n")
  expect(text).toContain("v[x] Write the adapter")
  expect(text).toContain("![x] Move the checkout")
  expect(text).not.toMatch(/checkout +done\?/)
})

test("the facts of a todo are on its page", () => {
  const open: BoardAction = { type: "open" }
  const text = textAt(80, false, [open, { type: "move", by: -2 }, open]).join("\n")
  expect(text).toContain("done?, contradicted")
  expect(text).toContain('· "npm test" failed (line 14).')
})

test("the list, the panel and the tree have them before each tick; without marks nothing moves", () => {
  expect(todosText(plan, { marks })).toContain("!☒ Move the checkout")
  expect(todosText(plan, { marks })).toContain("\n ☐ Deploy")
  expect(todosText(plan)).toContain("\n☒ Move the checkout")
  expect(panelText(plan, { marks })).toContain("│ !✓ Move the checkout")
  expect(treeText(plan, { marks, ascii: true })).toContain("![x] Move the checkout")
  const line = todosLines(plan, { marks }).find((one) => plainLine(one).includes("Move the checkout"))
  expect(line?.map(({ style }) => style?.struck)).toEqual([undefined, undefined])
})

test("the status line counts doubtful todos, and has a sign when all are completed", () => {
  expect(statusLine(plan, { marks })).toBe("▶ Deploying · 4/5 · 1 done?")
  const all = planOf(done("Write"))
  expect(statusLine(all, { marks: { 1: mark("backed") } })).toBe("+✓ 1/1")
  expect(statusLine(all, { marks: { 1: mark("unchecked") } })).toBe("✓ 1/1")
  expect(statusLine(all, { marks: { 1: mark("contradicted") } })).toBe("!✓ 1/1 · 1 done?")
})

test("a todo whose id is the name of an object property has no mark", () => {
  const odd = { ...plan, todos: [{ id: "constructor", content: "Odd", status: "completed" as const }] }
  expect(todosText(odd, { marks })).toContain("\n ☒ Odd")
})
