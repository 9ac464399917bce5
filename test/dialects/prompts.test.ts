/** What models are told about the list tools: what it teaches and what it costs. */

import { encode } from "gpt-tokenizer"
import { describe, expect, test } from "vitest"
import { toolDefinitions } from "../../src/dialects/definition.ts"
import { dialects } from "../../src/dialects/index.ts"
import type { Prompts } from "../../src/dialects/prompts/_teaching.ts"
import * as claudeTasks from "../../src/dialects/prompts/claude-tasks.ts"
import * as claudeTodos from "../../src/dialects/prompts/claude-todos.ts"
import * as codex from "../../src/dialects/prompts/codex.ts"
import * as gemini from "../../src/dialects/prompts/gemini.ts"
import * as gencode from "../../src/dialects/prompts/gencode.ts"
import * as headway from "../../src/dialects/prompts/headway.ts"
import * as ohMyPi from "../../src/dialects/prompts/oh-my-pi.ts"

type Offered = { dialect: string; tool: string; prompts: Prompts; budget: number }

const offered: Offered[] = [
  { dialect: "headway", tool: "todo", prompts: headway.todoPrompts, budget: 110 },
  { dialect: "claude-todos", tool: "TodoWrite", prompts: claudeTodos.todoWritePrompts, budget: 90 },
  { dialect: "claude-tasks", tool: "TaskCreate", prompts: claudeTasks.taskCreatePrompts, budget: 25 },
  { dialect: "claude-tasks", tool: "TaskUpdate", prompts: claudeTasks.taskUpdatePrompts, budget: 25 },
  { dialect: "claude-tasks", tool: "TaskGet", prompts: claudeTasks.taskGetPrompts, budget: 25 },
  { dialect: "claude-tasks", tool: "TaskList", prompts: claudeTasks.taskListPrompts, budget: 25 },
  { dialect: "gencode", tool: "TodoWrite", prompts: gencode.todoWritePrompts, budget: 90 },
  { dialect: "oh-my-pi", tool: "todo", prompts: ohMyPi.todoPrompts, budget: 110 },
  { dialect: "oh-my-pi", tool: "todo_write", prompts: ohMyPi.todoWritePrompts, budget: 110 },
  { dialect: "gemini", tool: "write_todos", prompts: gemini.writeTodosPrompts, budget: 90 },
  { dialect: "codex", tool: "update_plan", prompts: codex.updatePlanPrompts, budget: 90 },
]

const tokens = (text: string): number => encode(text).length

const teachers = offered.filter(({ tool }) => !["TaskGet", "TaskList"].includes(tool))

/** The Task tools divide the teaching between them, so it is looked for in all four. */
const fullOf = (dialect: string, tool: string): string =>
  dialect === "claude-tasks"
    ? offered.flatMap((each) => (each.dialect === dialect ? [each.prompts.full] : [])).join("\n")
    : (offered.find((each) => each.dialect === dialect && each.tool === tool)?.prompts.full ?? "")

