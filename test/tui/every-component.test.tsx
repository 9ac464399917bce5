/** What holds for every component: it draws what its view says, in its width, its look and its height. */

import fc from "fast-check"
import type { ReactElement } from "react"
import stringWidth from "string-width"
import { describe, expect, test, vi } from "vitest"
import type { PlanEvent } from "../../src/plan/event.ts"
import type { Plan } from "../../src/plan/todo.ts"
import {
  AgentDetail,
  AgentTodos,
  ChangeNotice,
  KeyHint,
  MemberPlan,
  PhaseTree,
  type Room,
  SpinnerWithTodos,
  StandaloneTodoList,
  TaskPanel,
  TodoList,
  TodosSummary,
} from "../../src/tui/index.ts"
import {
  agentTasksText,
  changeNoticeText,
  cut,
  listText,
  panelText,
  planText,
  spinnerText,
  standaloneListText,
  todosText,
  treeText,
  type ViewOptions,
} from "../../src/views/index.ts"
import { isFull, rounds } from "../rounds.ts"
import { anyPlan } from "../views/any-plan.ts"
import { planOf } from "../views/sample.ts"
import { draw, unstyled } from "./draw.tsx"

// Ink asks for colour when it is loaded.
vi.hoisted(() => {
  process.env.FORCE_COLOR = "1"
})

type Component = {
  element: (plan: Plan, room: Room) => ReactElement
  /** The same as its view says it. */
  text: (plan: Plan, options: ViewOptions) => string
  hasNoList?: boolean
}

const nameIn = (plan: Plan): string => plan.todos[0]?.content ?? "main"

const changesOf = (plan: Plan): PlanEvent[] =>
  plan.todos.map(({ id, status }) => ({ type: "todo-changed", id, from: { status: "pending" }, to: { status } }))

const components: Record<string, Component> = {
  "C30 TodoList": { element: (plan, room) => <TodoList plan={plan} {...room} />, text: listText },
  "C30 StandaloneTodoList": {
    element: (plan, room) => <StandaloneTodoList plan={plan} {...room} />,
    text: standaloneListText,
  },
  "C31 SpinnerWithTodos": {
    element: (plan, room) => <SpinnerWithTodos plan={plan} tip={nameIn(plan)} isExpanded {...room} />,
    text: (plan, options) => spinnerText(plan, { ...options, tip: nameIn(plan), isExpanded: true }),
  },
  "C31 SpinnerWithTodos with a message": {
    element: (plan, room) => <SpinnerWithTodos plan={plan} message={nameIn(plan)} tick={2} {...room} />,
    text: (plan, options) => spinnerText(plan, { ...options, message: nameIn(plan), tick: 2 }),
    hasNoList: true,
  },
  "C33 AgentTodos at work": {
    element: (plan, room) => <AgentTodos plan={plan} isWorking isExpanded {...room} />,
    text: (plan, options) => spinnerText(plan, { ...options, isExpanded: true }),
  },
  "C33 AgentTodos idle": {
    element: (plan, room) => <AgentTodos plan={plan} isWorking={false} isExpanded {...room} />,
    text: standaloneListText,
  },
  "G5 AgentTodos with the box": {
    element: (plan, room) => <AgentTodos plan={plan} isWorking={false} isExpanded view="panel" {...room} />,
    text: (plan, options) => (plan.todos.length === 0 ? "" : panelText(plan, options)),
  },
  "O11 AgentTodos with the tree": {
    element: (plan, room) => <AgentTodos plan={plan} isWorking={false} view="tree" {...room} />,
    text: (plan, options) => (plan.todos.length === 0 ? "" : treeText(plan, { ...options, collapsed: true })),
  },
  "C34 TodosSummary": { element: (plan, room) => <TodosSummary plan={plan} {...room} />, text: todosText },
  "C35 AgentDetail": { element: (plan, room) => <AgentDetail plan={plan} {...room} />, text: agentTasksText },
  "C32 KeyHint": {
    element: (_plan, { width }) => <KeyHint isExpanded={false} width={width} />,
    text: (_plan, { width = 80, ascii }) => cut("ctrl+t show todos", width, ascii ? "..." : "…"),
    hasNoList: true,
  },
  "G5 TaskPanel": { element: (plan, room) => <TaskPanel plan={plan} {...room} />, text: panelText },
  "G6 ChangeNotice": {
    element: (plan, room) => <ChangeNotice plan={plan} events={changesOf(plan)} {...room} />,
    text: (plan, options) => changeNoticeText(plan, { ...options, events: changesOf(plan) }),
  },
  "G6 brief ChangeNotice": {
    element: (plan, room) => <ChangeNotice plan={plan} events={changesOf(plan)} isBrief {...room} />,
    text: (plan, options) => changeNoticeText(plan, { ...options, events: changesOf(plan), isBrief: true }),
    hasNoList: true,
  },
  "O11 PhaseTree": { element: (plan, room) => <PhaseTree plan={plan} {...room} />, text: treeText },
  "O11 collapsed PhaseTree": {
    element: (plan, room) => <PhaseTree plan={plan} isCollapsed {...room} />,
    text: (plan, options) => treeText(plan, { ...options, collapsed: true }),
  },
  "A6 MemberPlan": {
    element: (plan, room) => <MemberPlan plan={plan} member={nameIn(plan)} {...room} />,
    text: (plan, options) => withAir(planText(plan, nameIn(plan), options)),
  },
  "A7 MemberPlan after its end": {
    element: (plan, room) => <MemberPlan plan={plan} member={nameIn(plan)} hasEnded {...room} />,
    text: (plan, options) => withAir(planText(plan, nameIn(plan), { ...options, hasEnded: true })),
  },
}

