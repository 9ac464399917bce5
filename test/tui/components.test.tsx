/** Each component, word for word and style for style. */

import { describe, expect, test, vi } from "vitest"
import type { PlanEvent } from "../../src/plan/event.ts"
import { emptyPlan, type Plan } from "../../src/plan/todo.ts"
import {
  AgentDetail,
  AgentTodos,
  ChangeNotice,
  KeyHint,
  MemberPlan,
  PhaseTree,
  SpinnerWithTodos,
  StandaloneTodoList,
  TaskPanel,
  TodoList,
  useTodosToggle,
} from "../../src/tui/index.ts"
import { allStatuses, planOf, threeTodos } from "../views/sample.ts"
import { draw } from "./draw.tsx"

// Ink asks for colour when it is loaded.
vi.hoisted(() => {
  process.env.FORCE_COLOR = "1"
})

const plain = { colour: false }
const ascii = { colour: false, ascii: true }
const lines = (...rows: string[]): string => rows.join("\n")

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  struck: [9, 29],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  red: [31, 39],
}

/** Text as a terminal is told to style it. */
const styled = (text: string, ...styles: (keyof typeof codes)[]): string => {
  const openings = styles.map((style) => `\u001b[${codes[style][0]}m`).join("")
  const closings = [...new Set(styles.toReversed().map((style) => `\u001b[${codes[style][1]}m`))].join("")
  return openings + text + closings
}

describe("TodoList", () => {
  test("C30 one row per todo, crossed when completed", () => {
    expect(draw(<TodoList plan={threeTodos} />, plain)).toBe(
      lines("☒ Set up the project", "☐ Write the tests", "☐ Ship it"),
    )
  })

  test("C30 ASCII boxes where Unicode is not supported", () => {
    expect(draw(<TodoList plan={threeTodos} />, ascii)).toBe(
      lines("[×] Set up the project", "[ ] Write the tests", "[ ] Ship it"),
    )
  })

  test("C30 completed rows are dim and struck through, the one in progress bold", () => {
    expect(draw(<TodoList plan={threeTodos} />)).toBe(
      lines(styled("☒ Set up the project", "struck", "dim"), styled("☐ Write the tests", "bold"), "☐ Ship it"),
    )
  })

  test("C30 an empty list draws nothing", () => {
    expect(draw(<TodoList plan={emptyPlan} />)).toBe("")
  })

  test("a low screen shows what surrounds the todo in progress and counts the rest", () => {
    const plan = planOf(
      Array.from({ length: 12 }, (_, index) => ({
        content: `Step ${index + 1}`,
        status: index < 6 ? "completed" : index === 6 ? "in_progress" : "pending",
      })),
    )
    expect(draw(<TodoList plan={plan} height={5} />, plain)).toBe(
      lines("… 5 earlier", "☒ Step 6", "☐ Step 7", "☐ Step 8", "… 4 more"),
    )
    expect(draw(<TodoList plan={plan} height={1} />, plain)).toBe("☐ Step 7")
  })
})

describe("StandaloneTodoList", () => {
  test("C30 has a dim bold heading and an indent of two", () => {
    expect(draw(<StandaloneTodoList plan={threeTodos} />)).toBe(
      lines(
        styled("Todos", "bold", "dim"),
        `  ${styled("☒ Set up the project", "struck", "dim")}`,
        `  ${styled("☐ Write the tests", "bold")}`,
        "  ☐ Ship it",
      ),
    )
  })

  test("C30 an empty list has no heading either", () => {
    expect(draw(<StandaloneTodoList plan={emptyPlan} />)).toBe("")
  })
})

