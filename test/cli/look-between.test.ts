/** Commands that look at the plan of a Claude Code session while its calls are recorded and their hooks have not run, or never do. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { atHome } from "./run-cli.ts"

const session = "0b7c9d1e-5a4f-4c3b-9e2d-1f6a8b7c5d3e"

const claudeCode = () => {
  const { home, run } = atHome()
  const folder = join(home, ".claude", "projects", home.replace(/[^A-Za-z0-9]/g, "-"))
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${session}.jsonl`)
  let seconds = 0
  const now = (): string => new Date(Date.UTC(2030, 0, 1, 0, 0, ++seconds)).toISOString()
  const line = (type: string, content: unknown, more: object = {}): void => {
    const about = { sessionId: session, cwd: home, version: "2.1.197", isSidechain: false, timestamp: now() }
    appendFileSync(file, `${JSON.stringify({ type, ...about, message: { role: type, content }, ...more })}\n`)
  }
  const command = (...argv: string[]) => run(argv, { now: now() })
  const hook = (event: object) => {
    const input = JSON.stringify({ session_id: session, transcript_path: file, cwd: home, ...event })
    return run(["hook", "claude-code"], { input, now: now() })
  }
  /** Records a call in the session, and returns what its hook receives. */
  const record = (tool_name: string, tool_input: object, tool_response: object): object => {
    const id = `call-${seconds}`
    line("assistant", [{ type: "tool_use", id, name: tool_name, input: tool_input }])
    line("user", [{ type: "tool_result", tool_use_id: id, content: "ok" }], { toolUseResult: tool_response })
    return { hook_event_name: "PostToolUse", tool_name, tool_input, tool_response, tool_use_id: id }
  }
  const tasks = join(home, ".claude", "tasks", session)
  return {
    command,
    hook,
    record,
    /** The client's own file of a task. */
    file: (id: string, subject: string, status: string): void => {
      mkdirSync(tasks, { recursive: true })
      writeFileSync(join(tasks, `${id}.json`), JSON.stringify({ id, subject, status, blocks: [], blockedBy: [] }))
    },
    removeFile: (id: string): void => rmSync(join(tasks, `${id}.json`)),
    create: (id: string, subject: string) => record("TaskCreate", { subject }, { task: { id, subject } }),
    update: (taskId: string, status: string) =>
      record("TaskUpdate", { taskId, status }, { success: true, taskId, updatedFields: ["status"] }),
    shown: async (): Promise<string[]> => {
      const { out } = await command("show", session, "--json")
      const { todos }: { todos: Record<string, string>[] } = JSON.parse(out)
      return todos.map(({ id, content, status }) => `${id} ${content}: ${status}`)
    },
  }
}

test("a status that a person set and the agent was told of stays when the agent changes another task", async () => {
  const { command, hook, record, create, update, shown } = claudeCode()
  await hook(create("1", "Read the parser"))
  await hook(create("2", "Fix the login"))
  await hook(update("2", "completed"))
  await command("todo", "reopen", "2", "--session", session)
  await hook(record("Bash", { command: "ls" }, { stdout: "" }))
  const late = update("1", "completed")
  expect(await shown()).toEqual(["1 Read the parser: completed", "2 Fix the login: pending"])
  await hook(late)
  expect(await shown()).toEqual(["1 Read the parser: completed", "2 Fix the login: pending"])
  await hook(update("2", "completed"))
  expect(await shown()).toEqual(["1 Read the parser: completed", "2 Fix the login: completed"])
})

test("a new task that is seen before its hook runs is added once", async () => {
  const { hook, create, shown } = claudeCode()
  await hook(create("1", "Read the parser"))
  const late = create("2", "Fix the login")
  expect(await shown()).toEqual(["1 Read the parser: pending", "2 Fix the login: pending"])
  await hook(late)
  await hook(create("3", "Deploy it"))
  expect(await shown()).toEqual(["1 Read the parser: pending", "2 Fix the login: pending", "3 Deploy it: pending"])
})

