/** The list tool in the system prompt. */

import { encode } from "gpt-tokenizer"
import { describe, expect, test } from "vitest"
import {
  guidanceLevels,
  systemPromptSectionNames as names,
  systemPrompt,
  systemPromptSections,
} from "../../src/guidance/index.ts"

const tools = { list: "TodoWrite", subagent: "Agent" }
const empty = { taskManagement: "", doingTasks: "", closing: "", commit: "", pullRequest: "" }
const spoken = ["quiet", "full"] as const

describe("system prompt", () => {
  test.each(guidanceLevels)("C8 at %s nothing is said while the tool is not available", (level) => {
    expect(systemPromptSections({ tools: { subagent: "Agent" }, level })).toEqual(empty)
    expect(systemPrompt({ tools: { list: undefined }, level, overrides: { closing: "Bye." } })).toBe("")
  })

  test("C9 off is silent, also for the host's own wording", () => {
    expect(systemPromptSections({ tools, level: "off" })).toEqual(empty)
    expect(systemPrompt({ tools, level: "off", overrides: { closing: "Bye." } })).toBe("")
  })

  test("C9 quiet is the default", () => {
    expect(systemPrompt({ tools })).toBe(systemPrompt({ tools, level: "quiet" }))
  })

  test("C9 quiet costs at most 130 tokens in all, full says more", () => {
    const [quiet, full] = spoken.map((level) => encode(systemPrompt({ tools, level })).length)
    expect(quiet).toBeLessThanOrEqual(130)
    expect(full).toBeGreaterThan(130)
  })

  test.each(spoken)("C8 at %s every section names the tool in use and no other", (level) => {
    const sections = systemPromptSections({ tools: { list: "mcp__headway__todo" }, level })
    for (const name of names) expect(sections[name]).toContain("mcp__headway__todo")
    expect(Object.values(sections).join("\n")).not.toMatch(/TodoWrite|TaskCreate|update_plan|write_todos|undefined/)
  })

  test.each(spoken)("C8 at %s all but task management is one line", (level) => {
    const { taskManagement: _, ...others } = systemPromptSections({ tools, level })
    for (const text of Object.values(others)) expect(text).toMatch(/^[^\n]+$/)
  })

  test("C8 full works through two examples, each with its reason", () => {
    const { taskManagement } = systemPromptSections({ tools, level: "full" })
    expect(taskManagement.match(/^User: /gm)).toHaveLength(2)
    expect(taskManagement.match(/^You: /gm)).toHaveLength(2)
    expect(taskManagement.match(/^Why: /gm)).toHaveLength(2)
  })

  test.each(spoken)("C8 at %s commits and pull requests do without the tool", (level) => {
    const { commit, pullRequest } = systemPromptSections({ tools, level })
    expect(commit).toMatch(/commit.*(do not use|leave) TodoWrite/i)
    expect(pullRequest).toMatch(/pull request.*(do not use|leave) TodoWrite/)
  })

  test.each(spoken)("W3 at %s delegated work is done when its result is back", (level) => {
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

  test("C9 an empty wording leaves its section out", () => {
    const overrides = { taskManagement: "", doingTasks: "Plan.", closing: "", commit: "", pullRequest: "" }
    expect(systemPrompt({ tools, overrides })).toBe("Plan.")
  })

  test("C8 the whole is its sections in order", () => {
    const sections = systemPromptSections({ tools, level: "full" })
    expect(systemPrompt({ tools, level: "full" })).toBe(names.map((name) => sections[name]).join("\n\n"))
  })
})