describe("SpinnerWithTodos", () => {
  test("C31 shows what is in progress and what is next", () => {
    expect(draw(<SpinnerWithTodos plan={threeTodos} />, plain)).toBe(lines("✻ Writing the tests…", "  Next: Ship it"))
  })

  test("C31 an override message wins", () => {
    expect(draw(<SpinnerWithTodos plan={threeTodos} message="Compacting" />, plain)).toBe(
      lines("✻ Compacting…", "  Next: Ship it"),
    )
  })

  test("C31 a todo without an active form gets one", () => {
    const plan = planOf([{ content: "Run the tests", status: "in_progress" }])
    expect(draw(<SpinnerWithTodos plan={plan} />, plain)).toBe("✻ Running the tests…")
  })

  test("C31 with nothing in progress it shows a default word, and with nothing pending a tip", () => {
    expect(draw(<SpinnerWithTodos plan={emptyPlan} />, plain)).toBe("✻ Working…")
    expect(draw(<SpinnerWithTodos plan={emptyPlan} word="Thinking" tip="esc stops the agent" />, plain)).toBe(
      lines("✻ Thinking…", "  Tip: esc stops the agent"),
    )
  })

  test("C31 the expanded list is between the spinner and what is next", () => {
    expect(draw(<SpinnerWithTodos plan={threeTodos} isExpanded />, plain)).toBe(
      lines("✻ Writing the tests…", "  ☒ Set up the project", "  ☐ Write the tests", "  ☐ Ship it", "  Next: Ship it"),
    )
  })

  test("C31 the same in ASCII", () => {
    expect(draw(<SpinnerWithTodos plan={threeTodos} isExpanded />, ascii)).toBe(
      lines(
        "* Writing the tests...",
        "  [×] Set up the project",
        "  [ ] Write the tests",
        "  [ ] Ship it",
        "  Next: Ship it",
      ),
    )
  })

  test("C31 dots in the text are not doubled, and a text of only escapes is empty", () => {
    expect(draw(<SpinnerWithTodos plan={emptyPlan} message="Reading..." />, plain)).toBe("✻ Reading…")
    expect(draw(<SpinnerWithTodos plan={emptyPlan} message={"\u001b[31m\u001b[0m"} />, plain)).toBe("✻ Working…")
  })

  test("C31 a turn of the glyph moves nothing else", () => {
    const frames = [0, 1, 2, 3, 4, -1, Number.NaN].map((tick) =>
      draw(<SpinnerWithTodos plan={threeTodos} tick={tick} isExpanded />, plain),
    )
    expect(frames.map((frame) => frame.slice(0, 1))).toEqual(["✻", "✼", "✽", "✼", "✻", "✼", "✻"])
    expect(new Set(frames.map((frame) => frame.slice(1))).size).toBe(1)
  })
})

describe("AgentTodos", () => {
  const drawn = (isWorking: boolean, isExpanded: boolean): string =>
    draw(<AgentTodos plan={threeTodos} isWorking={isWorking} isExpanded={isExpanded} />, plain)

  test("C33 while the agent works the spinner shows the list", () => {
    expect(drawn(true, true)).toBe(draw(<SpinnerWithTodos plan={threeTodos} isExpanded />, plain))
    expect(drawn(true, false)).toBe(draw(<SpinnerWithTodos plan={threeTodos} />, plain))
  })

  test("C33 while it is idle, expanded shows the stand-alone list and collapsed shows nothing", () => {
    expect(drawn(false, true)).toBe(draw(<StandaloneTodoList plan={threeTodos} />, plain))
    expect(drawn(false, false)).toBe("")
  })
})

describe("TaskPanel", () => {
  test("G5 box, marks, active form, progress and bar", () => {
    expect(draw(<TaskPanel plan={threeTodos} width={40} />, plain)).toBe(
      lines(
        "┌─ Tasks ──────────────────────────────┐",
        "│ ✓ Set up the project                 │",
        "│ ▶ Writing the tests                  │",
        "│ ○ Ship it                            │",
        "│                                      │",
        "│ Progress: 1/3 (33%) █████░░░░░░░░░░░ │",
        "└──────────────────────────────────────┘",
      ),
    )
  })

  test("G5 the frame is dim, marks and bar have colour", () => {
    const [, first, second, , , progress] = draw(<TaskPanel plan={threeTodos} width={40} />).split("\n")
    expect(first).toBe(
      `${styled("│ ", "dim")}${styled("✓", "green")} ${styled("Set up the project", "dim")}${styled("                 │", "dim")}`.replace(
        "\u001b[22m\u001b[2m",
        "",
      ),
    )
    expect(second).toContain(`${styled("▶", "bold", "cyan")} ${styled("Writing the tests", "bold")}`)
    expect(progress).toContain(styled("█████░░░░░░░░░░░", "green"))
  })

  test("G5 a low screen gives up todos first, then the frame", () => {
    const plan = planOf(Array.from({ length: 9 }, (_, index) => ({ content: `Step ${index + 1}`, status: "pending" })))
    expect(draw(<TaskPanel plan={plan} width={40} height={7} />, plain)).toBe(
      lines(
        "┌─ Tasks ──────────────────────────────┐",
        "│ ○ Step 1                             │",
        "│ ○ Step 2                             │",
        "│ ○ Step 3                             │",
        "│ … 6 more                             │",
        "│ Progress: 0/9 (0%) ░░░░░░░░░░░░░░░░░ │",
        "└──────────────────────────────────────┘",
      ),
    )
    expect(draw(<TaskPanel plan={plan} width={40} height={3} />, plain)).toBe(
      lines("○ Step 1", "○ Step 2", "Progress: 0/9 (0%) ░░░░░░░░░░░░░░░░░░░░"),
    )
  })
})

