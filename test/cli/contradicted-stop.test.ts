/** What an agent hears when it stops with a todo ticked off whose last check failed. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { claudeLines, type Step } from "../evidence/claude-session.ts"
import { atHome } from "./run-cli.ts"

const red: Step = { run: "npm test", prints: "Tests  1 failed (1)", fails: true }
const green: Step = { run: "npm test", prints: "Tests  1 passed (1)" }

/** A session whose only todo is done, with these steps behind it, and its Stop hook. */
const stopping = async (steps: readonly Step[], ...words: string[]) => {
  const { home, run } = atHome()
  const transcript = join(home, "s1.jsonl")
  const lines = [{ todos: { "Fix login": "in_progress" } }, ...steps, { todos: { "Fix login": "completed" } }] as Step[]
  writeFileSync(transcript, claudeLines(lines).join("\n"))
  const about = { session_id: "s1", cwd: home, transcript_path: transcript }
  const todos = [{ content: "Fix login", status: "completed", activeForm: "Fixing" }]
  const call = {
    ...about,
    hook_event_name: "PostToolUse",
    tool_name: "TodoWrite",
    tool_use_id: "t",
    tool_input: { todos },
    tool_response: { newTodos: todos },
  }
  await run(["hook", "claude-code", ...words], { input: JSON.stringify(call) })
  return async (more: object = {}) =>
    (
      await run(["hook", "claude-code", ...words], {
        input: JSON.stringify({ ...about, hook_event_name: "Stop", ...more }),
      })
    ).out
}

test("an agent that stops is told once which check failed, and then may stop", async () => {
  const stop = await stopping([{ edit: "src/login.ts" }, red])
  const reply = JSON.parse(await stop()) as { decision: string; reason: string }
  expect(reply.decision).toBe("block")
  expect(reply.reason).toContain('You marked "Fix login" as done, but the last check, "npm test", failed')
  expect(reply.reason).toContain("Tests 1 failed (1)")
  expect(await stop()).toBe("")
})

test("an agent that stops is told nothing where the check passed, where it was sent back already, or where it is never sent back", async () => {
  expect(await (await stopping([{ edit: "src/login.ts" }, green]))()).toBe("")
  expect(await (await stopping([{ edit: "src/login.ts" }, red]))({ stop_hook_active: true })).toBe("")
  expect(await (await stopping([{ edit: "src/login.ts" }, red], "--let-stop"))()).toBe("")
  expect(await (await stopping([{ edit: "src/login.ts" }, red], "--profile", "off"))()).toBe("")
})
