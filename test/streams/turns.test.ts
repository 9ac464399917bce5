/** When turns begin, end and fail: in what real clients printed and left on disk, and in what their formats say of failures. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createEventReader, type StreamEvent, type TurnEvent } from "../../src/streams/index.ts"
import { streamsOf } from "../agents/loaded.ts"
import { fixture } from "./damage.ts"
import { captures } from "./samples.ts"

const turnsOf = (text: string, from = "auto"): TurnEvent[] => {
  const turns: TurnEvent[] = []
  const onEvent = (event: StreamEvent): void => void (event.type === "turn" && turns.push(event))
  const reader = createEventReader({ candidates: streamsOf(from), now: () => new Date(0), onEvent })
  reader.push(Buffer.from(text))
  reader.end()
  return turns
}

const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("")

const shortly = (turns: readonly TurnEvent[]): string[] =>
  turns.map(({ state, error, parentId }) =>
    [parentId === undefined ? "main" : "sub-agent", state, error ?? []].flat().join(" "),
  )

const outputs = readdirSync(captures).flatMap((client) =>
  readdirSync(join(captures, client)).map((name) => `${client}/${name}/stdout.jsonl`),
)
const printed = outputs.filter((path) => readdirSync(join(captures, path, "..")).includes("stdout.jsonl"))

test.each(printed)("%s: one turn of the main agent begins and ends", (path) => {
  const main = turnsOf(fixture(path)).filter(({ parentId }) => parentId === undefined)
  expect(shortly(main)).toEqual(["main started", "main ended"])
  // Some clients name their session only later, or when they end.
  expect(main[0]?.agentId).toBe(main[0]?.session ?? "main")
  expect(main.filter(({ agentId, session }) => agentId !== "main" && agentId !== session)).toEqual([])
})

test("sub-agents have turns within their parent's turn", () => {
  expect(shortly(turnsOf(fixture("claude-2.1.197/subagents-todowrite/stdout.jsonl")))).toEqual([
    "main started",
    "sub-agent started",
    "sub-agent started",
    "sub-agent ended",
    "sub-agent ended",
    "main ended",
  ])
})

test("a session file has each of its turns, with times", () => {
  const folder = "codex-0.166.0/plan/home/.codex/sessions/2026/11/15"
  const [file = ""] = readdirSync(join(captures, folder))
  const turns = turnsOf(fixture(`${folder}/${file}`))
  expect(shortly(turns)).toEqual(["main started", "main ended"])
  const [begun = 0, ended = 0] = turns.map(({ timestamp }) => timestamp)
  expect(begun).toBeGreaterThan(Date.parse("2026-11-15T00:00:00Z"))
  expect(ended).toBeGreaterThan(begun)
})

const claude = { session_id: "s", uuid: "u", parent_tool_use_id: null }
const entry = { sessionId: "s", isSidechain: false, timestamp: "2026-11-15T18:50:00Z", uuid: "u" }
const rollout = (payload: object) => ({ timestamp: "2026-11-15T18:50:00Z", type: "event_msg", payload })
const gemini = { timestamp: "2026-11-15T18:50:00Z" }

describe("a turn fails with a reason", () => {
  test.each<[string, object[], string]>([
    [
      "claude-stream",
      [{ ...claude, type: "result", num_turns: 1, is_error: true, result: "Overloaded" }],
      "Overloaded",
    ],
    [
      "claude-transcript",
      [
        {
          ...entry,
          type: "assistant",
          isApiErrorMessage: true,
          message: { role: "assistant", stop_reason: "stop_sequence", content: [{ type: "text", text: "API Error" }] },
        },
      ],
      "API Error",
    ],
    [
      "claude-transcript",
      [{ ...entry, type: "user", message: { role: "user", content: "[Request interrupted by user]" } }],
      "The turn was interrupted.",
    ],
    ["codex-exec", [{ type: "turn.failed", error: { message: "No quota" } }], "No quota"],
    ["codex-rollout", [rollout({ type: "turn_aborted", reason: "interrupted" })], "The turn was interrupted."],
    [
      "codex-app-server",
      [{ method: "turn/completed", params: { threadId: "t", turn: { status: "failed", error: { message: "No" } } } }],
      "No",
    ],
    [
      "codex-app-server",
      [{ method: "turn/completed", params: { threadId: "t", turn: { status: "interrupted" } } }],
      "The turn was interrupted.",
    ],
    ["gemini-stream", [{ ...gemini, type: "result", status: "error", error: { message: "Too long" } }], "Too long"],
    [
      "opencode-run",
      [{ type: "error", sessionID: "s", error: { name: "APIError", data: { message: "No key" } } }],
      "No key",
    ],
    [
      "opencode-events",
      [{ type: "session.error", properties: { sessionID: "s", error: { name: "MessageAbortedError" } } }],
      "The turn was interrupted.",
    ],
    [
      "oh-my-pi-json",
      [
        { type: "message_end", message: { role: "assistant", stopReason: "error", errorMessage: "Overloaded" } },
        { type: "agent_end" },
      ],
      "Overloaded",
    ],
    [
      "oh-my-pi-session",
      [{ type: "message", id: "1", parentId: null, message: { role: "assistant", stopReason: "aborted" } }],
      "The turn was interrupted.",
    ],
    ["qwen-stream", [{ ...claude, type: "result", is_error: true, errors: ["Quota"] }], "Quota"],
    ["cursor-stream", [{ type: "result", is_error: true, result: "Not logged in" }], "Not logged in"],
    [
      "acp",
      [
        { jsonrpc: "2.0", id: 2, method: "session/prompt", params: { sessionId: "s" } },
        { jsonrpc: "2.0", id: 2, error: { code: -32000, message: "Log in first" } },
      ],
      "Log in first",
    ],
    ["acp", [{ jsonrpc: "2.0", id: 2, result: { stopReason: "cancelled" } }], "The turn was interrupted."],
    ["codex-exec", [{ type: "turn.failed" }], "The agent gave no reason."],
  ])("%s %j", (from, values, reason) => {
    expect(turnsOf(lines(...values), from).at(-1)).toMatchObject({ state: "failed", error: reason })
  })

  test("is one line without terminal escapes, of limited length", () => {
    const message = `\u001b[2J${"😀".repeat(5_000)}`
    const [turn] = turnsOf(lines({ type: "turn.failed", error: { message } }))
    expect(turn?.error).toMatch(/^(?:😀){1,1000}$/u)
  })
})

describe("a turn is reported once", () => {
  const prompt = { ...gemini, type: "message", role: "user", content: "Do it" }
  const words = { ...gemini, type: "message", role: "assistant", content: "Yes" }
  const end = { ...gemini, type: "result", status: "success" }

  test("with further prompts before any work, and without a second end", () => {
    expect(shortly(turnsOf(lines(prompt, prompt, words, end, end)))).toEqual(["main started", "main ended"])
  })

  test("when a prompt after work begins the next one, although the end of the one before is missing", () => {
    expect(shortly(turnsOf(lines(prompt, words, prompt, words, end)))).toEqual([
      "main started",
      "main started",
      "main ended",
    ])
  })

  test("but not for work alone: a stream that is joined late has only the end", () => {
    expect(shortly(turnsOf(lines(words, end)))).toEqual(["main ended"])
  })
})