/** The view of a member stands apart from what is around it (A6). */
function withAir(text: string): string {
  return text === "" ? "" : `\n${text}\n`
}

const english = planOf(
  [
    { content: "Read the order form, all of its seven pages and the small print", status: "completed", phase: "Look" },
    {
      content: "Let customers change the address",
      status: "in_progress",
      phase: "Build",
      notes: ["Two\nlines", "Three"],
    },
    { content: "Test it with two countries", status: "pending", phase: "Build" },
    { content: "Ask legal", status: "blocked", reason: "no answer yet", waitsFor: "Maria" },
    { content: "Rewrite the shop", status: "cancelled", reason: "out of scope" },
  ],
  ["Look", "Build", "Later"],
)

const hostile = planOf(
  [
    { content: "\u001b[2J\u001b]0;owned\u0007\u001b[31mred\u001b[0m \u009b1mbold", status: "completed" },
    {
      content: "right\u202eto left\u2066 hidden\u200b \u0000\u0008\u007f",
      status: "in_progress",
      phase: "a\u001b[1A\rb",
    },
    {
      content: "漢字とかなを表示する 👩‍👩‍👧‍👦🇩🇪 e\u0301 नि हिन्दी ｶﾞ\nnext line\tand tab",
      status: "pending",
      notes: ["\u001b[5n"],
    },
    { content: `Z${"\u0300\u0301\u0302".repeat(40)}algo`, status: "blocked", reason: "\u001b]8;;http://x\u0007link" },
    { content: "x".repeat(10_000), status: "cancelled", reason: "\u2028\u2029\ud800" },
  ],
  ["\u001b[3J"],
)

const looks = [true, false].flatMap((colour) => [false, true].map((ascii) => ({ colour, ascii })))
/** Each look at the narrowest width, and each width with two looks that have nothing in common. */
const cases = [40, 80, 120].flatMap((width) =>
  looks.filter(({ colour, ascii }) => isFull || width === 40 || colour !== ascii).map((look) => ({ width, ...look })),
)

const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2060-\u206f]/
const widest = (text: string): number => Math.max(...text.split("\n").map((line) => stringWidth(line)))

describe.each(Object.entries(components))("%s", (_name, { element, text, hasNoList = false }) => {
  describe.each(cases)("at $width columns, colour $colour, ascii $ascii", ({ width, colour, ascii }) => {
    test.each([
      ["a plan", english],
      ["hostile text", hostile],
      ["an empty plan", planOf([])],
    ])("G8 draws what its view returns for %s", (_which, plan) => {
      const drawn = draw(element(plan, { width }), { columns: width, colour, ascii })
      expect(unstyled(drawn)).toBe(text(plan, { width, ascii }))
      expect(widest(drawn)).toBeLessThanOrEqual(width)
      expect(colour ? unstyled(drawn) : drawn).not.toMatch(controls)
    })
  })

  test("draws only ASCII on request", () => {
    // The cross in the box is the one sign the list keeps (C30).
    const drawn = draw(element(english, { width: 40 }), { columns: 40, colour: false, ascii: true }).replaceAll(
      "[×]",
      "",
    )
    expect(drawn).toMatch(/^[\n -~]*$/)
  })

  test("keeps any width and never throws, whatever the plan", () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 1, max: 130 }), fc.boolean(), (plan, width, ascii) => {
        const drawn = draw(element(plan, { width }), { columns: width, ascii })
        expect(widest(drawn)).toBeLessThanOrEqual(width)
        expect(unstyled(drawn)).toBe(text(plan, { width, ascii }))
      }),
      { numRuns: rounds(25) },
    )
  })

  test("keeps any height", () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 3, max: 30 }), fc.integer({ min: 1, max: 20 }), (plan, width, height) => {
        const lines = draw(element(plan, { width, height }), { columns: width }).split("\n")
        expect(lines.length).toBeLessThanOrEqual(height)
      }),
      { numRuns: rounds(25) },
    )
  })

  test("draws 5,000 todos in 20 rows, the one in progress among them", () => {
    const plan = planOf(
      Array.from({ length: 5_000 }, (_, index) => ({
        content: `Todo ${index} ${"and so on ".repeat(100)}`,
        status: index === 2_500 ? ("in_progress" as const) : ("pending" as const),
      })),
    )
    const drawn = draw(element(plan, { width: 60, height: 20 }), { columns: 60 })
    expect(drawn.split("\n").length).toBeLessThanOrEqual(20)
    if (!hasNoList) expect(drawn).toContain("Todo 2500")
  })
})
