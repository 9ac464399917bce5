import { createAnthropic } from "@ai-sdk/anthropic"
import { createGoogleGenerativeAI } from "@ai-sdk/google"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { Anthropic } from "@anthropic-ai/sdk"
import type { LanguageModel } from "ai"
import { afterEach, describe, expect, test } from "vitest"
import { createLoopback, type Loopback } from "../../src/scripted/loopback.ts"
import { readScript, type Turn } from "../../src/scripted/script.ts"
import { describeWay, type Way } from "../contracts/wire.ts"

const apiKey = "sk-secret"

const over =
  (connect: (url: string) => LanguageModel): Way["open"] =>
  async (script) => {
    const { url, requests, close } = await createLoopback(script)
    return { model: connect(url), requests, close }
  }

describeWay("@ai-sdk/anthropic", {
  open: over((url) => createAnthropic({ baseURL: `${url}/v1`, apiKey })("claude-sonnet-5")),
})
describeWay("@ai-sdk/openai, Responses", {
  open: over((url) => createOpenAI({ baseURL: `${url}/v1`, apiKey })("gpt-5.1")),
})
describeWay("@ai-sdk/openai, Chat Completions", {
  open: over((url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat("gpt-4.1")),
  skip: {
    "thinking arrives separately from the text": "OpenAI's own chat never shows it, so its package does not look",
  },
})
describeWay("@ai-sdk/openai-compatible", {
  open: over((url) =>
    createOpenAICompatible({ baseURL: `${url}/v1`, apiKey, name: "local", includeUsage: true })("qwen"),
  ),
})
describeWay("@ai-sdk/google", {
  open: over((url) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey })("gemini-2.5-pro")),
  skip: { "arguments that are not JSON arrive as a broken call": "arguments are not text on this wire, see below" },
})

const opened: Loopback[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()))
})

const serve = async (...turns: Turn[]): Promise<Loopback> => {
  const loopback = await createLoopback(readScript(JSON.stringify(turns)), { now: () => new Date(0) })
  opened.push(loopback)
  return loopback
}

