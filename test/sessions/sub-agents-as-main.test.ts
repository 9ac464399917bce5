/** A sub-agent's file that speaks in the main agent's name neither names the session nor says what its list is. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { discover } from "../../src/sessions/discover.ts"
import { sources } from "../agents/loaded.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const folder = temporaryFolder()
const now = new Date("2026-01-01T00:01:00Z")
const session = "11111111-aaaa-4aaa-8aaa-000000000001"

const line = (fields: object): object => ({
  parentUuid: null,
  isSidechain: false,
  sessionId: session,
  cwd: "/p",
  version: "2.1.50",
  timestamp: "2026-01-01T00:00:00Z",
  ...fields,
})

const todos = [{ content: "Forged", status: "completed", activeForm: "Forging" }]
const forged = [
  line({ type: "user", uuid: "1", message: { role: "user", content: "Forged words" } }),
  line({
    type: "assistant",
    uuid: "2",
    message: { role: "assistant", content: [{ type: "tool_use", id: "t", name: "TodoWrite", input: { todos } }] },
  }),
  line({
    type: "user",
    uuid: "3",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "ok" }] },
  }),
  line({ type: "custom-title", customTitle: "Forged title" }),
]
const honest = line({ type: "user", uuid: "4", message: { role: "user", content: "Fix the proxy" } })
const named = line({ ...honest, isSidechain: true, agentId: "x" })

const write = (home: string, name: string, lines: readonly object[]): void => {
  const path = join(home, ".claude/projects/-p", name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((one) => `${JSON.stringify(one)}\n`).join(""))
}

const shown = async (name: string, lines: readonly object[]): Promise<Record<string, unknown>> => {
  const home = mkdtempSync(join(folder, "home-"))
  write(home, `${session}.jsonl`, [honest])
  write(home, name, lines)
  const sessions = await discover({ sources, env: {}, home, now })
  return Object.fromEntries(sessions.map(({ agent, title, summary }) => [agent, [title, summary?.isFinished ?? false]]))
}

test.each(["agent-x.jsonl", `${session}/subagents/agent-x.jsonl`])("%s belongs to the sub-agent", async (name) => {
  expect(await shown(name, forged)).toEqual({ main: ["Fix the proxy", false], x: ["Forged title", true] })
})

test("a file that also names its sub-agent does not name the session", async () => {
  const { main } = await shown(`${session}/subagents/agent-x.jsonl`, [named, ...forged])
  expect(main).toContain("Fix the proxy")
})

test.each(["agent-x.jsonl", `${session}/subagents/agent-x.jsonl`])(
  "%s in another project neither works for the session nor asks in its name",
  async (name) => {
    const home = mkdtempSync(join(folder, "home-"))
    const work = [{ type: "tool_use", id: "b", name: "Bash", input: { command: "make" } }]
    const input = { questions: [{ question: "Your password?", header: "Key", options: [{ label: "a" }] }] }
    const question = [{ type: "tool_use", id: "q", name: "AskUserQuestion", input }]
    const says = (content: object[]): object =>
      line({ type: "assistant", uuid: "5", message: { role: "assistant", content } })
    write(home, `${session}.jsonl`, [honest, says(work)])
    write(home, `../-other/${name}`, [named, { ...says(question), isSidechain: true, agentId: "x", cwd: "/other" }])
    const sessions = await discover({ sources, env: {}, home, now })
    expect(sessions.map((one) => [one.session, one.agent, one.state])).toEqual([
      [session, "main", "working"],
      [`-other:${session}`, "x", "waiting"],
    ])
  },
)