test("a task that is reworded from the ground up is the same todo, and keeps what a person set on it", async () => {
  const { command, hook, record, create, shown } = claudeCode()
  await hook(create("1", "Read the parser"))
  await command("todo", "add", "Ask Ada", "--session", session)
  await hook(create("2", "Fix the login"))
  await command("todo", "block", "3", "--reason", "no key", "--session", session)
  await hook(record("Bash", { command: "ls" }, { stdout: "" }))
  const to = { taskId: "2", subject: "Repair sessions" }
  const late = record("TaskUpdate", to, { success: true, taskId: "2", updatedFields: ["subject"] })
  const reworded = ["1 Read the parser: pending", "2 Ask Ada: pending", "3 Repair sessions: blocked"]
  expect(await shown()).toEqual(reworded)
  await hook(late)
  expect(await shown()).toEqual(reworded)
})

test("a reworded task of a session that is only read keeps its id and its notes", async () => {
  const { command, record, create, shown } = claudeCode()
  create("1", "Read the parser")
  create("2", "Fix the login")
  await command("todo", "note", "2", "Ada knows more", "--session", session)
  const to = { taskId: "2", subject: "Repair sessions" }
  record("TaskUpdate", to, { success: true, taskId: "2", updatedFields: ["subject"] })
  expect(await shown()).toEqual(["1 Read the parser: pending", "2 Repair sessions: pending"])
  expect((await command("show", session, "--json")).out).toContain("Ada knows more")
})

test.each([
  ["with its hooks", true],
  ["in a session that is only read", false],
])("a task that a person removed stays removed when the agent rewords it, %s", async (_, hasHooks) => {
  const { command, hook, record, create, shown } = claudeCode()
  const happen = (event: object) => (hasHooks ? hook(event) : undefined)
  await happen(create("1", "Read the parser"))
  await happen(create("2", "Fix the login"))
  await command("todo", "rm", "2", "--session", session)
  for (const subject of ["Repair sessions", "Renew tokens"]) {
    const to = { taskId: "2", subject, status: "completed" }
    await happen(record("TaskUpdate", to, { success: true, taskId: "2", updatedFields: ["subject", "status"] }))
    expect(await shown()).toEqual(["1 Read the parser: pending"])
  }
  await happen(create("3", "Deploy it"))
  expect(await shown()).toEqual(["1 Read the parser: pending", "3 Deploy it: pending"])
})

test("a task that a person removed stays removed beside a new one with the same words, whatever its agent does with it", async () => {
  const { command, hook, record, create, update, shown } = claudeCode()
  await hook(create("1", "Read the parser"))
  await hook(create("2", "Fix the login"))
  await command("todo", "rm", "2", "--session", session)
  await hook(record("Bash", { command: "ls" }, { stdout: "" }))
  await hook(create("3", "Fix the login"))
  const both = ["1 Read the parser: pending", "3 Fix the login: pending"]
  expect(await shown()).toEqual(both)
  await hook(update("2", "in_progress"))
  expect(await shown()).toEqual(both)
  update("2", "completed")
  expect(await shown()).toEqual(both)
  await hook(update("3", "completed"))
  expect(await shown()).toEqual(["1 Read the parser: pending", "3 Fix the login: completed"])
})

test.each([
  ["after a look", true],
  ["after the hook of the other call", false],
])("a task that was created and reworded before the hook of the first call is added once, %s", async (_, isWatched) => {
  const { hook, record, create, shown } = claudeCode()
  await hook(create("1", "Read the parser"))
  const created = create("2", "Fix the login")
  const to = { taskId: "2", subject: "Repair sessions" }
  const reworded = record("TaskUpdate", to, { success: true, taskId: "2", updatedFields: ["subject"] })
  if (isWatched) await shown()
  for (const event of isWatched ? [created, reworded] : [reworded, created]) {
    await hook(event)
    expect(await shown()).toEqual(["1 Read the parser: pending", "2 Repair sessions: pending"])
  }
})