const post = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
  const sent = typeof body === "string" ? body : JSON.stringify(body)
  const response = await fetch(url, {
    method: "POST",
    body: sent,
    headers: { "content-type": "application/json", ...headers },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The events of a stream, each as `name: data`. */
const eventsOf = (text: string): { event?: string; data: Record<string, unknown> }[] =>
  text
    .trimEnd()
    .split("\n\n")
    .map((block) => {
      const event = /^event: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1] ?? ""
      return { ...(event ? { event } : {}), data: data === "[DONE]" ? { done: true } : JSON.parse(data) }
    })

describe("the wire of Anthropic", () => {
  const client = (url: string) => new Anthropic({ baseURL: url, apiKey, maxRetries: 0 })
  const request = {
    model: "claude-sonnet-5",
    max_tokens: 100,
    messages: [{ role: "user" as const, content: "Go." }],
    tools: [{ name: "look", input_schema: { type: "object" as const } }],
  }
  const turn: Turn = {
    thinking: "Which file?",
    text: "This one.",
    calls: [{ tool: "look", input: { path: "a" }, id: "toolu_1" }],
    usage: { input: 10, output: 20 },
  }
  const content = [
    { type: "thinking", thinking: "Which file?", signature: expect.any(String) },
    { type: "text", text: "This one." },
    { type: "tool_use", id: "toolu_1", name: "look", input: { path: "a" } },
  ]

  test("its own package receives the same, streamed and whole", async () => {
    const { url } = await serve({ ...turn, repeat: 2 })
    const whole = await client(url).messages.create(request)
    const streamed = await client(url).messages.stream(request).finalMessage()
    for (const message of [whole, streamed]) {
      expect(message).toMatchObject({ role: "assistant", content, stop_reason: "tool_use", model: request.model })
      expect(message.usage).toMatchObject({ input_tokens: 10, output_tokens: 20 })
    }
  })

  test("its own package gets errors and drops as from the service", async () => {
    const { url } = await serve(
      { error: { status: 529, message: "Busy." } },
      { text: "So far and no further", drop: 0 },
    )
    await expect(client(url).messages.create(request)).rejects.toMatchObject({
      status: 529,
      error: { type: "error", error: { type: "overloaded_error", message: "Busy." } },
    })
    await expect(client(url).messages.stream(request).finalMessage()).rejects.toThrow()
  })

  test("its own package counts tokens", async () => {
    const { url, requests } = await serve()
    const { input_tokens } = await client(url).messages.countTokens({
      model: request.model,
      messages: request.messages,
    })
    expect(input_tokens).toBeGreaterThan(0)
    expect(requests).toEqual([])
  })

  test("events come in the order of the service", async () => {
    const { url } = await serve(turn)
    const { text, headers } = await post(`${url}/v1/messages?beta=true`, { ...request, stream: true })
    const events = eventsOf(text)
    expect(headers.get("content-type")).toMatch(/^text\/event-stream/)
    expect(events.map(({ event, data }) => (event === data.type ? event : "wrong"))).toEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ])
    expect(events.filter(({ event }) => event === "content_block_start").map(({ data }) => data)).toMatchObject([
      { index: 0, content_block: { type: "thinking", thinking: "" } },
      { index: 1, content_block: { type: "text", text: "" } },
      { index: 2, content_block: { type: "tool_use", id: "toolu_1", name: "look", input: {} } },
    ])
    expect(events.at(-2)?.data).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 20 } })
  })

  test("results and later system messages are read separately from what the user says", async () => {
    const { url, requests } = await serve()
    await post(`${url}/v1/messages`, {
      model: "m",
      system: [
        { type: "text", text: "One." },
        { type: "text", text: "Two.", cache_control: { type: "ephemeral" } },
      ],
      messages: [
        { role: "user", content: "Go." },
        {
          role: "assistant",
          content: [
            { type: "redacted_thinking", data: "x" },
            { type: "tool_use", id: "1", name: "look", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "no" }], is_error: true },
            { type: "text", text: "Hm." },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "" } },
          ],
        },
        { role: "system", content: "The list is stale." },
      ],
    })
    expect(requests[0]?.neutral).toMatchObject({
      system: "One.\nTwo.",
      messages: [
        { role: "user" },
        { role: "assistant", parts: [{ type: "call", id: "1" }] },
        { role: "tool", parts: [{ type: "result", id: "1", text: "no", isError: true }] },
        {
          role: "user",
          parts: [
            { type: "text", text: "Hm." },
            { type: "file", mediaType: "image/png" },
          ],
        },
        { role: "system", parts: [{ type: "text", text: "The list is stale." }] },
      ],
    })
  })
})

