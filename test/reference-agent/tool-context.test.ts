/** What a tool of a host knows of its surroundings, and what a person sees of its calls. */
import { describe, expect, test } from "vitest"
import type { AgentTool, CallContext } from "../../src/reference-agent/index.ts"
import { open, script, todoWrite } from "./open.ts"

const tool = (more: Partial<AgentTool> = {}): AgentTool => ({
  name: "Deploy",
  description: "Deploys.",
  schema: { type: "object" },
  isEnabled: () => true,
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  needsPermission: async () => undefined,
  run: async () => ({ text: "Deployed." }),
  ...more,
})

const deploy = { calls: [{ tool: "Deploy", input: { to: "staging" } }] }
const done = { text: "Done?" }

describe("the context of a call", () => {
  test("C27 names the agent, its depth and whether it works for another, and has that agent's plan", async () => {
    const seen: Pick<CallContext, "agentId" | "isSubAgent" | "depth" | "plan">[] = []
    const spy = tool({
      async run(_, { agentId, isSubAgent, depth, plan }) {
        seen.push({ agentId, isSubAgent, depth, plan })
        return { text: "Seen." }
      },
    })
    const model = script(
      { calls: [todoWrite(["Main", "in_progress"])] },
      deploy,
      { calls: [{ tool: "Task", input: { description: "Look", prompt: "Look around" } }] },
      done,
      { thread: "below", when: { prompt: "Look around" } },
      deploy,
      { text: "Seen." },
    )
    const { run } = await open(model, { tools: [spy], newId: () => "abcdefgh-1" })
    await run()
    expect(seen).toMatchObject([
      { agentId: "main", isSubAgent: false, depth: 0, plan: { todos: [{ content: "Main" }] } },
      { agentId: "abcdefgh", isSubAgent: true, depth: 1, plan: { todos: [] } },
    ])
  })

  test("can notify the person, and set the text of the spinner until the call ends", async () => {
    const speaking = tool({
      async run(_, { notify, setSpinnerMessage }) {
        setSpinnerMessage("Uploading")
        notify("The server is slow today.")
        return { text: "Deployed." }
      },
    })
    const { run, events } = await open(script(deploy, done), { tools: [speaking] })
    await run()
    const emitted = events.filter(({ type }) => ["spinner-changed", "notice-given", "tool-ended"].includes(type))
    expect(emitted).toMatchObject([
      { type: "spinner-changed", message: "Uploading" },
      { type: "notice-given", message: "The server is slow today." },
      { type: "spinner-changed" },
      { type: "tool-ended" },
    ])
    expect(emitted[2]).not.toHaveProperty("message")
  })
})

describe("the five moments of a call", () => {
  const drawing: Partial<AgentTool> = {
    renderToolUseMessage: (input) => `Deploying to ${(input as { to: string }).to}\u001b[2J`,
    renderToolUseProgressMessage: (text) => (text === "noise" ? null : `… ${text}`),
    renderToolResultMessage: ({ text }) => `Result: ${text}`,
    renderToolUseErrorMessage: ({ text }) => `Error: ${text}`,
    renderToolUseRejectedMessage: (_, why) => `Rejected: ${why.slice(0, 11)}`,
  }
  const permission = { action: "run", target: "x", isOutside: true, question: "Deploy?" } as const

  test.each<[string, Partial<AgentTool>, object]>([
    ["a result", {}, { display: "Result: Deployed.", isError: false }],
    ["an error", { run: async () => ({ text: "Down.", isError: true }) }, { display: "Error: Down.", isError: true }],
    [
      "a refusal",
      { needsPermission: async () => permission },
      { display: "Rejected: Not allowed", isError: true, isRejected: true },
    ],
  ])("the tool words the beginning and %s, safe to show", async (_, more, ended) => {
    const { run, eventsOf } = await open(script(deploy, done), {
      tools: [tool({ ...drawing, ...more })],
      permit: async () => ({ why: "No." }),
    })
    await run()
    expect(eventsOf("tool-called")).toMatchObject([{ display: "Deploying to staging", isSilent: false }])
    expect(eventsOf("tool-ended")).toMatchObject([ended])
  })

  test("the tool words its progress, or leaves some of it out", async () => {
    const chatty = tool({
      ...drawing,
      async run(_, { onProgress }) {
        for (const text of ["noise", "half"]) onProgress?.(text)
        return { text: "Deployed." }
      },
    })
    const { run, eventsOf } = await open(script(deploy, done), { tools: [chatty] })
    await run()
    expect(eventsOf("tool-progressed").map(({ text }) => text)).toEqual(["… half"])
  })

  test("null draws nothing, a renderer that throws changes nothing, and the model reads the same", async () => {
    const { run, eventsOf } = await open(script(deploy, done), {
      tools: [
        tool({
          renderToolUseMessage: () => null,
          renderToolResultMessage: () => {
            throw new Error("no pen")
          },
        }),
      ],
    })
    await run()
    expect(eventsOf("tool-called")).toMatchObject([{ isSilent: true }])
    expect(eventsOf("tool-ended")).toMatchObject([{ isSilent: false, text: "Deployed." }])
  })

  test("C6 the list draws nothing in any of them", async () => {
    const { agent } = await open(script())
    const list = agent.tools.find("TodoWrite")
    expect(list?.renderToolUseMessage?.({})).toBeNull()
    expect(list?.renderToolUseProgressMessage?.("")).toBeNull()
    expect(list?.renderToolResultMessage?.({ text: "" })).toBeNull()
    expect(list?.renderToolUseErrorMessage?.({ text: "" })).toBeNull()
    expect(list?.renderToolUseRejectedMessage?.({}, "")).toBeNull()
  })
})
