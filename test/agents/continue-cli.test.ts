/** Continue's session files: checklists, calls of our own tool under its bare name, and turns. */
import { expect, test } from "vitest"
import { continueSession } from "../../src/agents/continue-cli/session.ts"
import { createObserver } from "../../src/streams/index.ts"
import { fixture, ofType } from "../streams/damage.ts"

const recorded = fixture("continue-1.5.47/checklist/home/.continue/sessions/305e1b81-51ba-4f29-9014-810cd4d4c7d4.json")

const read = (text: string) => continueSession.open().read(text)

const todosOf = (signals: ReturnType<typeof read>): string[] => {
  const observer = createObserver()
  for (const signal of signals) observer.take(signal)
  return (observer.agents.get("main")?.plan?.todos ?? []).map(({ status, content }) => `${status} ${content}`)
}

const called = (name: string, parsedArgs: object, status: string, content = "") =>
  JSON.stringify({
    sessionId: "s",
    workspaceDirectory: "/p",
    history: [
      {
        message: { role: "assistant", content: "" },
        toolCallStates: [
          {
            toolCallId: "c1",
            toolCall: { function: { name, arguments: "{}" } },
            status,
            parsedArgs,
            output: [{ content }],
          },
        ],
      },
    ],
  })

test("a session file gives its session and project, the work between its lists, and the end of its turn", () => {
  const signals = read(recorded)
  expect(ofType(signals, "session")[0]).toEqual({
    type: "session",
    session: "305e1b81-51ba-4f29-9014-810cd4d4c7d4",
    project: "/home/user/project",
  })
  expect(ofType(signals, "activity").map(({ kind, tool }) => [kind, tool].filter(Boolean).join(" "))).toEqual([
    "prompt",
    "tool Bash",
    "text",
    "turn-ended",
  ])
  expect(todosOf(signals)).toEqual(["completed Read the README", "pending Write the parser", "pending Test it"])
})

test.each([
  ["done", ["pending Read"]],
  ["errored", []],
  ["canceled", []],
])("a checklist whose call is %s gives %j", (status, todos) => {
  expect(todosOf(read(called("Checklist", { checklist: "- [ ] Read" }, status)))).toEqual(todos)
})

test("arguments that were not parsed are read from their text", () => {
  const text = called("Checklist", {}, "done").replace(
    '"{}"',
    JSON.stringify(JSON.stringify({ checklist: "- [x] Read" })),
  )
  expect(todosOf(read(text.replace(',"parsedArgs":{}', "")))).toEqual(["completed Read"])
})

test("a call of our own tool is known by its bare name, and its reply by the text in its parts", () => {
  const reply = JSON.stringify([{ type: "text", text: "+ 1 Read [pending]" }])
  const signals = read(called("todo", { todos: [{ content: "Read", status: "pending" }] }, "done", reply))
  expect(ofType(signals, "call")).toMatchObject([{ dialect: "headway", call: { tool: "todo" } }])
  expect(ofType(signals, "result")).toEqual([{ type: "result", callId: "c1", ok: true, result: "+ 1 Read [pending]" }])
  expect(todosOf(signals)).toEqual(["pending Read"])
})