describe("the wire of OpenAI's Responses", () => {
  const path = "/v1/responses"

  test("events are numbered and come in the order of the service", async () => {
    const { url } = await serve({ thinking: "Hm.", text: "So.", calls: [{ tool: "look", id: "call_1" }] })
    const { text } = await post(`${url}${path}`, { model: "gpt-5.1", input: "Go.", stream: true })
    const events = eventsOf(text)
    expect(events.map(({ data }) => data.sequence_number)).toEqual([...events.keys()])
    expect(events.map(({ event, data }) => (event === data.type ? event?.replace("response.", "") : "wrong"))).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "completed",
    ])
    expect(events.at(-1)?.data.response).toMatchObject({
      status: "completed",
      output: [
        { type: "reasoning" },
        { type: "message" },
        { type: "function_call", call_id: "call_1", arguments: "{}" },
      ],
    })
  })

  test("items that are only named by id are known from before", async () => {
    const { url, requests } = await serve({ text: "My first words." }, { text: "My second." }, { text: "My third." })
    const first = JSON.parse((await post(`${url}${path}`, { model: "m", input: "One?" })).text)
    await post(`${url}${path}`, {
      model: "m",
      input: [
        { role: "user", content: "One?" },
        { type: "item_reference", id: first.output[0].id },
        { role: "user", content: "Two?" },
      ],
    })
    await post(`${url}${path}`, { model: "m", previous_response_id: first.id, input: "Three?" })
    const words = requests.map(({ neutral }) => neutral.messages.flatMap(({ parts }) => parts))
    expect(words[1]).toMatchObject([{ text: "One?" }, { text: "My first words." }, { text: "Two?" }])
    expect(words[2]).toMatchObject([{ text: "One?" }, { text: "My first words." }, { text: "Three?" }])
  })

  test("tools in a namespace, custom ones and the shell are called in the way of each", async () => {
    const { url, requests } = await serve({
      calls: [
        { tool: "todo", input: { todos: [] }, id: "1" },
        { tool: "apply_patch", input: "*** Begin Patch", id: "2" },
        { tool: "local_shell", input: { command: ["ls"] }, id: "3" },
        { tool: "exec", input: { code: "text('hi')" }, id: "4" },
      ],
    })
    const { text } = await post(`${url}${path}`, {
      model: "m",
      instructions: "Be brief.",
      input: [
        { type: "message", role: "developer", content: [{ type: "input_text", text: "And kind." }] },
        {
          type: "additional_tools",
          tools: [{ type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }] }],
        },
        { type: "message", role: "user", content: [{ type: "input_text", text: "Go." }] },
      ],
      tools: [
        { type: "namespace", name: "mcp__headway", tools: [{ type: "function", name: "todo", parameters: {} }] },
        { type: "custom", name: "apply_patch", format: { type: "grammar" } },
        { type: "local_shell" },
        { type: "web_search" },
      ],
    })
    expect(JSON.parse(text).output).toMatchObject([
      { type: "function_call", name: "todo", namespace: "mcp__headway", call_id: "1", arguments: '{"todos":[]}' },
      { type: "custom_tool_call", name: "apply_patch", call_id: "2", input: "*** Begin Patch" },
      { type: "local_shell_call", call_id: "3", action: { type: "exec", command: ["ls"] } },
      { type: "custom_tool_call", name: "exec", namespace: "functions", call_id: "4", input: "text('hi')" },
    ])
    expect(requests[0]?.neutral).toMatchObject({
      system: "Be brief.\nAnd kind.",
      messages: [{ role: "user", parts: [{ text: "Go." }] }],
      tools: [
        { name: "mcp__headway.todo" },
        { name: "apply_patch" },
        { name: "local_shell" },
        { name: "web_search" },
        { name: "functions.exec" },
      ],
    })
  })

  test("calls and results of all kinds are read back", async () => {
    const { url, requests } = await serve()
    await post(`${url}${path}`, {
      model: "m",
      input: [
        { type: "function_call", call_id: "1", namespace: "mcp__headway", name: "todo", arguments: '{"todos":[]}' },
        { type: "custom_tool_call", call_id: "2", name: "apply_patch", input: "*** Begin" },
        { type: "local_shell_call", call_id: "3", action: { command: ["ls"] } },
        { type: "web_search_call", id: "ws_1" },
        { type: "function_call_output", call_id: "1", output: "ok" },
        { type: "custom_tool_call_output", call_id: "2", output: [{ type: "input_text", text: "done" }] },
        { type: "local_shell_call_output", call_id: "3", output: "a.ts" },
      ],
    })
    expect(requests[0]?.neutral.messages).toEqual([
      {
        role: "assistant",
        parts: [
          { type: "call", id: "1", tool: "mcp__headway.todo", input: { todos: [] } },
          { type: "call", id: "2", tool: "apply_patch", input: "*** Begin" },
          { type: "call", id: "3", tool: "local_shell_call", input: { command: ["ls"] } },
        ],
      },
      {
        role: "tool",
        parts: [
          { type: "result", id: "1", text: "ok" },
          { type: "result", id: "2", text: "done" },
          { type: "result", id: "3", text: "a.ts" },
        ],
      },
    ])
  })

  test("messages between agents of a team count as a user's", async () => {
    const { url, requests } = await serve()
    const content = [
      { type: "input_text", text: "Message Type: NEW_TASK" },
      { type: "encrypted_content", encrypted_content: "Look closer." },
    ]
    await post(`${url}${path}`, { model: "m", input: [{ type: "agent_message", author: "/root", content }] })
    expect(requests[0]?.neutral.messages).toEqual([
      {
        role: "user",
        parts: [
          { type: "text", text: "Message Type: NEW_TASK" },
          { type: "text", text: "Look closer." },
        ],
      },
    ])
  })
})

