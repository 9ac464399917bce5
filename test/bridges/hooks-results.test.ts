/** Results of list calls, as agents wrap them in the events of their hooks. */
import { expect, test } from "vitest"
import { atHome } from "../cli/run-cli.ts"
import { fixture } from "../streams/damage.ts"

type Todo = { content: string; status: string; extra?: { nativeId?: string } }

const agentAt = (agent: string, session: string) => {
  const { home, run } = atHome()
  const fire = (event: object) =>
    run(["hook", agent], { input: JSON.stringify({ session_id: session, cwd: home, ...event }) })
  const shown = async (): Promise<string[]> => {
    const todos: Todo[] = JSON.parse((await run(["show", "--json", "--session", session])).out).todos
    return todos.map(({ content, status, extra }) => `${extra?.nativeId} ${status} ${content}`)
  }
  return { fire, shown }
}

/** The calls of Gemini's tracker in a recorded session, as its hook is told of them. */
const trackerEvents = (): object[] => {
  const chat = "home/.gemini/tmp/project/chats/session-2026-11-15T18-50-904ea9a7.jsonl"
  return fixture(`gemini-0.61.0/tracker/${chat}`)
    .split("\n")
    .filter(Boolean)
    .flatMap((line) => JSON.parse(line).toolCalls ?? [])
    .map(({ name, args, result, resultDisplay }) => {
      const { output, error } = result[0].functionResponse.response
      const refused = error === undefined ? {} : { error: { message: error } }
      return {
        hook_event_name: "AfterTool",
        tool_name: name,
        tool_input: args,
        tool_response: { llmContent: output ?? error, returnDisplay: resultDisplay, ...refused },
      }
    })
}

test("the tracker of Gemini CLI is recorded through its hooks, with the ids that the results name", async () => {
  const { fire, shown } = agentAt("gemini", "tracked")
  for (const event of trackerEvents()) await fire(event)
  expect(await shown()).toEqual([
    "b5ab05 pending Ship the demo",
    "4271d0 completed Read the README",
    "e701a2 blocked Fix the quoted bug",
  ])
})

test.each([
  ["a text", "Created task 4271d0: Read"],
  ["one part", { text: "Created task 4271d0: Read" }],
  ["parts", [{ inlineData: {} }, { text: "Created task 4271d0: Read" }]],
])("a finished agent of Gemini CLI may stop, though its results are %s", async (_, llmContent) => {
  const { fire, shown } = agentAt("gemini", "s-1")
  const after = (tool_name: string, tool_input: object, content: unknown) =>
    fire({ hook_event_name: "AfterTool", tool_name, tool_input, tool_response: { llmContent: content } })
  await after("tracker_create_task", { title: "Read", description: "It", type: "task" }, llmContent)
  await after("tracker_update_task", { id: "4271d0", status: "closed" }, "Updated task 4271d0. Status: closed")
  expect(await shown()).toEqual(["4271d0 completed Read"])
  const { out } = await fire({ hook_event_name: "AfterAgent", prompt_response: "All done.", stop_hook_active: false })
  expect(out).toBe("")
})

test("rows that Copilot CLI shows its model are recorded through its hooks, unless they are of another table", async () => {
  const { fire, shown } = agentAt("copilot", "s-1")
  const after = (query: string, text_result_for_llm: string) =>
    fire({
      hook_event_name: "PostToolUse",
      tool_name: "sql",
      tool_input: { query },
      tool_result: { result_type: "success", text_result_for_llm },
    })
  await after("INSERT INTO todos (id, title, status) VALUES ('t1', 'Read', 'pending')", "1 row(s) inserted.")
  const rows = (...lines: string[]): string => ["| id | title | status |", "| --- | --- | --- |", ...lines].join("\n")
  await after("SELECT id, title, status FROM bugs", rows("| b1 | It leaks | open |"))
  expect(await shown()).toEqual(["t1 pending Read"])
  await after("SELECT id, title, status FROM todos", rows("| t1 | Read | done |"))
  expect(await shown()).toEqual(["t1 completed Read"])
})
