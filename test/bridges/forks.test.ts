/** Sessions that were forked: they begin with a copy of the plan, through hooks and our own tool, and never touch the other. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { callIdOf } from "../../src/bridges/calls/call-id.ts"
import { beginFromSession } from "../../src/cli/bridge/plans/begun-plan.ts"
import { openBridgePlans } from "../../src/cli/bridge/plans/bridge-plans.ts"
import { createOpened } from "../../src/cli/opened.ts"
import { dialects } from "../../src/dialects/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import type { Store } from "../../src/stores/store.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { atHome } from "../cli/run-cli.ts"
import { silentIo } from "../cli/silent-io.ts"
import { contentsUnder } from "../stores/temporary.ts"

let home = ""
let run: ReturnType<typeof atHome>["run"]
beforeEach(() => {
  ;({ home, run } = atHome())
})

const fire = async (agent: string, session_id: string, hook_event_name: string, more: object = {}): Promise<string> => {
  const input = JSON.stringify({ session_id, cwd: home, hook_event_name, ...more })
  const { out } = await run(["hook", agent], { input })
  return out === "" ? "" : (JSON.parse(out).hookSpecificOutput?.additionalContext ?? "")
}

/** A call of our own tool, as the server gets it from a client that says its session. */
const call = async (agentType: string, session: string, input: object, id?: string): Promise<string> => {
  const opened = createOpened()
  const context = { io: silentIo(home), values: {}, words: [], behind: [], opened }
  const plans = openBridgePlans(context, { isShared: false, isChild: false })
  const tracker = await plans.connect().planFor({ agentType, session }, { tool: "todo", input })
  const known = id === undefined ? {} : { callId: callIdOf(id, input) }
  const { text } = await tracker.write({ tool: "todo", input, ...known }, dialects.headway)
  await plans.close()
  await opened.close()
  return text
}

const shown = async (session: string): Promise<string[]> => {
  const { out, code } = await run(["show", "--json", "--session", session])
  if (code !== 0) return []
  return JSON.parse(out).todos.map(({ id, content, status }: Record<string, string>) => `${id} ${status} ${content}`)
}

const put = (path: string, lines: readonly object[]): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
}