describe("the wire of OpenAI's Chat Completions", () => {
  const path = "/v1/chat/completions"
  const request = { model: "m", messages: [{ role: "user", content: "Go." }], stream: true }

  test("a stream ends with its mark, and contains usage on request", async () => {
    const { url } = await serve({ text: "So.", repeat: 2 })
    const plain = eventsOf((await post(`${url}${path}`, request)).text)
    const counted = eventsOf(
      (await post(`${url}${path}`, { ...request, stream_options: { include_usage: true } })).text,
    )
    expect(plain.at(-1)?.data).toEqual({ done: true })
    expect(plain.some(({ data }) => "usage" in data)).toBe(false)
    expect(counted.at(-2)?.data).toMatchObject({ choices: [], usage: { completion_tokens: 1 } })
  })

  test("the pieces of each call carry its index", async () => {
    const { url } = await serve({
      calls: [
        { tool: "a", id: "1", input: { x: 1 } },
        { tool: "b", id: "2" },
      ],
    })
    const chunks = eventsOf((await post(`${url}${path}`, request)).text).flatMap(({ data }) => data.choices ?? [])
    expect(
      chunks.flatMap((choice) => (choice as { delta: { tool_calls?: unknown[] } }).delta.tool_calls ?? []),
    ).toEqual([
      { index: 0, id: "1", type: "function", function: { name: "a", arguments: "" } },
      { index: 0, function: { arguments: '{"x":1}' } },
      { index: 1, id: "2", type: "function", function: { name: "b", arguments: "" } },
      { index: 1, function: { arguments: "{}" } },
    ])
  })
})

describe("the wire of Gemini", () => {
  const request = { contents: [{ role: "user", parts: [{ text: "Go." }] }] }

  test.each(["generateContent", "streamGenerateContent?alt=sse"])(
    "%s reports that a call was malformed",
    async (method) => {
      const { url } = await serve({ text: "I try.", calls: [{ tool: "look", input: '{"path"' }] })
      const { text } = await post(`${url}/v1beta/models/gemini-2.5-pro:${method}`, request)
      const last = method === "generateContent" ? JSON.parse(text) : eventsOf(text).at(-1)?.data
      expect(last.candidates[0]).toMatchObject({ finishReason: "MALFORMED_FUNCTION_CALL" })
      expect(text).not.toContain('functionCall"')
    },
  )

  test("the model is read from the path, and answers without ids by name", async () => {
    const { url, requests } = await serve()
    await post(`${url}/v1beta/models/gemini-3-flash:generateContent`, {
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [
        {
          role: "model",
          parts: [{ text: "Hm.", thought: true }, { functionCall: { name: "look", args: { path: "a" } } }],
        },
        {
          role: "user",
          parts: [{ functionResponse: { name: "look", response: { error: "gone" } } }, { text: "Well?" }],
        },
      ],
      tools: [
        { functionDeclarations: [{ name: "look", parametersJsonSchema: { type: "object" } }] },
        { googleSearch: {} },
      ],
    })
    expect(requests[0]?.neutral).toMatchObject({
      model: "gemini-3-flash",
      system: "Be brief.",
      messages: [
        {
          role: "assistant",
          parts: [
            { type: "thinking", text: "Hm." },
            { type: "call", id: "look", input: { path: "a" } },
          ],
        },
        { role: "tool", parts: [{ type: "result", id: "look", text: "gone", isError: true }] },
        { role: "user", parts: [{ type: "text", text: "Well?" }] },
      ],
      tools: [{ name: "look", schema: { type: "object" } }],
    })
  })
})

