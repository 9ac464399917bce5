/** A person's change to the plan of a sub-agent: whether the sub-agent is still there to see it. */
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { whenToldSentence } from "../../src/views/when-told.ts"
import { boardAt } from "../board/live-board.ts"
import { createStage } from "../web/staged-home.ts"
import { atHome } from "./run-cli.ts"

const now = "2030-01-01T00:00:00Z"
const session = "11111111-0000-4000-8000-000000000001"
const agent = "abcdef1234567890a"

/** A sub-agent of Claude Code whose list came through a hook, in the middle of its work. */
const withSubAgent = async () => {
  const { home, run } = atHome({ now })
  const stage = createStage(home, () => Date.parse(now))
  const file = stage.claude({ id: session, project: "shop", prompt: "Build", lists: [[100, ["▶ Write"]]] })
  stage.helper(file, { id: agent, role: "Explore", about: "look around", lists: [[60, ["✓ Look", "▶ Count"]]] })
  onTestFinished(stage.runs("claude", "shop", session))
  const cwd = join(home, "code/shop")
  const todos = [{ content: "Count", status: "in_progress", activeForm: "Counting" }]
  const call = { tool_name: "TodoWrite", tool_input: { todos }, tool_response: {}, tool_use_id: "c1" }
  const event = { hook_event_name: "PostToolUse", session_id: session, cwd, agent_id: agent, ...call }
  await run(["hook", "claude-code"], { input: JSON.stringify(event), cwd })
  const end = (): void => {
    const content = [{ type: "text", text: "Done." }]
    const message = { id: "m9", role: "assistant", content, stop_reason: "end_turn" }
    const line = { isSidechain: true, agentId: agent, sessionId: session, cwd, type: "assistant", message }
    const path = join(file.replace(/\.jsonl$/, ""), `subagents/agent-${agent}.jsonl`)
    appendFileSync(path, `${JSON.stringify({ ...line, timestamp: "2029-12-31T23:59:50Z" })}\n`)
  }
  const whose = ["--session", session, "--agent", agent]
  const add = (...more: string[]) => run(["todo", "add", "Weigh them", ...whose, ...more], { cwd })
  const history = async () => (await run(["history", ...whose], { cwd })).out
  return { home, end, add, history }
}

test("one that works is told at its next turn", async () => {
  const { add, history } = await withSubAgent()
  expect((await add()).err).toContain("Claude Code will see it at its next turn")
  expect(await history()).toContain("(not told yet)")
})

test("one that has ended never sees the change, and the person is told so", async () => {
  const { end, add, history } = await withSubAgent()
  end()
  expect((await add()).err).toContain("this sub-agent of Claude Code has ended, so it will not see this")
  expect(await history()).toContain("(not told)")
  expect(JSON.parse((await add("--json")).out)).toMatchObject({ told: false, hears: "never" })
})

test("the board says so too, before and after a change", async () => {
  const { home, end } = await withSubAgent()
  end()
  const board = await boardAt(home, {}, { now: () => new Date(now) })
  const { key } = board.row(session, agent)
  const whenTold = await board.whenTold(key)
  expect(whenTold && whenToldSentence(whenTold)).toBe(
    "This sub-agent of Claude Code has ended, so it does not see your changes.",
  )
  expect(await board.edited(key, { kind: "add", content: "Weigh them" })).toContain(
    "has ended, so it will not see this",
  )
  expect((await board.read(key)).untoldChanges?.whenTold).toMatchObject({ when: "never", isOver: true })
})
