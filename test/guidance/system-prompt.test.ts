/** The list tool in the system prompt. */

import { encode } from "gpt-tokenizer"
import { describe, expect, test } from "vitest"
import { toolDefinitions } from "../../src/dialects/definition.ts"
import { dialects } from "../../src/dialects/index.ts"
import {
  guidanceLevels,
  systemPromptSectionNames as names,
  systemPrompt,
  systemPromptSections,
  toolsOf,
} from "../../src/guidance/index.ts"

const tools = { list: "TodoWrite", subagent: "Agent" }
const empty = { taskManagement: "", doingTasks: "", closing: "", commit: "", pullRequest: "" }
const spoken = ["quiet", "full"] as const

describe("system prompt", () => {
  test.each(guidanceLevels)("C8 at %s the text is empty while the tool is not available", (level) => {
    expect(systemPromptSections({ tools: { subagent: "Agent" }, level })).toEqual(empty)
    expect(systemPrompt({ tools: { list: undefined }, level, overrides: { closing: "Bye." } })).toBe("")
  })

  test("C9 off is empty, also for the host's own text", () => {
    expect(systemPromptSections({ tools, level: "off" })).toEqual(empty)
    expect(systemPrompt({ tools, level: "off", overrides: { closing: "Bye." } })).toBe("")
  })

  test("C9 quiet is the default", () => {
    expect(systemPrompt({ tools })).toBe(systemPrompt({ tools, level: "quiet" }))
  })

  test("C9 quiet costs at most 80 tokens in all, full has more", () => {
    const [quiet, full] = spoken.map((level) => encode(systemPrompt({ tools, level })).length)
    expect(quiet).toBeLessThanOrEqual(80)
    expect(full).toBeGreaterThan(400)
  })

  test.each(spoken)("C8 at %s every section names the tool in use and no other", (level) => {
    const sections = systemPromptSections({ tools: { list: "mcp__headway__todo" }, level })
    for (const name of names) expect(sections[name]).toContain("mcp__headway__todo")
    expect(Object.values(sections).join("\n")).not.toMatch(/TodoWrite|TaskCreate|update_plan|write_todos|undefined/)
  })

  const offered = Object.values(dialects).filter((dialect) => dialect.tools.length > 0)

  test.each(offered)(
    "C8 every section names all tools that write the list of $id, and none that reads it",
    (dialect) => {
      const { list, reading } = toolsOf(toolDefinitions(dialect))
      expect(list.length).toBeGreaterThan(0)
      for (const level of spoken) {
        for (const text of Object.values(systemPromptSections({ tools: { list, reading }, level }))) {
          for (const name of list) expect(text).toContain(name)
          for (const name of reading) expect(text).not.toContain(name)
        }
      }
    },
  )

  test("C8 several tools are named in one sentence", () => {
    const closing = (list: string[]) => systemPromptSections({ tools: { list } }).closing
    expect(closing(["TaskCreate", "TaskUpdate"])).toBe("Keep your plan current with TaskCreate and TaskUpdate.")
    expect(closing(["a", "b", "c"])).toContain("a, b and c")
    expect(closing([])).toBe("")
    expect(closing([""])).toBe("")
  })

  test.each(spoken)("C8 at %s all but task management is one line", (level) => {
    const { taskManagement: _, ...others } = systemPromptSections({ tools, level })
    for (const text of Object.values(others)) expect(text).toMatch(/^[^\n]+$/)
  })

  test("C8 full works through two examples, each with its reason", () => {
    const { taskManagement } = systemPromptSections({ tools, level: "full" })
    expect(taskManagement.match(/^Asked: /gm)).toHaveLength(2)
    expect(taskManagement.match(/^You: /gm)).toHaveLength(2)
    expect(taskManagement.match(/^Why: /gm)).toHaveLength(2)
  })

  test.each(spoken)("C8 at %s commits and pull requests do without the tool", (level) => {
    const { commit, pullRequest } = systemPromptSections({ tools, level })
    expect(commit).toMatch(/commit.*do not use TodoWrite or Agent|^Leave TodoWrite and Agent out of commits/)
    expect(pullRequest).toMatch(
      /pull request.*do not use TodoWrite or Agent|^Leave TodoWrite and Agent out of pull req/,
    )
    const alone = systemPromptSections({ tools: { list: "TodoWrite" }, level })
    expect(alone.commit).toMatch(/commit.*do not use TodoWrite\.|^Leave TodoWrite out of commits/)
  })

  test.each(spoken)("W3 at %s delegated work is completed when its result is back", (level) => {
    expect(systemPromptSections({ tools, level }).taskManagement).toMatch(/Agent.* is done when .*result is back/)
    expect(systemPromptSections({ tools: { list: "TodoWrite" }, level }).taskManagement).not.toMatch(/Agent|sub-agent/)
  })

  test.each(spoken)("C9 at %s every section can be worded by the host", (level) => {
    for (const name of names) {
      const fixed = systemPromptSections({ tools, level, overrides: { [name]: "Ours." } })
      expect(fixed).toEqual({ ...systemPromptSections({ tools, level }), [name]: "Ours." })
      const made = systemPromptSections({
        tools,
        level,
        overrides: { [name]: (used: { list: string; subagent?: string }) => `${used.list} and ${used.subagent}.` },
      })
      expect(made[name]).toBe("TodoWrite and Agent.")
    }
  })

  test("C9 an empty text leaves its section out", () => {
    const overrides = { taskManagement: "", doingTasks: "Plan.", closing: "", commit: "", pullRequest: "" }
    expect(systemPrompt({ tools, overrides })).toBe("Plan.")
  })

  test("C8 the whole prompt is its sections in order", () => {
    const sections = systemPromptSections({ tools, level: "full" })
    expect(systemPrompt({ tools, level: "full" })).toBe(names.map((name) => sections[name]).join("\n\n"))
  })
})
