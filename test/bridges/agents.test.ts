/** The contract of an agent's configuration, for every row of the table. */
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { agents, findAgent } from "../../src/agents/settings.ts"
import type { Agent } from "../../src/bridges/setup/agent-settings.ts"
import { describeAgentConfig } from "../contracts/agent-config.ts"

for (const agent of Object.values<Agent>(agents)) describeAgentConfig(agent)

describe("the table", () => {
  const names = (folder: string): string[] =>
    readdirSync(fileURLToPath(new URL(`../../${folder}`, import.meta.url)))
      .map((name) => name.replace(/\.\w+$/, ""))
      .filter((name) => !name.startsWith("_") && name !== "index" && name !== "agent")
      .toSorted()

  test("has a row for each file, named as the file, and a page and a fixture for each row", () => {
    expect(Object.keys(agents).toSorted()).toEqual(names("src/bridges/agents"))
    expect(Object.entries(agents).filter(([id, agent]) => agent.id !== id)).toEqual([])
    expect(names("docs/guide/agents")).toEqual(Object.keys(agents).toSorted())
    expect(names("test/fixtures/configs")).toEqual(Object.keys(agents).toSorted())
  })

  test.each([
    ["claude", "claude-code"],
    ["codex", "openai-codex"],
    ["gemini", "google-gemini"],
    ["qwen", "qwen-code"],
    ["omp", "oh-my-pi"],
    ["opencode", "opencode"],
  ])("%s is short for %s", (short, id) => {
    expect(findAgent(short).id).toBe(id)
  })
})
