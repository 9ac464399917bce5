/** One set of options at every door: what a host asks for is what its model service and its model get. */
import { createAnthropic } from "@ai-sdk/anthropic"
import { createOpenAI } from "@ai-sdk/openai"
import Anthropic from "@anthropic-ai/sdk"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js"
import { generateText, wrapLanguageModel } from "ai"
import { Ajv2020 } from "ajv/dist/2020.js"
import { createAgent, FakeToolCallingModel } from "langchain"
import OpenAI from "openai"
import { afterEach, describe, expect, test } from "vitest"
import * as forAiSdk from "../../src/bridges/ai-sdk.ts"
import * as forAnthropic from "../../src/bridges/anthropic.ts"
import { todoMiddleware } from "../../src/bridges/langchain.ts"
import { todoServer } from "../../src/bridges/mcp.ts"
import * as forOpenAi from "../../src/bridges/openai.ts"
import type { HostOptions } from "../../src/host/options.ts"
import { createToolset } from "../../src/host/toolset.ts"
import { dialects, toolDefinitions } from "../../src/index.ts"
import { edits } from "../../src/plan/index.ts"
import { createLoopback } from "../../src/scripted/loopback.ts"
import { readScript } from "../../src/scripted/script.ts"
import { open, person } from "../tracker/open.ts"

globalThis.AI_SDK_LOG_WARNINGS = false

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const listen = async () => {
  const loopback = await createLoopback(readScript(JSON.stringify([{ text: "Done." }, { text: "Done." }])))
  ends.push(() => loopback.close())
  return loopback
}

const init = { ops: [{ op: "init", list: [{ phase: "Build", items: ["Read"] }] }] }

/** All that a host can ask for, in one. */
const asked = {
  dialect: "oh-my-pi",
  tool: "todo_write",
  names: { todo_write: "plan" },
  level: "full",
  subagent: "delegate",
  strict: true,
  loadMode: "discoverable",
  system: "You tend a garden.",
  overrides: {
    tools: { todo_write: { fields: { "ops.task": "OWN FIELD" } } },
    system: { closing: "OWN CLOSING" },
    reply: (_: unknown, ours: string) => `OWN REPLY\n${ours}`,
  },
  rules: [],
  generators: { news: () => ({ body: { type: "news" }, text: "OWN NEWS" }) },
} as const satisfies forAnthropic.HostOptions

