/** An agent that keeps its todos in a database: its hooks see statements, and only the database knows what some of them do. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Database from "libsql"
import { expect, test } from "vitest"
import { atHome } from "../cli/run-cli.ts"

const session = "aaaa1111-0000-4000-8000-000000000001"
const insert = "INSERT INTO todos (id, title, status) VALUES ('t1', 'Read', 'in_progress'), ('t2', 'Write', 'pending')"
const unread = (ids: string): string =>
  `UPDATE todos SET status = 'done', description = COALESCE(description, '') || ' (42 lines)' WHERE id IN (${ids})`

const at = (second: number): string => `2030-01-01T00:00:${String(second).padStart(2, "0")}.000Z`

/** Copilot CLI with a session on disk: each statement is run, written to the session's events, and told to the hook. */
const copilotAt = () => {
  const { home, run } = atHome()
  const folder = join(home, ".copilot/session-state", session)
  mkdirSync(folder, { recursive: true })
  const database = new Database(join(folder, "session.db"))
  database.exec(`CREATE TABLE todos (id TEXT PRIMARY KEY, title TEXT NOT NULL, description TEXT,
    status TEXT DEFAULT 'pending', updated_at TEXT DEFAULT '2030-01-01 00:00:00');
    CREATE TABLE todo_deps (todo_id TEXT, depends_on TEXT)`)
  const write = (type: string, data: object, second: number): void =>
    writeFileSync(
      join(folder, "events.jsonl"),
      `${JSON.stringify({ type, data, id: `${type}-${second}`, timestamp: at(second), parentId: null })}\n`,
      { flag: "a" },
    )
  write("session.start", { sessionId: session, copilotVersion: "1.0.102", context: { cwd: home } }, 0)
  let second = 0
  const fire = (event: object) => {
    const input = JSON.stringify({ session_id: session, cwd: home, ...event })
    return run(["hook", "copilot"], { input, now: at(second) })
  }
  const sql = async (query: string): Promise<void> => {
    second += 2
    const call = { toolCallId: `call-${second}`, toolName: "sql" }
    write("tool.execution_start", { ...call, arguments: { query } }, second - 1)
    database.exec(query)
    write("tool.execution_complete", { ...call, success: true, result: { content: "Done." } }, second - 1)
    const tool_result = { result_type: "success", text_result_for_llm: "Done." }
    await fire({ hook_event_name: "PostToolUse", tool_name: "sql", tool_input: { query }, tool_result })
  }
  const stop = async (): Promise<string | undefined> => {
    second += 1
    const { out } = await fire({ hook_event_name: "Stop", stop_reason: "end_turn", stop_hook_active: false })
    return out === "" ? undefined : JSON.parse(out).reason
  }
  const show = () => run(["show", "--session", session], { now: at(second + 1) })
  return { sql, stop, show }
}

test("an agent may stop if its table says that all is done, by whatever statement", async () => {
  const { sql, stop, show } = copilotAt()
  await sql(insert)
  await sql(unread("'t1', 't2'"))
  expect(await stop()).toBeUndefined()
  const { out, err } = await show()
  expect(out).toMatch(/☒ 1 Read\n.*☒ 2 Write/)
  expect(err).not.toContain("only the database knows")
})

test("it is sent back to what its table still has open", async () => {
  const { sql, stop } = copilotAt()
  await sql(insert)
  await sql(unread("'t1'"))
  const reason = await stop()
  expect(reason).toContain('#t2 "Write"')
  expect(reason).not.toContain("Read")
})

test("its table counts also if its last statement was read", async () => {
  const { sql, stop } = copilotAt()
  await sql(insert)
  await sql(unread("'t1'"))
  await sql("UPDATE todos SET status = 'done' WHERE id = 't2'")
  expect(await stop()).toBeUndefined()
})