describe("ChangeNotice", () => {
  const changed = (id: string, status: Plan["todos"][number]["status"]): PlanEvent => ({
    type: "todo-changed",
    id,
    from: { status: "pending" },
    to: { status },
  })
  const events = [changed("1", "completed"), changed("2", "in_progress")]

  test("G6 reports that the list was updated, shows it, and which todos changed", () => {
    expect(draw(<ChangeNotice plan={threeTodos} events={events} />, plain)).toBe(
      lines(
        "📋 Todo list updated:",
        "  ✓ Set up the project",
        "  ▶ Writing the tests",
        "  ○ Ship it",
        '[Todo: "Set up the project" → completed]',
        '[Todo: "Write the tests" → in_progress]',
      ),
    )
  })

  test("G6 the same in ASCII", () => {
    expect(draw(<ChangeNotice plan={threeTodos} events={events.slice(0, 1)} />, ascii)).toBe(
      lines(
        "Todo list updated:",
        "  [x] Set up the project",
        "  [>] Writing the tests",
        "  [ ] Ship it",
        '[Todo: "Set up the project" -> completed]',
      ),
    )
  })

  test("G6 a brief notice has the transitions alone, and is empty without any", () => {
    expect(draw(<ChangeNotice plan={threeTodos} events={events} isBrief />, plain)).toBe(
      lines('[Todo: "Set up the project" → completed]', '[Todo: "Write the tests" → in_progress]'),
    )
    const moved: PlanEvent[] = [{ type: "todo-moved", id: "1", after: "2" }]
    expect(draw(<ChangeNotice plan={threeTodos} events={moved} isBrief />, plain)).toBe("")
  })

  test("G6 a todo that was finished and cleared is still named", () => {
    const cleared: PlanEvent[] = [changed("1", "completed"), { type: "plan-cleared", todos: [...threeTodos.todos] }]
    expect(draw(<ChangeNotice plan={emptyPlan} events={cleared} />, plain)).toBe(
      lines("📋 Todo list updated:", "  No todos", '[Todo: "Set up the project" → completed]'),
    )
  })

  test("G6 a long text is cut, its transition stays", () => {
    const plan = planOf([{ content: "Write the tests of the whole house", status: "completed" }])
    expect(draw(<ChangeNotice plan={plan} events={events.slice(0, 1)} isBrief width={40} />, plain)).toBe(
      '[Todo: "Write the tests o…" → completed]',
    )
  })
})

describe("PhaseTree", () => {
  const phased = planOf(
    [
      { content: "Set up", status: "completed", phase: "Build", notes: ["hidden"] },
      { content: "Write tests", status: "in_progress", phase: "Build", notes: ["first\nline two", "second"] },
      { content: "Deploy", status: "blocked", phase: "Ship", reason: "no access", waitsFor: "Ada" },
    ],
    ["Build", "Ship"],
  )

  test("O11 phases as a tree, note counts as superscripts, note bodies under the todo in progress", () => {
    expect(draw(<PhaseTree plan={phased} />, plain)).toBe(
      lines(
        "Build 1/2",
        "├─ ✓ Set up ¹",
        "└─ ▶ Write tests ²",
        "     first",
        "     line two",
        "     second",
        "Ship 0/1",
        "└─ ⊘ Deploy",
        "     blocked: no access; waits for Ada",
      ),
    )
  })

  test("O11 phases are bold, branches, counts and notes are dim", () => {
    const [phase, done, active, note] = draw(<PhaseTree plan={phased} />).split("\n")
    expect(phase).toBe(styled("Build", "bold") + styled(" 1/2", "dim"))
    expect(done).toBe(`${styled("├─ ", "dim")}${styled("✓ ", "green")}${styled("Set up ¹", "dim")}`)
    expect(active).toBe(
      `${styled("└─ ", "dim")}\u001b[1m${styled("▶ ", "cyan")}Write tests\u001b[22m${styled(" ²", "dim")}`,
    )
    expect(note).toBe(styled("     first", "dim"))
  })

  test("O11 a collapsed preview shows 8 todos and the number of the rest", () => {
    const plan = planOf(Array.from({ length: 12 }, (_, index) => ({ content: `Step ${index}`, status: "pending" })))
    const rows = draw(<PhaseTree plan={plan} isCollapsed />, plain).split("\n")
    expect(rows).toHaveLength(9)
    expect(rows.at(-1)).toBe("… 4 more")
    expect(draw(<PhaseTree plan={plan} />, plain).split("\n")).toHaveLength(12)
  })

  test("O11 a low screen keeps the todo in progress and counts the todos it hides", () => {
    expect(draw(<PhaseTree plan={phased} height={5} />, plain)).toBe(
      lines("Build 1/2", "├─ ✓ Set up ¹", "└─ ▶ Write tests ²", "     first", "… 1 more"),
    )
  })
})