describe("a fork whose file names its origin (Codex)", () => {
  const [parent, fork] = ["01a1e24c-5c78-72e0-a937-7ef1f09f40de", "01a1e24c-5e69-7413-9b36-7b5ce3efcd94"]
  const rollout = (id: string, payload: object) =>
    put(join(home, ".codex/sessions/2029/12/31", `rollout-2029-12-31T23-00-00-${id}.jsonl`), [
      {
        timestamp: "2029-12-31T23:00:00Z",
        type: "session_meta",
        payload: { id, cwd: home, cli_version: "0.166.0", ...payload },
      },
    ])
  const plan = (...steps: [string, string][]) => ({
    tool_name: "update_plan",
    tool_input: { plan: steps.map(([step, status]) => ({ step, status })) },
    tool_response: "Plan updated",
    tool_use_id: `call-${JSON.stringify(steps)}`,
  })

  beforeEach(async () => {
    rollout(parent, {})
    rollout(fork, { forked_from_id: parent, timestamp: "2030-01-01T00:00:01Z" })
    await fire("codex", parent, "PostToolUse", plan(["Read the ledger", "completed"], ["Fix the tax", "in_progress"]))
  })

  test("gets the list back from a hook when it starts", async () => {
    expect(await fire("codex", fork, "SessionStart", { source: "fork" })).toContain("#2 [in_progress] Fix the tax")
    expect(await shown(fork)).toEqual(["1 completed Read the ledger", "2 in_progress Fix the tax"])
  })

  test("finds the todos its model knows through our tool, and leaves the other plan alone", async () => {
    expect(await call("openai-codex", fork, { todos: [{ id: "2", status: "completed" }] })).toContain("2/2 done")
    await call("openai-codex", fork, { todos: [{ content: "Another way" }], replace: true })
    expect(await shown(fork)).toEqual(["3 pending Another way"])
    expect(await shown(parent)).toEqual(["1 completed Read the ledger", "2 in_progress Fix the tax"])
  })

  /** Copies the first entry of the plan only. */
  const cutOffCopy = async (): Promise<string> => {
    await fire("codex", parent, "PostToolUse", plan(["Read the ledger", "completed"], ["Fix the tax", "completed"]))
    const own = join(home, ".headway")
    const store = createFileStore({ home: own })
    let appended = 0
    const failing: Store = {
      ...store,
      append: (...words) => {
        appended += 1
        return appended > 1 ? Promise.reject(new Error("no room")) : store.append(...words)
      },
    }
    const tracker = await openTracker({ store, session: fork })
    const [{ project = "" } = {}] = (await store.list()).plans
    const begun = {
      tracker,
      agentType: "openai-codex",
      project,
      home: own,
      io: { env: {}, home, now: () => new Date() },
    }
    await expect(beginFromSession({ ...begun, store: failing })).rejects.toThrow("no room")
    await tracker.close()
    expect(await shown(fork)).toEqual(["1 completed Read the ledger", "2 in_progress Fix the tax"])
    return join(own, "cache", "copies")
  }

  test("gets the whole plan, though the first process that copied it was cut off", async () => {
    const notes = await cutOffCopy()
    expect(await call("openai-codex", fork, {})).toContain("#2 [completed] Fix the tax")
    expect(await shown(fork)).toEqual(await shown(parent))
    expect(contentsUnder(notes)).toEqual({})
  })

  test("keeps the part it got where the plan is gone, and does not search for the rest again", async () => {
    const notes = await cutOffCopy()
    await run(["gc", "--older-than", "0d", "--unfinished", "--session", parent], { now: "2031-01-01T00:00:00Z" })
    expect(await shown(parent)).toEqual([])
    // No file of the session is there to be read, and none is needed.
    rmSync(join(home, ".codex"), { recursive: true })
    expect(await call("openai-codex", fork, {})).toContain("#2 [in_progress] Fix the tax")
    expect(contentsUnder(notes)).toEqual({})
  })

  test("keeps entries written to a part, and does not search for the rest again", async () => {
    const notes = await cutOffCopy()
    await run(["todo", "done", "2", "--session", fork])
    await run(["todo", "add", "Mine", "--session", fork])
    expect(await call("openai-codex", fork, {})).toContain("Mine")
    expect(contentsUnder(notes)).toEqual({})
    expect(await shown(fork)).toEqual(["1 completed Read the ledger", "2 completed Fix the tax", "3 pending Mine"])
  })

  test("gets neither later entries of the other plan, nor the plan of another agent", async () => {
    const later = { now: "2030-01-01T00:05:00Z" }
    await run(["todo", "add", "--session", parent, "Too late"], later)
    await fire("codex", fork, "SessionStart", { source: "fork" })
    expect(await shown(fork)).toEqual(["1 completed Read the ledger", "2 in_progress Fix the tax"])
    await run(["write", "--new", "--session", "another-agents"], { input: '{"todos":["Secret"]}' })
    const third = "01a1e24c-0000-7413-9b36-7b5ce3efcd94"
    rollout(third, { forked_from_id: "another-agents" })
    await fire("codex", third, "SessionStart", { source: "fork" })
    expect(await shown(third)).toEqual([])
  })

  test("does not get the list from a session file of another folder, only from one of its own", async () => {
    const [source, other] = ["01a1e24c-1111-7413-9b36-7b5ce3efcd94", "01a1e24c-2222-7413-9b36-7b5ce3efcd94"]
    const timestamp = "2029-12-31T23:00:00Z"
    const payload = { type: "function_call", name: "update_plan", call_id: "c1" }
    const written = (cwd: string) =>
      put(join(home, ".codex/sessions/2029/12/31", `rollout-2029-12-31T23-00-00-${source}.jsonl`), [
        { timestamp, type: "session_meta", payload: { id: source, cwd, cli_version: "0.166.0" } },
        { timestamp, type: "response_item", payload: { ...payload, arguments: '{"plan":[{"step":"Secret"}]}' } },
        { timestamp, type: "response_item", payload: { type: "function_call_output", call_id: "c1", output: "ok" } },
      ])
    rollout(other, { forked_from_id: source })
    written("/elsewhere")
    expect(await call("openai-codex", other, {})).not.toContain("Secret")
    written(home)
    expect(await call("openai-codex", other, {})).toContain("Secret")
  })
})

