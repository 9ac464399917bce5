/** Where agents keep their sessions: one file and one row each, moved by the variables the agents themselves know. */

import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { Source } from "../../src/sessions/source.ts"
import { sources, streams } from "../agents/loaded.ts"

const all: [string, Source][] = Object.entries(sources)

test("every source has its file, its row and its name", () => {
  const folders = readdirSync("src/agents").filter((name) => existsSync(join("src/agents", name, "sessions.ts")))
  expect(folders.toSorted()).toEqual(Object.keys(sources).toSorted())
  for (const [name, { agentType }] of all) expect(agentType).toBe(name)
})

test("lines are read by a stream of the same agent", () => {
  for (const [, { agentType, places }] of all) {
    for (const { reading } of places) {
      if (reading.as !== "lines") continue
      expect(streams[reading.stream as keyof typeof streams]?.agentType).toBe(agentType)
    }
  }
})

test.each([
  ["claude-code", {}, ["/h/.claude"]],
  ["claude-code", { CLAUDE_CONFIG_DIR: "/c" }, ["/c"]],
  ["openai-codex", {}, ["/h/.codex"]],
  ["openai-codex", { CODEX_HOME: "/c" }, ["/c"]],
  ["google-gemini", {}, ["/h/.gemini"]],
  ["opencode", {}, ["/h/.local/share/opencode"]],
  ["opencode", { XDG_DATA_HOME: "/d" }, ["/d/opencode"]],
  ["opencode", { OPENCODE_DB: "/e/my.db" }, ["/h/.local/share/opencode", "/e"]],
  ["kilo", {}, ["/h/.local/share/kilo"]],
  ["kilo", { KILO_DB: "/e/my.db" }, ["/h/.local/share/kilo", "/e"]],
  ["github-copilot", {}, ["/h/.copilot"]],
  ["github-copilot", { COPILOT_HOME: "/c" }, ["/c"]],
  ["oh-my-pi", {}, ["/h/.omp/agent"]],
  ["pi", {}, ["/h/.pi/agent"]],
  ["pi", { PI_CODING_AGENT_DIR: "/p" }, ["/p"]],
  ["pi", { PI_CODING_AGENT_SESSION_DIR: "/s" }, ["/h/.pi/agent", "/s"]],
  ["continue-cli", {}, ["/h/.continue"]],
  ["continue-cli", { CONTINUE_GLOBAL_DIR: "/c" }, ["/c"]],
  ["cline", {}, ["/h/.cline/data"]],
  ["cline", { CLINE_DIR: "/c" }, ["/c/data"]],
  ["cline", { CLINE_DATA_DIR: "/d" }, ["/d"]],
  ["qwen-code", {}, ["/h/.qwen"]],
  ["qwen-code", { QWEN_RUNTIME_DIR: "/q" }, ["/q"]],
  ["grok", {}, ["/h/.grok"]],
  ["grok", { GROK_HOME: "/g" }, ["/g"]],
  ["kimi-code", {}, ["/h/.kimi-code"]],
  ["kimi-code", { KIMI_CODE_HOME: "/k" }, ["/k"]],
] as const)("%s with %o is searched in %o", (name, env, homes) => {
  expect((sources[name] as Source).homes(env, "/h")).toEqual(homes)
})

describe("the tools of a session show whether it has a plan tool", () => {
  test.each([
    ["claude-code", { tools: ["Bash"] }, "absent"],
    ["claude-code", { tools: ["Bash", "TaskCreate"] }, "present"],
    ["claude-code", { tools: ["Bash", "mcp__headway__todo"] }, "present"],
    ["claude-code", { tools: ["Bash", "mcp__plugin_headway_headway__todo"] }, "present"],
    ["claude-code", { tools: ["Bash", "ToolSearch"] }, "unknown"],
    ["claude-code", {}, "unknown"],
    ["openai-codex", { tools: ["shell", "mcp__headway.todo"] }, "present"],
    ["openai-codex", {}, "unknown"],
    ["google-gemini", { tools: ["tracker_create_task"] }, "present"],
    ["google-gemini", { tools: ["mcp_headway_todo"] }, "present"],
    ["google-gemini", {}, "unknown"],
    ["qwen-code", { tools: ["read_file"] }, "absent"],
    ["qwen-code", {}, "unknown"],
    ["opencode", { tools: ["bash"] }, "absent"],
    ["opencode", { tools: ["bash", "headway_todo"] }, "present"],
    ["opencode", {}, "unknown"],
    ["oh-my-pi", { tools: ["mcp__headway_todo"] }, "present"],
    ["oh-my-pi", {}, "unknown"],
    ["pi", { tools: ["bash"] }, "absent"],
    ["pi", { tools: ["bash", "todo"] }, "present"],
    ["continue-cli", { tools: ["Checklist"] }, "present"],
    ["cline", { tools: ["team_task"] }, "present"],
    ["cline", { tools: ["headway__todo"] }, "present"],
    ["kimi-code", { tools: ["Bash", "TodoList"] }, "present"],
  ] as const)("%s %o: %s", (name, about, expected) => {
    expect((sources[name] as Source).planTool(about)).toBe(expected)
  })
})

test("every recorded home is in the folders of a source", () => {
  for (const client of readdirSync("test/fixtures/streams")) {
    const [recording = ""] = readdirSync(join("test/fixtures/streams", client)).filter((name) =>
      existsSync(join("test/fixtures/streams", client, name, "home")),
    )
    const home = join("test/fixtures/streams", client, recording, "home")
    expect(all.some(([, { below }]) => below.home.some((folder) => existsSync(join(home, folder))))).toBe(true)
  }
})
