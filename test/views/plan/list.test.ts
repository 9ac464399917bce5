/** The plain list and the answer to `/todos`. */

import { describe, expect, test } from "vitest"
import { emptyPlan } from "../../../src/plan/todo.ts"
import { agentTasksText, listRows, listText, standaloneListText, todosText } from "../../../src/views/index.ts"
import { allStatuses, planOf, threeTodos } from "../sample.ts"

const single = planOf([{ content: "Ship it", status: "pending" }])

describe("list", () => {
  test("C30 one row per todo, crossed when completed", () => {
    expect(listText(threeTodos)).toBe(["☒ Set up the project", "☐ Write the tests", "☐ Ship it"].join("\n"))
  })

  test("C30 ASCII boxes where Unicode is not supported", () => {
    expect(listText(threeTodos, { ascii: true })).toBe(
      ["[×] Set up the project", "[ ] Write the tests", "[ ] Ship it"].join("\n"),
    )
  })

  test("C30 only completed todos are crossed, and rows carry the status a screen draws by", () => {
    expect(listRows(allStatuses).map(({ mark, status }) => [status, mark])).toEqual([
      ["completed", "☒"],
      ["in_progress", "☐"],
      ["pending", "☐"],
      ["blocked", "☐"],
      ["cancelled", "☐"],
    ])
  })

  test("C30 an empty plan draws nothing", () => {
    expect(listText(emptyPlan)).toBe("")
    expect(standaloneListText(emptyPlan)).toBe("")
  })

  test("C30 the stand-alone form has a heading and an indent of two", () => {
    expect(standaloneListText(threeTodos)).toBe(
      ["Todos", "  ☒ Set up the project", "  ☐ Write the tests", "  ☐ Ship it"].join("\n"),
    )
  })

  test("C30 a long todo is cut to its one row", () => {
    const long = planOf([{ content: "Write the tests\nand a very long explanation", status: "pending" }])
    expect(listText(long, { width: 20 })).toBe("☐ Write the tests a…")
    expect(listText(long, { width: 20, ascii: true })).toBe("[ ] Write the tes...")
    expect(listText(long, { width: Number.POSITIVE_INFINITY })).toBe("☐ Write the tests and a very long explanation")
  })

  test("C30 hidden characters at the start of a very long todo do not hide the rest", () => {
    const plan = planOf([{ content: `${"\u001b[31m".repeat(2_000)}Ship it`, status: "pending" }])
    expect(listText(plan)).toBe("☐ Ship it")
  })

  test("G8 line breaks, colours, titles and direction overrides do not reach a row", () => {
    const plan = planOf([
      { content: "one\r\n\ttwo \u001b[1;31mred\u001b[0m\u001b]0;owned\u0007 \u202eend", status: "pending" },
    ])
    expect(listText(plan)).toBe("☐ one two red end")
  })

  test("a terminal of unknown size counts as 80 columns", () => {
    const long = planOf([{ content: "x".repeat(200), status: "pending" }])
    for (const width of [undefined, 0, Number.NaN]) expect(listText(long, { width })).toHaveLength(80)
  })
})

describe("/todos", () => {
  test("C34 reports an empty plan", () => {
    expect(todosText(emptyPlan)).toBe("No todos")
  })

  test("C34 has a count, a blank line and the list", () => {
    expect(todosText(threeTodos)).toBe(
      ["3 todos:", "", "☒ Set up the project", "☐ Write the tests", "☐ Ship it"].join("\n"),
    )
  })

  test("C34 a single todo is counted in the singular", () => {
    expect(todosText(single)).toBe("1 todo:\n\n☐ Ship it")
  })
})

describe("an agent's detail", () => {
  test("C35 has the progress, then the list", () => {
    expect(agentTasksText(threeTodos)).toBe(
      ["Tasks (1/3)", "☒ Set up the project", "☐ Write the tests", "☐ Ship it"].join("\n"),
    )
  })

  test("C35 is empty without a list", () => {
    expect(agentTasksText(emptyPlan)).toBe("")
  })
})