describe("a fork whose file repeats the conversation (Claude Code)", () => {
  const file = (session: string) => join(home, ".claude/projects/-shop", `${session}.jsonl`)
  const line = (session: string, type: "assistant" | "user", content: object[], more: object = {}) => ({
    type,
    message: { role: type, content },
    uuid: `u-${JSON.stringify(content).length}`,
    parentUuid: null,
    isSidechain: false,
    sessionId: session,
    cwd: home,
    version: "2.1.325",
    timestamp: "2020-12-31T23:00:00Z",
    ...more,
  })
  const reply = {
    text: "+ 1 Read the notes [in_progress]\n+ 2 Write the report\n0/2 done, next: 1 Read the notes",
    todos: [
      { id: "1", content: "Read the notes", status: "in_progress" },
      { id: "2", content: "Write the report", status: "pending" },
    ],
  }
  const use = (id: string, input: object) => ({ type: "tool_use", id, name: "mcp__headway__todo", input })
  const first = { todos: [{ content: "Read the notes", status: "in_progress" }, { content: "Write the report" }] }
  const conversation = (session: string) => [
    line(session, "assistant", [use("toolu_1", first)]),
    line(session, "user", [{ type: "tool_result", tool_use_id: "toolu_1", content: JSON.stringify(reply) }]),
  ]

  test("begins with the list its calls lead to, without the call that is being made", async () => {
    const input = { todos: [{ id: "2", status: "in_progress" }, { content: "Another way" }] }
    put(file("fork"), [...conversation("fork"), line("fork", "assistant", [use("toolu_2", input)])])
    expect(await call("claude-code", "fork", input)).toContain("+ 3 Another way")
    expect(await shown("fork")).toEqual([
      "1 in_progress Read the notes",
      "2 in_progress Write the report",
      "3 pending Another way",
    ])
  })

  test("gets the list when it starts, and the tool knows that list", async () => {
    put(file("fork"), conversation("fork"))
    expect(await fire("claude", "fork", "SessionStart", { source: "fork" })).toContain("#2 [pending] Write the report")
    expect(await call("claude-code", "fork", { todos: [{ id: "2", status: "in_progress" }] })).toContain(
      "Write the report",
    )
  })

  test("has what a person added before it, and no later entries of the other plan", async () => {
    await call("claude-code", "parent", first, "toolu_1")
    await run(["todo", "add", "--session", "parent", "Ask Ada first"])
    await call("claude-code", "parent", { todos: [{ content: "After the fork" }] }, "toolu_9")
    put(file("fork"), conversation("fork"))
    expect(await call("claude-code", "fork", {})).toContain("Ask Ada first")
    await call("claude-code", "fork", { todos: [{ id: "3", status: "completed" }] })
    expect((await shown("fork")).map((line) => line.slice(2))).toEqual([
      "in_progress Read the notes",
      "pending Write the report",
      "completed Ask Ada first",
    ])
    expect(await shown("parent")).toContain("3 pending Ask Ada first")
  })

  test("without a list, or without a file, begins with nothing", async () => {
    put(file("empty"), [line("empty", "user", [{ type: "text", text: "Hello." }])])
    for (const session of ["empty", "gone"]) {
      expect(await fire("claude", session, "SessionStart", { source: "fork" })).toBe("")
      expect(await call("claude-code", session, {})).toBe("No todos.")
    }
  })
})