describe("MemberPlan", () => {
  test("A6 heading with the member's name, a mark for each status", () => {
    expect(draw(<MemberPlan plan={allStatuses} member="Reviewer" />, plain)).toBe(
      lines("", "📋 Plan (Reviewer):", "✅ Read", "⭕ ▶ Write", "⭕ Rest", "⛔ Deploy", "❌ Dream", ""),
    )
  })

  test("A6 heading bold in the member's colour, cyan by default; completed green, others yellow", () => {
    expect(draw(<MemberPlan plan={allStatuses} member="Reviewer" />)).toBe(
      lines(
        "",
        styled("📋 Plan (Reviewer):", "bold", "cyan"),
        styled("✅ Read", "green"),
        styled("⭕ ▶ Write", "bold", "yellow"),
        styled("⭕ Rest", "yellow"),
        styled("⛔ Deploy", "yellow"),
        styled("❌ Dream", "yellow"),
        "",
      ),
    )
    expect(draw(<MemberPlan plan={allStatuses} member="Reviewer" colour="red" />)).toContain(
      styled("📋 Plan (Reviewer):", "bold", "red"),
    )
  })

  test("A7 after the turn's end pending todos and those in progress show as completed, and the plan stays as it is", () => {
    const before = JSON.stringify(allStatuses)
    expect(draw(<MemberPlan plan={allStatuses} member="Reviewer" hasEnded />, plain)).toBe(
      lines(
        "",
        "📋 Plan (Reviewer): 3 left open",
        "✅ Read",
        "✅ Write (turn ended)",
        "✅ Rest (turn ended)",
        "⛔ Deploy",
        "❌ Dream",
        "",
      ),
    )
    expect(draw(<MemberPlan plan={allStatuses} member="Reviewer" hasEnded />)).toContain(
      styled("✅ Rest (turn ended)", "green", "dim"),
    )
    expect(JSON.stringify(allStatuses)).toBe(before)
  })
})

describe("AgentDetail", () => {
  test("C35 shows the agent's progress, then its list", () => {
    expect(draw(<AgentDetail plan={threeTodos} />, plain)).toBe(
      lines("Tasks (1/3)", "☒ Set up the project", "☐ Write the tests", "☐ Ship it"),
    )
    expect(draw(<AgentDetail plan={threeTodos} />)).toContain(styled("Tasks (1/3)", "bold"))
  })

  test("C35 is nothing without a list", () => {
    expect(draw(<AgentDetail plan={emptyPlan} />)).toBe("")
  })
})

test("C32 the hint names what the key does", () => {
  expect(draw(<KeyHint isExpanded={false} />)).toBe(styled("ctrl+t show todos", "dim"))
  expect(draw(<KeyHint isExpanded />, plain)).toBe("ctrl+t hide todos")
})

test("without colour there are no styles at all", () => {
  expect(draw(<TaskPanel plan={allStatuses} />, plain)).not.toContain("\u001b")
  expect(draw(<MemberPlan plan={allStatuses} member="Reviewer" />, plain)).not.toContain("\u001b")
})

test("C32 without a keyboard the todos are still drawn", () => {
  const App = () => {
    const { isExpanded } = useTodosToggle({ plan: threeTodos, startsExpanded: true })
    return <AgentTodos plan={threeTodos} isWorking={false} isExpanded={isExpanded} />
  }
  expect(draw(<App />, plain)).toBe(draw(<StandaloneTodoList plan={threeTodos} />, plain))
})
