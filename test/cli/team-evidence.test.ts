/** The evidence of a member of an agent team, whose tasks were created in another session. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { atHome } from "./run-cli.ts"

const session = "21111111-2222-4333-8444-555555555555"

/** A member that completes task 2 of its team; the list of the team is in files. */
const member = () => {
  const { home, run } = atHome({ now: "2030-01-01T01:00:00Z" })
  const sessions = join(home, ".claude/projects/-x")
  const tasks = join(home, ".claude/tasks/perf")
  for (const folder of [sessions, tasks]) mkdirSync(folder, { recursive: true })
  const task = { id: "2", subject: "Proxy", status: "completed", description: "", blocks: [], blockedBy: [] }
  writeFileSync(join(tasks, "2.json"), JSON.stringify(task))
  const line = (minute: number, type: string, content: unknown, more: object = {}): string =>
    `${JSON.stringify({
      ...{ teamName: "perf", agentName: "proxy-fix", sessionId: session, isSidechain: false, cwd: "/x", type },
      ...{ uuid: `u${minute}`, timestamp: `2030-01-01T00:0${minute}:00.000Z`, message: { role: type, content } },
      ...more,
    })}\n`
  const call = { type: "tool_use", id: "call-1", name: "TaskUpdate", input: { taskId: "2", status: "completed" } }
  const result = { type: "tool_result", tool_use_id: "call-1", content: "Updated task #2 status" }
  const statusChange = { from: "pending", to: "completed" }
  const toolUseResult = { success: true, taskId: "2", updatedFields: ["status"], statusChange }
  const lines = [
    line(1, "user", "Fix the proxy"),
    line(2, "assistant", [call]),
    line(3, "user", [result], { toolUseResult }),
  ]
  writeFileSync(join(sessions, `${session}.jsonl`), lines.join(""))
  return run
}

test("a task is named as in the list of its team, and what is missing is said without a contradiction", async () => {
  const run = member()
  expect((await run(["show", session])).out).toContain("☒ 2 Proxy")
  const { code, out } = await run(["evidence", "--session", session])
  expect(code).toBe(0)
  expect(out).toBe(
    [
      "· Proxy (done, never started)",
      "    It was never in progress: this is what happened since the last change of the list.",
      "    No tool was used.",
      "1 of 1 done; no check was found after the last edit.",
      "",
    ].join("\n"),
  )
})
