/** What agents say and work on, as messages to show: words whole or in parts, tools with what they are used on. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { Stream } from "../../src/streams/index.ts"
import { ofType, readAll } from "../streams/damage.ts"
import { captures } from "../streams/samples.ts"
import { type StreamId, streams } from "./loaded.ts"

const spoken = (stream: Stream, text: string): string[] =>
  ofType(readAll(stream, text), "message").map(({ agent, tool, text, isPart }) =>
    [agent === "main" ? [] : agent, tool === undefined ? [] : `[${tool}]`, text, isPart ? "…" : []].flat().join(" "),
  )

describe("as recorded", () => {
  const recordings: [StreamId, string, string[]][] = [
    [
      "claude-stream",
      "claude-2.1.197/subagents-todowrite",
      [
        "Plan, then delegate.",
        "[Agent] Survey the repo",
        "[Agent] Check the tests",
        "a3b22d34f61719c9b [Bash] ls",
        "abf7d66e28674ba19 [Bash] echo no tests",
      ],
    ],
    [
      "codex-exec",
      "codex-0.166.0/plan",
      [
        "Model metadata for `mock-model` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.",
        "I'll plan first.",
        "[command_execution] /bin/bash -lc 'cat README.md'",
        "[command_execution] /bin/bash -lc 'echo smoke ok'",
        "All done.",
      ],
    ],
    [
      "gemini-stream",
      "gemini-0.61.0/write-todos",
      [
        "I'll plan first. …",
        "[run_shell_command] cat README.md",
        "[run_shell_command] echo smoke ok",
        "Found one more thing. …",
        "All done. …",
      ],
    ],
    ["opencode-run", "opencode-1.18.33/todos", ["I'll plan first.", "[bash] cat README.md", "[bash] echo smoke ok"]],
    ["oh-my-pi-json", "omp-18.2.3/todos", ["[bash] cat README.md"]],
    ["qwen-stream", "qwen-0.24.4/todos", ["[run_shell_command] cat README.md"]],
  ]

  test.each(recordings)("%s, %s", (id, name, expected) => {
    const text = readFileSync(join(captures, name, "stdout.jsonl"), "utf8")
    const found = spoken(streams[id], text)
    expect(found.filter((line) => expected.includes(line))).toEqual(expected)
  })

  test.each(recordings)("%s, %s: a call that keeps the list is not work (A3)", (id, name) => {
    const text = readFileSync(join(captures, name, "stdout.jsonl"), "utf8")
    expect(spoken(streams[id], text).join("\n")).not.toMatch(
      /\[(?:TodoWrite|Task\w+|write_todos|todo\w*|update_plan)\]/,
    )
  })
})

describe("why an agent stopped", () => {
  const errorsOf = (id: StreamId, ...lines: object[]): string[] =>
    spoken(streams[id], lines.map((line) => JSON.stringify(line)).join("\n"))

  test("is shown once", () => {
    const result = { type: "result", subtype: "error_during_execution", is_error: true, num_turns: 1, session_id: "s" }
    const words = { type: "assistant", session_id: "s", parent_tool_use_id: null }
    const text = { ...words, message: { role: "assistant", content: [{ type: "text", text: "No credit" }] } }
    expect(errorsOf("claude-stream", { ...result, result: "No credit" })).toEqual(["No credit"])
    expect(errorsOf("claude-stream", text, { ...result, result: "No credit" })).toEqual(["No credit"])
    expect(errorsOf("claude-stream", result)).toEqual(["error_during_execution"])
    expect(errorsOf("claude-stream", { ...result, is_error: false, result: "Done" })).toEqual([])
  })

  test("in the words of each client", () => {
    expect(errorsOf("codex-exec", { type: "turn.failed", error: { message: "No credit" } })).toEqual(["No credit"])
    expect(errorsOf("codex-exec", { type: "error", message: "No net" })).toEqual(["No net"])
    expect(errorsOf("gemini-stream", { type: "error", timestamp: "x", message: "No net" })).toEqual(["No net"])
    expect(
      errorsOf("opencode-run", { type: "error", sessionID: "s", error: { name: "E", data: { message: "No net" } } }),
    ).toEqual(["No net"])
  })
})

test("the target of a tool is shortened, whatever the name of its field", () => {
  const use = (input: unknown) =>
    spoken(
      streams["gemini-stream"],
      JSON.stringify({ type: "tool_use", timestamp: "x", tool_name: "t", tool_id: "i", parameters: input }),
    )[0]
  expect(use({ description: "Look", command: "ls" })).toBe("[t] ls")
  expect(use({ command: ["git", "status"] })).toBe("[t] git status")
  expect(use({ limit: 3, anything: "else" })).toBe("[t] else")
  expect(use({ limit: 3 })).toBe("[t] ")
  expect(use("x".repeat(10_000))).toHaveLength(404)
})

test("a format that a command prints names the words it needs", () => {
  const printed = Object.values<Stream>(streams).flatMap(({ printedBy }) => printedBy ?? [])
  expect(printed.map(({ command }) => command).toSorted()).toEqual([
    "claude",
    "cline",
    "codex",
    "copilot",
    "cursor-agent",
    "gemini",
    "grok",
    "grok",
    "kilo",
    "kimi",
    "omp",
    "opencode",
    "pi",
    "qwen",
  ])
  expect(printed.every(({ words }) => words.length > 0 && words.every((group) => group.length > 0))).toBe(true)
})
