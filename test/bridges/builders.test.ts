/** The todo tools in other people's loops: real SDKs over HTTP, a person's edit on the way, reminders that stay in place. */

import { createAnthropic } from "@ai-sdk/anthropic"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import Anthropic from "@anthropic-ai/sdk"
import { generateText, stepCountIs, wrapLanguageModel } from "ai"
import { createAgent, FakeToolCallingModel } from "langchain"
import OpenAI from "openai"
import type { ResponseInputItem } from "openai/resources/responses/responses"
import { afterEach, describe, expect, test } from "vitest"
import * as forAiSdk from "../../src/bridges/ai-sdk.ts"
import * as forAnthropic from "../../src/bridges/anthropic.ts"
import { todoMiddleware } from "../../src/bridges/langchain.ts"
import * as forOpenAi from "../../src/bridges/openai.ts"
import { edits } from "../../src/plan/index.ts"
import { createLoopback, type Loopback } from "../../src/scripted/loopback.ts"
import { readScript } from "../../src/scripted/script.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { contentsOf, open, person } from "../tracker/open.ts"

// The SDK does not know the names of models that exist only here.
globalThis.AI_SDK_LOG_WARNINGS = false

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const plan = { tool: "todo", input: { todos: [{ content: "Read", status: "in_progress" }, { content: "Write" }] } }
const step = { tool: "todo", input: { todos: [{ id: "1", status: "completed" }] } }

/** A model that plans, reports a step done, and ends; a person adds a todo while it answers the first time. */
const scripted = async (turns: unknown[] = [{ calls: [plan] }, { calls: [step] }, { text: "Done." }]) => {
  const tracker = await open()
  const loopback = await createLoopback(readScript(JSON.stringify(turns)), {
    onRequest: () => {
      if (loopback.requests.length === 2) void tracker.edit(person, () => edits.add("Ask Ada"))
    },
  })
  ends.push(() => loopback.close())
  return { tracker, loopback }
}

const sent = ({ requests }: Loopback, index: number): string => JSON.stringify(requests[index]?.body)

const expectTheRun = (tracker: Tracker, loopback: Loopback, system: string): void => {
  expect(contentsOf(tracker)).toEqual(["Read", "Write", "Ask Ada"])
  expect(tracker.plan.todos[0]?.status).toBe("completed")
  expect(sent(loopback, 0)).toContain("Keeps a plan the user can see")
  expect(system).toContain("todo")
  expect(sent(loopback, 0)).toContain(JSON.stringify(system).slice(1, -1))
  expect(sent(loopback, 1)).toContain("+ 1 Read")
  expect(sent(loopback, 2)).toContain("Ask Ada")
}

describe("a whole run through a real SDK over HTTP (B1, O15)", () => {
  test("the AI SDK, with the Anthropic provider", async () => {
    const { tracker, loopback } = await scripted()
    const todos = forAiSdk.todoTools(tracker)
    const provider = createAnthropic({ baseURL: `${loopback.url}/v1`, apiKey: "none" })
    const model = wrapLanguageModel({ model: provider("claude-x"), middleware: todos.middleware })
    const { text } = await generateText({
      model,
      system: todos.system,
      prompt: "Work",
      tools: todos.tools,
      stopWhen: stepCountIs(9),
    })
    expect(text).toBe("Done.")
    expectTheRun(tracker, loopback, todos.system)
  })

  test("the Anthropic SDK", async () => {
    const { tracker, loopback } = await scripted()
    const client = new Anthropic({ baseURL: loopback.url, apiKey: "none" })
    const todos = forAnthropic.todoTools(tracker)
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Work" }]
    for (;;) {
      const { content } = await client.messages.create({
        model: "claude-x",
        max_tokens: 1000,
        system: todos.system,
        tools: todos.tools,
        messages: await todos.remind(messages),
      })
      messages.push({ role: "assistant", content })
      const uses = content.filter((block) => block.type === "tool_use")
      if (uses.length === 0) break
      messages.push({ role: "user", content: await Promise.all(uses.map(todos.execute)) })
    }
    expectTheRun(tracker, loopback, todos.system)
  })

  test("the OpenAI SDK, chat completions", async () => {
    const { tracker, loopback } = await scripted()
    const client = new OpenAI({ baseURL: `${loopback.url}/v1`, apiKey: "none" })
    const { chat, system } = forOpenAi.todoTools(tracker)
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "system", content: system },
      { role: "user", content: "Work" },
    ]
    for (;;) {
      const { choices } = await client.chat.completions.create({
        model: "gpt-x",
        tools: chat.tools,
        messages: await chat.remind(messages),
      })
      const message = choices[0]?.message
      if (!message?.tool_calls) break
      messages.push(message)
      for (const call of message.tool_calls) if (call.type === "function") messages.push(await chat.execute(call))
    }
    expectTheRun(tracker, loopback, system)
  })

  test("the OpenAI SDK, responses", async () => {
    const { tracker, loopback } = await scripted()
    const client = new OpenAI({ baseURL: `${loopback.url}/v1`, apiKey: "none" })
    const { responses, system } = forOpenAi.todoTools(tracker)
    const input: ResponseInputItem[] = [{ role: "user", content: "Work" }]
    for (;;) {
      const { output } = await client.responses.create({
        model: "gpt-x",
        instructions: system,
        tools: responses.tools,
        input: await responses.remind(input),
      })
      input.push(...(output as ResponseInputItem[]))
      const calls = output.filter((item) => item.type === "function_call")
      if (calls.length === 0) break
      for (const call of calls) input.push(await responses.execute(call))
    }
    expectTheRun(tracker, loopback, system)
  })

  test("a LangChain agent", async () => {
    const tracker = await open()
    const call = ({ tool, input }: typeof plan | typeof step, id: string) => [
      { name: tool, args: input as Record<string, unknown>, id, type: "tool_call" as const },
    ]
    const model = new FakeToolCallingModel({ toolCalls: [call(plan, "a"), call(step, "b"), []] })
    const agent = createAgent({ model, middleware: [todoMiddleware(tracker)] })
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Work" }] })
    expect(tracker.plan.todos.map(({ status }) => status)).toEqual(["completed", "pending"])
    expect(messages.filter((message) => message.getType() === "tool").map(({ text }) => text)[0]).toContain("+ 1 Read")
  })
})

