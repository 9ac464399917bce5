/** What hooks keep of how an agent stands: genuine events where there are some, forged ones, and what readers are shown. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { clientsIn } from "../../src/home/processes/clients.ts"
import { hookAgents } from "../agents/loaded.ts"
import { atHome } from "../cli/run-cli.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { ownBin, programOnPath } from "./on-path.ts"

const recorded = (event: string): Record<string, unknown>[] =>
  readFileSync(`test/fixtures/states/claude-2.1.197/hooks/${event}.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

let { home, run } = atHome()
beforeEach(() => {
  ;({ home, run } = atHome())
})

const fire = (agent: string, event: object) => run(["hook", agent], { input: JSON.stringify(event) })

const told = () =>
  clientsIn(join(home, ".headway")).flatMap(({ sessions }) => sessions.map(({ session, told: one }) => [session, one]))

const event = (name: string, more: object = {}) => ({ session_id: "s-1", cwd: home, hook_event_name: name, ...more })

describe("an event with the state of its agent", () => {
  test("of Claude Code, as captured: it asks a question, asks for permission, and leaves", async () => {
    const [question, permission] = recorded("PermissionRequest")
    const session = String(question?.session_id)
    await fire("claude", event("UserPromptSubmit", { session_id: session, prompt: "Build the shop" }))
    expect((await fire("claude", question ?? {})).out).toBe("")
    expect(told()).toMatchObject([[session, { kind: "question", text: "Which database should the shop use?" }]])
    await fire("claude", permission ?? {})
    expect(told()).toMatchObject([[session, { kind: "permission", text: "Bash touch built.txt && sleep 8" }]])
    await fire("claude", recorded("SessionEnd")[0] ?? {})
    expect(told()).toMatchObject([[session, { kind: "ended" }]])
  })

  test.each([
    [
      "codex",
      event("PermissionRequest", { tool_name: "Bash", tool_input: { command: "rm -r dist" } }),
      "permission Bash rm -r dist",
    ],
    ["codex", event("SessionEnd", { reason: "other" }), "ended"],
    [
      "gemini",
      event("Notification", {
        notification_type: "ToolPermission",
        message: "Tool Shell requires execution",
        details: { type: "exec", title: "Shell", command: "make", rootCommand: "make" },
      }),
      "permission Shell make",
    ],
    ["gemini", event("SessionEnd", { reason: "exit" }), "ended"],
    [
      "qwen",
      event("PermissionRequest", { tool_name: "edit", tool_input: { file_path: "/p/a.ts" } }),
      "permission edit /p/a.ts",
    ],
    ["qwen", event("StopFailure", { error: "rate_limit", error_details: "429\nslow down" }), "failed 429 slow down"],
    [
      "opencode",
      event("PermissionRequest", { tool_name: "bash", tool_input: { pattern: "git push" } }),
      "permission bash git push",
    ],
    ["opencode", event("QuestionAsked", { questions: [{ question: "Blue?" }] }), "question Blue?"],
    ["opencode", event("StopFailure", { error: "Overloaded" }), "failed Overloaded"],
  ])("%s: %j", async (agent, stand, expected) => {
    const start = agent === "gemini" ? "BeforeAgent" : "UserPromptSubmit"
    await fire(agent, event(start, { prompt: "Go", submitted_prompt: "Go" }))
    await fire(agent, stand)
    const [[, one] = []] = told()
    expect(typeof one === "object" ? [one.kind, one.text].filter(Boolean).join(" ") : one).toBe(expected)
  })

  test("is not a notification about something else", async () => {
    await fire("gemini", event("BeforeAgent", { prompt: "Go" }))
    await fire("gemini", event("Notification", { notification_type: "Other", message: "Hello" }))
    expect(told()).toEqual([["s-1", undefined]])
  })

  test("is over with the reply to opencode's question, or the person's next prompt", async () => {
    const asked = event("QuestionAsked", { questions: [{ question: "Blue?" }] })
    await fire("opencode", event("UserPromptSubmit", { prompt: "Go" }))
    await fire("opencode", asked)
    await fire("opencode", event("Replied"))
    expect(told()).toEqual([["s-1", undefined]])
    await fire("opencode", asked)
    await fire("opencode", event("UserPromptSubmit", { prompt: "Leave it" }))
    expect(told()).toEqual([["s-1", undefined]])
  })

  test("is kept as one short line without terminal escapes", async () => {
    const command = `echo "\u001b[2J\u202e${"x\n".repeat(5_000)}"`
    await fire("claude", event("UserPromptSubmit", { prompt: "Go" }))
    await fire("claude", event("PermissionRequest", { tool_name: "Bash", tool_input: { command } }))
    const [[, one] = []] = told()
    const text = typeof one === "object" ? (one.text ?? "") : ""
    expect(text.length).toBeLessThanOrEqual(200)
    expect(text).toMatch(/^Bash echo "x x x [ -~…]*$/)
  })

  test("about a session that its process was never in is not kept", async () => {
    await fire("claude", event("UserPromptSubmit", { prompt: "Go" }))
    await fire("claude", event("SessionEnd", { session_id: "another" }))
    await fire("claude", event("PermissionRequest", { session_id: "another", tool_name: "Bash", tool_input: {} }))
    expect(told()).toEqual([["s-1", undefined]])
  })

  test("that is damaged ends well and keeps nothing false", async () => {
    await fire("claude", event("UserPromptSubmit", { prompt: "Go" }))
    for (const input of [{}, { tool_name: 7 }, { tool_name: "AskUserQuestion", tool_input: "x" }, { tool_input: [[]] }])
      expect(await fire("claude", event("PermissionRequest", input))).toMatchObject({ code: 0, out: "" })
    expect(told()).toMatchObject([["s-1", { kind: "permission" }]])
  })
})

test("events with the state of an agent are read, and print nothing", async () => {
  for (const { agentType, moments, agentState } of Object.values(hookAgents)) {
    const names = Object.entries(moments).flatMap(([name, moment]) => (moment === "state" ? [name] : []))
    if (names.length === 0) continue
    const read = await agentState?.()
    for (const name of names) {
      expect({ agentType, reply: (await fire(agentType, event(name))).out }).toEqual({ agentType, reply: "" })
      expect(() => read?.({ hook_event_name: name })).not.toThrow()
    }
  }
})

describe("hooks for events that older versions do not know", () => {
  const withClaude = (version: string) => {
    const folder = temporaryFolder()
    const PATH = `${programOnPath(join(folder, "bin"), "claude", `echo '${version} (Claude Code)'`)}:${process.env.PATH}`
    const at = atHome({ home: folder, env: { PATH } })
    const names = (): string[] =>
      Object.keys(JSON.parse(readFileSync(join(folder, ".claude/settings.json"), "utf8")).hooks ?? {})
    return { ...at, names }
  }

  test("are written only for a version that knows them, and removed again", async () => {
    const old = withClaude("2.0.37")
    await old.run(["setup", "claude"])
    expect(old.names()).not.toContain("PermissionRequest")
    const { run: here, names } = withClaude("2.1.325")
    await here(["setup", "claude"])
    expect(names()).toEqual(expect.arrayContaining(["Stop", "PermissionRequest", "SessionEnd"]))
    await here(["setup", "claude", "--no-hooks"])
    expect(names()).toEqual([])
  })

  test("that keep tasks open are written only with --gate, and removed without it", async () => {
    const old = withClaude("2.1.0")
    await old.run(["setup", "claude", "--gate"])
    expect(old.names()).not.toContain("TaskCompleted")
    const { run: here, home: folder, names } = withClaude("2.1.325")
    const { err } = await here(["setup", "claude", "--gate"])
    expect(err).toContain("a todo stays open while one of its allowed checks fails")
    expect(names()).toContain("TaskCompleted")
    const text = (file: string): string => readFileSync(join(folder, file), "utf8")
    expect([text(".claude/settings.json"), text(".claude.json")].map((one) => one.includes("--gate"))).toEqual([
      true,
      true,
    ])
    await here(["setup", "claude"])
    expect(names()).not.toContain("TaskCompleted")
    expect([text(".claude/settings.json"), text(".claude.json")].map((one) => one.includes("--gate"))).toEqual([
      false,
      false,
    ])
  })
})

test("our own agent's session ends with its process", async () => {
  const folder = temporaryFolder()
  const env = { PATH: process.env.PATH ?? "", HOME: folder }
  const headway = (...words: string[]) =>
    spawnSync(process.execPath, [ownBin, ...words], { cwd: folder, env, encoding: "utf8" })
  expect(headway("agent", "--model", "script:demo", "--yes", "--print", "Build it").status).toBe(0)
  const rows = JSON.parse(headway("list", "--own", "--json").stdout) as { agentType: string; state: string }[]
  expect(rows.filter(({ agentType }) => agentType === "headway-agent").map(({ state }) => state)).toEqual(
    rows.map(() => expect.stringMatching(/^(?:ended|finished)$/)),
  )
  expect(rows.length).toBeGreaterThan(0)
})