test("an agent that was connected during its session has its whole list, with its times", async () => {
  const { command, hook, create, update, shown } = claudeCode()
  create("1", "Read the parser")
  create("2", "Fix the login")
  create("3", "Deploy it")
  update("2", "in_progress")
  await hook(update("2", "completed"))
  expect(await shown()).toEqual(["1 Read the parser: pending", "2 Fix the login: completed", "3 Deploy it: pending"])
  expect((await command("statusline", "--session", session)).out).toContain("1/3")
  await hook(update("3", "in_progress"))
  const { out } = await hook({ hook_event_name: "Stop" })
  expect(out).toContain("Deploy it")
  expect(out).not.toContain("Task #")
})

test("a task whose hook was killed is added with the next call that shows that there is one", async () => {
  const { command, hook, create, update, shown } = claudeCode()
  await hook(create("1", "Read the parser"))
  create("2", "Fix the login")
  await hook(create("3", "Deploy it"))
  expect(await shown()).toEqual(["1 Read the parser: pending", "2 Fix the login: pending", "3 Deploy it: pending"])
  create("4", "Tell Ada")
  await hook(update("4", "in_progress"))
  expect((await shown()).at(-1)).toBe("4 Tell Ada: in_progress")
  await command("todo", "rm", "2", "--session", session)
  create("5", "Celebrate")
  await hook(create("6", "Sleep"))
  expect((await shown()).map((line) => line.split(" ")[0])).toEqual(["1", "3", "4", "5", "6"])
})

test("a task of another session, as in a team, is still shown by its number", async () => {
  const { hook, create, update, shown } = claudeCode()
  await hook(create("1", "Read the parser"))
  await hook(update("2", "in_progress"))
  expect(await shown()).toEqual(["1 Read the parser: pending", "2 Task #2: in_progress"])
})

test("an agent is not sent back to work that it finished in a call whose hook was killed", async () => {
  const { command, hook, create, update, shown } = claudeCode()
  await hook(create("1", "Read the parser"))
  await hook(create("2", "Fix the login"))
  await hook(update("1", "in_progress"))
  update("1", "completed")
  await hook(update("2", "completed"))
  expect((await hook({ hook_event_name: "Stop" })).out).toBe("")
  expect(await shown()).toEqual(["1 Read the parser: completed", "2 Fix the login: completed"])
  await command("todo", "reopen", "2", "--session", session)
  expect((await hook({ hook_event_name: "UserPromptSubmit", prompt: "go on" })).out).toContain("Fix the login")
  expect((await hook({ hook_event_name: "Stop" })).out).toContain("Fix the login")
  expect(await shown()).toEqual(["1 Read the parser: completed", "2 Fix the login: pending"])
})

test("a deleted task is not shown again because its file was read while it was there", async () => {
  const { record, create, file, removeFile, shown } = claudeCode()
  create("1", "Read the parser")
  file("1", "Read the parser", "pending")
  expect(await shown()).toEqual(["1 Read the parser: pending"])
  const to = { taskId: "1", status: "deleted" }
  record("TaskUpdate", to, { success: true, taskId: "1", updatedFields: ["deleted"] })
  removeFile("1")
  expect(await shown()).toEqual([])
  file("2", "Fix the login", "in_progress")
  expect(await shown()).toEqual(["2 Fix the login: in_progress"])
})

test("a task whose file has its new wording before the session has the result keeps what a person set on it", async () => {
  const { command, record, create, file, shown } = claudeCode()
  for (const [id, subject] of [
    ["1", "Read the parser"],
    ["2", "Fix the login"],
  ] as const) {
    create(id, subject)
    file(id, subject, "pending")
  }
  await shown()
  await command("todo", "drop", "2", "--session", session)
  file("2", "Renew tokens", "pending")
  const reworded = ["1 Read the parser: pending", "2 Renew tokens: cancelled"]
  expect(await shown()).toEqual(reworded)
  record(
    "TaskUpdate",
    { taskId: "2", subject: "Renew tokens" },
    { success: true, taskId: "2", updatedFields: ["subject"] },
  )
  expect(await shown()).toEqual(reworded)
})
