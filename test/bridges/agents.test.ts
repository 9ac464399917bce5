/** The contract of an agent's configuration, for every row of the table. */

import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { loadConnectedAgent } from "../../src/agents/index.ts"
import type { Agent } from "../../src/bridges/setup/agent-settings.ts"
import { connectedAgents as agents } from "../agents/loaded.ts"
import { describeAgentConfig } from "../contracts/agent-config.ts"

for (const agent of Object.values<Agent>(agents)) describeAgentConfig(agent)

describe("the table", () => {
  const names = (folder: string): string[] =>
    readdirSync(fileURLToPath(new URL(`../../${folder}`, import.meta.url)))
      .map((name) => name.replace(/\.\w+$/, ""))
      .filter((name) => !name.startsWith("_") && !["index", "agent", "README"].includes(name))
      .toSorted()

  test("has a page and a fixture for each agent that can be connected", () => {
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
    ["kilocode", "kilo"],
    ["copilot", "github-copilot"],
    ["grok-build", "grok"],
    ["kimi", "kimi-code"],
  ])("%s is short for %s", async (short, id) => {
    expect((await loadConnectedAgent(short)).id).toBe(id)
  })
})