describe.each(offered)("$dialect $tool", ({ dialect, tool, prompts, budget }) => {
  test("C9 off is one bare sentence of at most twelve words", () => {
    expect(prompts.off).toMatch(/^[^\n]+\.$/)
    expect(prompts.off.split(/\s+/).length).toBeLessThanOrEqual(12)
  })

  test("C9 quiet stays within its budget", () => {
    expect(tokens(prompts.quiet)).toBeLessThanOrEqual(budget)
  })

  test("C9 each level has more text than the one before", () => {
    expect(tokens(prompts.quiet)).toBeGreaterThan(tokens(prompts.off))
    expect(tokens(prompts.full)).toBeGreaterThan(tokens(prompts.quiet))
  })

  test("C6 names no tool of another dialect or of another version", () => {
    const own = offered.flatMap((each) => (each.dialect === dialect ? [each.tool] : []))
    const siblings = tool.startsWith("todo") ? [tool] : own
    const foreign = offered.map((each) => each.tool).filter((name) => !siblings.includes(name))
    // "todo" is also an English word: as the name of a tool it would stand in backquotes.
    const asName = (name: string) => (name === "todo" ? /`todo`/ : new RegExp(`\\b${name}\\b`))
    for (const text of Object.values(prompts)) for (const name of foreign) expect(text).not.toMatch(asName(name))
  })

  test("C6 no placeholder is left", () => {
    for (const text of Object.values(prompts)) expect(text).not.toMatch(/undefined|\[object|\$\{|[^\S\n]\n|\n{3}/)
  })
})

describe("claude-todos full", () => {
  const { full } = claudeTodos.todoWritePrompts

  test.each([
    ["use 1: three or more steps", /three or more distinct steps/],
    ["use 2: planning or several operations", /planning, or several operations/],
    ["use 3: the user asks for a list", /user asks for a list/],
    ["use 4: several things to do", /several things to do/],
    ["use 5: new instructions are captured at once", /New instructions arrive: capture them at once/],
    ["use 6: in progress before the first action", /first action on a todo: set it to in_progress/],
    ["use 7: completed, and follow-ups added", /finished a todo: set it to completed, and add the follow-up/],
    ["skip 1: one straightforward thing", /One straightforward/],
    ["skip 2: trivial work", /work is trivial/],
    ["skip 3: fewer than three trivial steps", /fewer than three trivial steps/],
    ["skip 4: conversation or information", /pure conversation, or the user only wants information/],
    ["the three states", /pending: .*in_progress: .*completed: /],
    ["the two forms of wording", /two forms of wording.*`content`[\s\S]*`activeForm`/],
    ["updates as you go, never in a batch", /as you go.*Never.*batch/],
    ["exactly one in progress", /Exactly one todo is in_progress.*not fewer, not more/],
    ["the current one before the next", /current one to an end before you take up the next/],
    ["what no longer matters is removed", /no longer matters, remove it/],
    ["completed means fully done", /Only when a todo is fully done/],
    ["not with failing tests", /tests fail/],
    ["not with partial work", /part of it is missing/],
    ["not with unresolved errors", /error is unresolved/],
    ["not with missing files or dependencies", /a file or a dependency .* could not be found/],
    ["stuck: in progress, and a todo for the blocker", /stuck, keep the todo in_progress and add a todo for what must/],
    ["look before planning, one todo for each place", /Look before you plan.*one todo for each place/],
    ["running the tests means making them pass", /"Run the tests" means make them pass/],
    ["errors found become todos", /Every error you find becomes a todo/],
    ["specific, small, clearly named", /specific and small, and name it/],
    ["the model's memory and the user's view", /your own memory.*what the user sees/],
    ["when in doubt, use it", /When in doubt, use it/],
    ["that it is used unasked", /Do not wait to be asked/],
  ])("C7 teaches %s", (_, notion) => {
    expect(full).toMatch(notion)
  })

  test.each([
    ["in progress before starting", /Before you begin a todo, set it to in_progress/],
    ["completed at once", /The moment it is done, set it to completed/],
    [
      "back to pending only with a todo for the blocker",
      /back to pending in the same call that adds the todo for the blo/,
    ],
    ["a delegated todo ends when the sub-agent returns", /delegated is done when the sub-agent has returned/],
  ])("W3 teaches %s", (_, notion) => {
    expect(full).toMatch(notion)
  })

  test("C7 shows use and non-use, each with its reason", () => {
    const [, helps = "", not = ""] = full.split(/## Examples where .*\n/)
    for (const [part, least] of [
      [helps, 4],
      [not, 4],
    ] as const) {
      const count = (label: string) => part.split(`\n${label}: `).length - 1
      expect(count("User")).toBeGreaterThanOrEqual(least)
      expect(count("You")).toBe(count("User"))
      expect(count("Why")).toBe(count("User"))
    }
  })
})

describe("the short description", () => {
  test.each(teachers.filter(({ tool }) => tool !== "TaskUpdate"))(
    "C6 of $dialect $tool is one line and invites to use it unasked",
    ({ dialect, tool }) => {
      const own = Object.values(dialects).find(({ id }) => id === dialect)
      const summary = own?.tools.find(({ name }) => name === tool)?.summary ?? ""
      expect(summary).toMatch(/^[^\n]{1,100}\. Use it early and often, unasked\.$/)
    },
  )
})

describe("the other dialects", () => {
  test.each(teachers)("C7 full of $dialect $tool teaches the same ideas", ({ dialect, tool }) => {
    const full = fullOf(dialect, tool)
    for (const notion of [
      /Do not wait to be asked/,
      /Exactly one .*(?:in_progress|in progress).*not fewer, not more/,
      /three or more distinct steps/,
      /fewer than three/,
      /Look before you plan/,
      /as you go/,
      /fully done/,
      /make them pass/,
      /sub-agent has returned/,
      /\nWhy: /,
      /When in doubt/,
    ])
      expect(full).toMatch(notion)
  })

  test("C7 the full prompts of other dialects are shorter than that of claude-todos", () => {
    for (const { dialect, prompts } of offered)
      if (dialect !== "claude-todos")
        expect(tokens(prompts.full)).toBeLessThan(tokens(claudeTodos.todoWritePrompts.full))
  })

  test("G1 G2 gencode names its limits at both levels", () => {
    for (const text of [gencode.todoWritePrompts.quiet, gencode.todoWritePrompts.full]) {
      expect(text).toMatch(/\b20 todos/)
      expect(text).toMatch(/500 characters/)
      expect(text).toMatch(/one (todo is )?in_progress/)
    }
  })

  test("O1 O18 oh-my-pi names the operations of each of its tools", () => {
    for (const op of ["init", "append", "start", "done", "drop", "rm", "block", "unblock", "view"])
      expect(ohMyPi.todoPrompts.full).toContain(`\`${op}\``)
    expect(ohMyPi.todoPrompts.full).not.toContain("`note`")
    for (const op of ["init", "append", "start", "done", "drop", "rm", "note"])
      expect(ohMyPi.todoWritePrompts.full).toContain(`\`${op}\``)
    expect(ohMyPi.todoWritePrompts.full).not.toMatch(/`(un)?block`|`view`/)
  })

  test("N5 blocked is taught where the tool has it", () => {
    expect(headway.todoPrompts.quiet).toMatch(/blocked\s+with `reason` and `waitsFor`/)
    expect(headway.todoPrompts.full).toMatch(/blocked with the `reason`/)
    expect(gemini.writeTodosPrompts.quiet).toMatch(/blocked when/)
    expect(ohMyPi.todoPrompts.quiet).toMatch(/`block` with a `reason`/)
  })
})

describe("tools under a host's own names", () => {
  const own = (name: string): string => `mcp__plans__${name}`
  const named = (tools: readonly { name: string }[]) => Object.fromEntries(tools.map(({ name }) => [name, own(name)]))
  const spoken = Object.values(dialects).filter(({ tools }) => tools.length > 0)

  test.each(spoken)("C8 $id mentions them by those names and no other", (dialect) => {
    const { tools } = dialect
    const names = tools.map(({ name }) => name)
    for (const level of ["off", "quiet", "full"] as const) {
      const plain = toolDefinitions(dialect, { level, tool: names })
      const renamed = toolDefinitions(dialect, { level, tool: names, names: named(tools) })
      expect(renamed.map(({ name }) => name)).toEqual(names.map(own))
      // "todo" is also an English word, and stays one.
      const called = names.filter((name) => name !== "todo")
      for (const [index, { description, summary }] of renamed.entries()) {
        for (const name of called) expect(`${summary} ${description}`).not.toMatch(new RegExp(`\\b${name}\\b`))
        expect(description.replaceAll("mcp__plans__", "")).toBe(plain[index]?.description)
      }
    }
  })

  test("C8 the Task tools refer to one another", () => {
    const definitions = toolDefinitions(dialects["claude-tasks"], { level: "full", names: { TaskUpdate: "revise" } })
    expect(definitions.map(({ name }) => name)).toContain("revise")
    expect(definitions.find(({ name }) => name === "TaskCreate")?.description).toContain("afterwards, with revise.")
  })
})

describe("quiet", () => {
  const main = teachers.filter(({ tool }) => !tool.startsWith("Task"))

  test.each(main)("N4 $dialect $tool has when to use it, when not, and what done means", ({ prompts: { quiet } }) => {
    expect(quiet).toMatch(/unasked for work of three or more steps/)
    expect(quiet).toMatch(/skip it for/)
    expect(quiet).toMatch(/as you go/)
    expect(quiet).toMatch(/once it really\s+works/)
  })

  test("N4 no text is in capitals", () => {
    for (const { prompts } of offered)
      expect(prompts.quiet).not.toMatch(/\b(MUST|NEVER|ALWAYS|IMPORTANT|must|never)\b|!/)
  })

  test("N4 work that can be parallel is not restricted to one at a time", () => {
    for (const { dialect, prompts } of offered)
      if (!["gencode", "gemini"].includes(dialect))
        expect(prompts.quiet).not.toMatch(/\bone (todo |step |task )?(is )?in_progress|at a time/)
  })
})