const expectSystem = (system: string): void => {
  expect(system).toMatch(/^You tend a garden\.\n\n# Managing the work/)
  expect(system).toContain("do not use plan or delegate.")
  expect(system).toMatch(/\n\nOWN CLOSING\n\n/)
}

describe("at every door a host's options hold", () => {
  test("the Anthropic SDK, over HTTP", async () => {
    const [loopback, tracker] = [await listen(), await open()]
    const todos = forAnthropic.todoTools(tracker, asked)
    const client = new Anthropic({ baseURL: loopback.url, apiKey: "none" })
    const messages = await todos.remind([{ role: "user", content: "Work" }])
    await client.messages.create({ model: "x", max_tokens: 9, system: todos.system, tools: todos.tools, messages })
    const body = loopback.requests[0]?.body as Anthropic.MessageCreateParams
    expect(body.tools).toMatchObject([{ name: "plan", strict: true, defer_loading: true }])
    expect(body.tools?.[0]).toHaveProperty("input_examples[0].ops[0].op", "init")
    expect(JSON.stringify(body.tools)).toContain("OWN FIELD")
    expect(JSON.stringify(body.messages)).toContain("OWN NEWS")
    expectSystem(todos.system)
    const result = await todos.execute({ id: "a", name: "plan", input: init })
    expect(result.content).toMatch(/^OWN REPLY\n/)
    expect(tracker.plan.todos).toMatchObject([{ content: "Read", phase: "Build" }])
    expect(await todos.execute({ id: "b", name: "plan", input: "nonsense" })).toMatchObject({
      is_error: true,
      content: expect.stringContaining("The input of plan could not be read"),
    })
  })

  test("the OpenAI SDK, both ways, over HTTP", async () => {
    const [loopback, tracker] = [await listen(), await open()]
    const { chat, responses, system } = forOpenAi.todoTools(tracker, asked)
    const client = new OpenAI({ baseURL: `${loopback.url}/v1`, apiKey: "none" })
    await client.responses.create({ model: "x", input: "Work", tools: responses.tools })
    await client.chat.completions.create({
      model: "x",
      tools: chat.tools,
      messages: await chat.remind([{ role: "user", content: "Work" }]),
    })
    const [first, second] = loopback.requests.map(({ body }) => body as { tools: object[]; messages?: object[] })
    expect(first?.tools).toMatchObject([{ name: "plan", strict: true, defer_loading: true }])
    expect(second?.tools).toMatchObject([{ function: { name: "plan", strict: true } }])
    expect(JSON.stringify(second?.messages)).toContain("OWN NEWS")
    expectSystem(system)
  })

  test("the AI SDK, with the providers of Anthropic and OpenAI, over HTTP", async () => {
    const [loopback, tracker] = [await listen(), await open()]
    const todos = forAiSdk.todoTools(tracker, asked)
    const anthropic = createAnthropic({ baseURL: `${loopback.url}/v1`, apiKey: "none" })
    const openai = createOpenAI({ baseURL: `${loopback.url}/v1`, apiKey: "none" })
    for (const model of [anthropic("claude-sonnet-4-5"), openai("gpt-5")]) {
      const reminded = wrapLanguageModel({ model, middleware: todos.middleware })
      await generateText({ model: reminded, system: todos.system, prompt: "Work", tools: todos.tools })
    }
    const [first, second] = loopback.requests.map(({ body }) => body as { tools: object[] })
    expect(first?.tools).toMatchObject([{ name: "plan", strict: true, defer_loading: true }])
    expect(first?.tools[0]).toHaveProperty("input_examples[0].ops[0].op", "init")
    expect(JSON.stringify(first)).toContain("OWN NEWS")
    expect(second?.tools).toMatchObject([{ name: "plan", strict: true, defer_loading: true }])
    expectSystem(todos.system)
  })

  test("LangChain", async () => {
    const tracker = await open()
    const model = new FakeToolCallingModel({ toolCalls: [[{ name: "plan", args: init, id: "a" }], []] })
    const middleware = todoMiddleware(tracker, asked)
    expect(middleware.tools?.[0]).toMatchObject({ name: "plan", extras: { strict: true, defer_loading: true } })
    const { messages } = await createAgent({ model, middleware: [middleware] }).invoke({ messages: "Work" })
    expect(JSON.stringify(messages)).toContain("OWN REPLY")
    expect(tracker.plan.todos).toMatchObject([{ content: "Read", phase: "Build" }])
  })

  test("N2 LangChain passes on what a model sent, and it is repaired here", async () => {
    const tracker = await open()
    const args = { todos: "[{'task': 'Read', 'status': 'doing'}]" }
    const model = new FakeToolCallingModel({ toolCalls: [[{ name: "todo", args, id: "a" }], []] })
    await createAgent({ model, middleware: [todoMiddleware(tracker)] }).invoke({ messages: "Work" })
    expect(tracker.plan.todos).toMatchObject([{ content: "Read", status: "in_progress" }])
  })

  test("MCP, with the official client", async () => {
    const tracker = await open({ session: "s" })
    const server = todoServer(tracker, { ...asked, version: "7" })
    const client = new Client({ name: "acme", version: "1" })
    const [one, other] = InMemoryTransport.createLinkedPair()
    await Promise.all([server.connect(one), client.connect(other)])
    ends.push(() => server.close())
    const { tools } = await client.listTools()
    expect(tools.map(({ name, _meta }) => [name, _meta])).toEqual([["plan", undefined]])
    expect(JSON.stringify(tools)).toContain("OWN FIELD")
    expect(client.getInstructions()).toMatch(/^You tend a garden\.\n\n# Managing the work[\s\S]*\n\nOWN CLOSING$/)
    expect(client.getServerVersion()?.version).toBe("7")
    const result = await client.callTool({ name: "plan", arguments: init })
    expect(result).toMatchObject({ content: [{ text: expect.stringMatching(/^OWN REPLY\n/) }] })
    const { resources } = await client.listResources()
    expect(resources).toMatchObject([{ uri: "plan://s/main", description: expect.stringContaining("0/1 done") }])
    const { contents } = await client.readResource({ uri: "plan://s/main" })
    expect(contents[0]).toMatchObject({ text: expect.stringContaining("Read") })
    expect(await client.callTool({ name: "todo_write", arguments: {} })).toMatchObject({ isError: true })
  })

  test("O15 a person's edit is in the result, whatever the host writes into it", async () => {
    const tracker = await open()
    const todos = forAnthropic.todoTools(tracker, { overrides: { reply: (_, ours) => `OWN (${ours})` } })
    await todos.execute({ id: "a", name: "todo", input: { todos: [{ content: "Read" }] } })
    await tracker.edit(person, () => edits.add("Ask Ada"))
    const { content } = await todos.execute({ id: "b", name: "todo", input: { todos: [{ content: "Write" }] } })
    expect(content).toMatch(/^OWN \([\s\S]*next: 1 Read\)\n\nThe person changed the plan by hand:\n- .*Ask Ada/)
  })
})

describe("tool definitions", () => {
  const offered = Object.values(dialects).filter(({ tools }) => tools.length > 0)
  const everyTool = offered.flatMap((dialect) => dialect.tools.map(({ name }) => ({ dialect, name, id: dialect.id })))
  const ajv = new Ajv2020({ strict: false })

  test.each(everyTool)("C6 every field of $id $name is described, and none is at off", ({ dialect, name }) => {
    const fieldsOf = (schema: unknown): { description?: string }[] => {
      const { properties = {}, items } = schema as { properties?: Record<string, object>; items?: object }
      return [
        ...Object.values(properties).flatMap((part) => [part, ...fieldsOf(part)]),
        ...(items ? fieldsOf(items) : []),
      ]
    }
    const [spoken, off] = (["quiet", "off"] as const).map((level) =>
      fieldsOf(toolDefinitions(dialect, { tool: name, level })[0]?.inputSchema),
    )
    expect(spoken?.filter(({ description = "" }) => description === "")).toEqual([])
    expect(off?.filter(({ description }) => description !== undefined)).toEqual([])
  })

  test.each(everyTool)("the strict schema of $id $name is accepted by the services", ({ dialect, name }) => {
    const [tool] = toolDefinitions(dialect, { tool: name, strict: true })
    const objectsIn = (value: unknown): Record<string, unknown>[] => {
      if (typeof value !== "object" || value === null) return []
      const own = "properties" in value ? [value as Record<string, unknown>] : []
      return [...own, ...Object.values(value).flatMap(objectsIn)]
    }
    for (const { properties, required, additionalProperties } of objectsIn(tool?.inputSchema)) {
      expect(required).toEqual(Object.keys(properties as object))
      expect(additionalProperties).toBe(false)
    }
    expect(JSON.stringify(tool?.inputSchema)).not.toMatch(/"(?:min|max)(?:Length|Items)"|propertyNames/)
    const validate = ajv.compile(tool?.inputSchema ?? {})
    for (const example of tool?.inputExamples ?? []) expect([example, validate(example)]).toEqual([example, true])
  })

  test.each(everyTool)(
    "a call of $id $name with null for a missing field has the same effect as without it",
    async (one) => {
      const { dialect, name } = one
      const [loose] = toolDefinitions(dialect, { tool: name })
      const [strict] = toolDefinitions(dialect, { tool: name, strict: true })
      const [plain, nulls] = await Promise.all(
        [loose?.inputExamples[0], strict?.inputExamples[0]].map(async (input) => {
          const tracker = await open()
          await tracker.set(person, [{ content: "Run the tests" }])
          const { ok } = await tracker.write({ tool: name, input }, dialect)
          return { ok, todos: tracker.plan.todos }
        }),
      )
      expect(nulls).toEqual(plain)
    },
  )

  test("C1 strict mode describes a wrong call in our own sentences", async () => {
    const { checkStrictly } = await import("../../src/index.ts")
    const wrong = { todos: [{ content: "", status: "wobbly" }] }
    const [problem] = checkStrictly(dialects["claude-todos"], { tool: "TodoWrite", input: wrong })
    expect(problem?.message).toContain("todos.0.content: A todo needs words in `content`")
    expect(problem?.message).toContain("todos.0.status: must be one of pending, in_progress, completed")
  })

  test.each([
    ["a tool that is not there", { tool: "TodoRead" }, 'has no tool "TodoRead". Its tools are: TodoWrite.'],
    ["a name for one", { names: { todo: "x" } }, 'has no tool "todo"'],
    ["words for one", { overrides: { todo: "x" } }, 'has no tool "todo"'],
    [
      "words for a field that is not there",
      { overrides: { TodoWrite: { fields: { content: "x" } } } },
      'has no field "content". Its fields are: todos, todos.content, todos.status, todos.activeForm.',
    ],
  ])("%s is the caller's mistake, and reported at once", (_, options, message) => {
    expect(() => toolDefinitions(dialects["claude-todos"], options)).toThrow(message)
  })
})

describe("an unknown option", () => {
  test.each([
    ["unknown-tool", { tool: "nope" }],
    ["unknown-field", { overrides: { tools: { todo: { fields: { nope: "x" } } } } }],
    ["unknown-level", { level: "nope" }],
    ["unknown-load-mode", { loadMode: "nope" }],
    ["unknown-section", { overrides: { system: { nope: "x" } } }],
    ["unknown-reminder", { overrides: { reminders: { nope: "x" } } }],
    ["unknown-reminder", { rules: ["nope"] }],
    ["unknown-profile", { profile: "nope" }],
    ["unknown-pace", { pace: { nope: 1 } }],
  ])("is a mistake reported at once: %s", async (code, options) => {
    const { createReminders } = await import("../../src/guidance/index.ts")
    // As a caller without types may say it.
    const open = () => createReminders(createToolset(options as HostOptions).reminders)
    expect(open).toThrow(expect.objectContaining({ code, message: expect.stringContaining('"nope"') }))
  })
})