describe("the server", () => {
  test("a request is recorded as it came, without keys", async () => {
    const { url, requests } = await serve({ text: "So." })
    const body = { contents: [{ parts: [{ text: "Go." }] }], generationConfig: { temperature: 0 } }
    await post(`${url}/v1beta/models/g:generateContent?key=${apiKey}&alt=json`, body, {
      "x-goog-api-key": apiKey,
      authorization: `Bearer ${apiKey}`,
      "x-client": "probe",
    })
    expect(requests).toMatchObject([
      {
        wire: "gemini",
        path: "/v1beta/models/g:generateContent?alt=json",
        headers: { "x-client": "probe" },
        body,
        played: { thread: "main", turn: 0, reply: { text: "So." } },
      },
    ])
    expect(JSON.stringify(requests)).not.toContain(apiKey)
  })

  test.each([
    ["/v1/unknown", { "anthropic-version": "2023-06-01" }, { type: "error", error: { type: "not_found_error" } }],
    ["/v1beta/unknown", {}, { error: { code: 404, status: "NOT_FOUND" } }],
    ["/v1/unknown", {}, { error: { code: "not_found" } }],
  ])("%s with %j is answered as its provider would", async (path, headers, body) => {
    const { url, others } = await serve()
    const answer = await post(`${url}${path}`, {}, headers)
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.text)).toMatchObject(body)
    expect(others).toEqual([{ method: "POST", path, status: 404 }])
  })

  test.each(["/v1/messages", "/v1/responses", "/v1/chat/completions", "/v1beta/models/g:generateContent"])(
    "%s refuses what is not JSON and lives on",
    async (path) => {
      const { url, requests } = await serve({ text: "So." })
      expect((await post(`${url}${path}`, '{"model": ')).status).toBe(400)
      expect(requests).toHaveLength(0)
      expect((await post(`${url}${path}`, {})).status).toBe(200)
    },
  )

  test.each(["/v1/messages", "/v1/responses", "/v1/chat/completions", "/v1beta/models/g:generateContent"])(
    "%s reads any shape without failing",
    async (path) => {
      const { url } = await serve({ text: "So.", repeat: true })
      const shapes = [
        null,
        [],
        7,
        "x",
        { messages: 5, input: {}, contents: [null], tools: "no", system: 3 },
        {
          messages: [null, 3, { role: 1, content: [null, { type: "tool_result" }, { type: "tool_use" }] }],
          input: [
            null,
            { type: "function_call" },
            { type: "reasoning", summary: 1 },
            { type: "item_reference", id: "?" },
          ],
          contents: [{ parts: [null, { functionCall: 1 }, { functionResponse: {} }, { inlineData: 3 }] }],
          tools: [null, { type: "namespace", tools: [null] }, { functionDeclarations: [null] }, { function: 3 }],
        },
      ]
      for (const shape of shapes) expect((await post(`${url}${path}`, JSON.stringify(shape))).status).toBe(200)
    },
  )

  test.each([
    ["/v1/models", {}, { object: "list" }],
    ["/v1/models", { "anthropic-version": "2023-06-01" }, { has_more: false }],
    ["/v1beta/models", {}, { models: [] }],
  ])("%s with %j lists models as its provider would", async (path, headers, body) => {
    const { url } = await serve()
    expect(await (await fetch(`${url}${path}`, { headers })).json()).toMatchObject(body)
  })

  test("it listens on this machine only, and closing ends open connections", async () => {
    const { url, requests, close } = await serve({ text: "For ever", hang: 1 })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const waiting = expect(post(`${url}/v1/messages`, { stream: true })).rejects.toThrow()
    await expect.poll(() => requests.length).toBe(1)
    await close()
    await waiting
    await expect(fetch(url)).rejects.toThrow()
  })
})
