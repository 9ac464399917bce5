/** A session of Claude Code that was forked: its transcript repeats the first one, and its tasks are numbered from 1 again. */
import { appendFileSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { atHome } from "./run-cli.ts"

const [original, fork] = ["0b7c9d1e-5a4f-4c3b-9e2d-1f6a8b7c5d3e", "9b7c9d1e-5a4f-4c3b-9e2d-1f6a8b7c5d3e"]

const claudeCode = () => {
  const { home, run } = atHome()
  const folder = join(home, ".claude", "projects", home.replace(/[^A-Za-z0-9]/g, "-"))
  mkdirSync(folder, { recursive: true })
  const fileOf = (session: string): string => join(folder, `${session}.jsonl`)
  let seconds = 0
  const now = (): string => new Date(Date.UTC(2030, 0, 1, 0, 0, ++seconds)).toISOString()
  const hook = (session: string, event: object) => {
    const input = JSON.stringify({ session_id: session, transcript_path: fileOf(session), cwd: home, ...event })
    return run(["hook", "claude-code"], { input, now: now() })
  }
  const record = (session: string, tool_name: string, tool_input: object, tool_response: object): object => {
    const id = `call-${++seconds}`
    const line = (type: string, content: object, more: object = {}): void => {
      const about = { sessionId: session, cwd: home, version: "2.1.197", isSidechain: false, timestamp: now() }
      appendFileSync(
        fileOf(session),
        `${JSON.stringify({ type, ...about, message: { role: type, content: [content] }, ...more })}\n`,
      )
    }
    line("assistant", { type: "tool_use", id, name: tool_name, input: tool_input })
    line("user", { type: "tool_result", tool_use_id: id, content: "ok" }, { toolUseResult: tool_response })
    return { hook_event_name: "PostToolUse", tool_name, tool_input, tool_response, tool_use_id: id }
  }
  return {
    run: (...argv: string[]) => run(argv, { now: now() }),
    hook,
    create: (session: string, id: string, subject: string) =>
      record(session, "TaskCreate", { subject }, { task: { id, subject } }),
    update: (session: string, taskId: string, status: string) =>
      record(session, "TaskUpdate", { taskId, status }, { success: true, taskId, updatedFields: ["status"] }),
    forkIt: () => appendFileSync(fileOf(fork), readFileSync(fileOf(original), "utf8").replaceAll(original, fork)),
    shown: async (session: string): Promise<string[]> => {
      const { out } = await run(["show", session, "--json"], { now: now() })
      const { todos }: { todos: Record<string, string>[] } = JSON.parse(out)
      return todos.map(({ content, status }) => `${content}: ${status}`)
    },
  }
}

test.each([
  ["with nobody looking", false],
  ["with a look before each hook", true],
])("a number in a fork means the fork's own task, %s", async (_, isWatched) => {
  const { run, hook, create, update, forkIt, shown } = claudeCode()
  await hook(original, create(original, "1", "Read the ledger"))
  await hook(original, create(original, "2", "Fix the tax"))
  await hook(original, update(original, "1", "completed"))
  await run("todo", "block", "2", "--reason", "no key", "--session", original)
  const before = await shown(original)
  forkIt()
  await hook(fork, { hook_event_name: "SessionStart", source: "resume" })
  const calls = [
    () => create(fork, "1", "Draw a map"),
    () => create(fork, "2", "Sail away"),
    () => update(fork, "1", "in_progress"),
  ]
  for (const call of calls) {
    const event = call()
    if (isWatched) await shown(fork)
    await hook(fork, event)
    const listed = isWatched ? await shown(fork) : []
    expect(listed).toEqual([...new Set(listed)])
  }
  const todos = await shown(fork)
  expect(todos.slice(-3)).toEqual(["Fix the tax: blocked", "Draw a map: in_progress", "Sail away: pending"])
  expect(todos.slice(0, -3)).toEqual(isWatched ? [] : ["Read the ledger: completed"])
  expect(await shown(original)).toEqual(before)
})