describe("reminders", () => {
  const bash = { tool: "bash", input: {} }

  test("come at their turn, stay in place, and come again no sooner (N4)", async () => {
    const turns = [{ calls: [plan] }, ...Array.from({ length: 13 }, () => ({ calls: [bash] })), { text: "Done." }]
    const { tracker, loopback } = await scripted(turns)
    const client = new OpenAI({ baseURL: `${loopback.url}/v1`, apiKey: "none" })
    const { chat, has } = forOpenAi.todoTools(tracker)
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Work" }]
    const shell = { type: "function" as const, function: { name: "bash", parameters: { type: "object" } } }
    for (;;) {
      const { choices } = await client.chat.completions.create({
        model: "gpt-x",
        tools: [...chat.tools, shell],
        messages: await chat.remind(messages),
      })
      const message = choices[0]?.message
      if (!message?.tool_calls) break
      messages.push(message)
      for (const one of message.tool_calls) {
        if (one.type !== "function") continue
        const done = { role: "tool" as const, tool_call_id: one.id, content: "ok" }
        messages.push(has(one.function.name) ? await chat.execute(one) : done)
      }
    }
    const says = loopback.requests.map((_, index) => sent(loopback, index).split("has been in progress for").length - 1)
    const first = says.indexOf(1)
    // A person touched the list in the second request; ten turns of work later it is stale.
    expect(first).toBe(12)
    expect(says.slice(first).every((count) => count === 1)).toBe(true)
    const place = (index: number): number => {
      const { messages: all = [] } = (loopback.requests[index]?.body ?? {}) as { messages?: { content: unknown }[] }
      return all.findIndex(({ content }) => JSON.stringify(content ?? "").includes("has been in progress for"))
    }
    expect(place(first + 1)).toBe(place(first))
  })

  test("come back with the whole list when the conversation was cut (C18)", async () => {
    const tracker = await open()
    const { remind, execute } = forAnthropic.todoTools(tracker)
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Work" }]
    await remind(messages)
    const use = { id: "a", name: "todo", input: plan.input }
    messages.push(
      { role: "assistant", content: [{ type: "tool_use", ...use }] },
      { role: "user", content: [await execute(use)] },
    )
    await remind(messages)
    const cut = await remind([{ role: "user", content: "Summary: we work." }])
    expect(cut).toHaveLength(2)
    expect(JSON.stringify(cut[1])).toContain("Read")
    expect(JSON.stringify(cut[1])).toContain("<system-reminder>")
  })
})

test("a local model's broken calls are repaired, not refused, by the AI SDK too (N2)", async () => {
  const broken = { tool: "todo", input: { todos: "[{'task': 'Read', 'status': 'doing'}]" } }
  const { tracker, loopback } = await scripted([{ calls: [broken] }, { text: "Done." }])
  const provider = createOpenAICompatible({ name: "local", baseURL: `${loopback.url}/v1` })
  const { tools } = forAiSdk.todoTools(tracker)
  await generateText({ model: provider("small"), prompt: "Work", tools, stopWhen: stepCountIs(3) })
  expect(tracker.plan.todos[0]).toMatchObject({ content: "Read", status: "in_progress" })
})
