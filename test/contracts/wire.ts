/** What every way to a scripted model must do, whatever it speaks. One that cannot do a case lists it with the reason. */
import { APICallError, generateText, type LanguageModel, streamText, type ToolSet } from "ai"
import { afterEach, describe, expect, test } from "vitest"
import { z } from "zod"
import type { Asked } from "../../src/scripted/exchange.ts"
import { readScript, type Turn } from "../../src/scripted/script.ts"
import type { Played } from "../../src/scripted/script-player.ts"

export type Opened = {
  model: LanguageModel
  requests: readonly { neutral: Asked; played: Played }[]
  close: () => Promise<void>
}

export type Way = {
  open: (script: ReturnType<typeof readScript>) => Promise<Opened>
  /** Cases it cannot do, each with the reason. */
  skip?: Partial<Record<string, string>>
}

// Its types do not hold under `exactOptionalPropertyTypes`.
const tools = {
  look: { description: "Looks at a file.", inputSchema: z.strictObject({ path: z.string().optional() }) },
  mcp__headway__todo: { description: "Keeps the list.", inputSchema: z.looseObject({}) },
} as unknown as ToolSet

type Heard = Awaited<ReturnType<typeof listen>>

/** Asks once; streamed or whole, the same comes out. */
const listen = async (
  { model }: Opened,
  { stream, ...options }: { stream: boolean; maxRetries?: number; prompt?: string; abortSignal?: AbortSignal },
) => {
  const asked = { model, tools, maxRetries: 0, prompt: "Go.", ...options }
  if (!stream) {
    const { text, reasoningText, toolCalls, usage, finishReason } = await generateText(asked)
    return { text, thinking: reasoningText ?? "", toolCalls, usage, finishReason, pieces: 1 }
  }
  const result = streamText({ ...asked, onError: () => {} })
  let [text, thinking, pieces] = ["", "", 0]
  try {
    for await (const part of result.fullStream) {
      if (part.type === "text-delta") text += part.text
      if (part.type === "reasoning-delta") thinking += part.text
      if (part.type === "text-delta") pieces += 1
      if (part.type === "error") throw part.error
      if (part.type === "abort") throw new Error("aborted")
    }
  } catch (cause) {
    throw Object.assign(new Error("broken off", { cause }), { text })
  }
  const [toolCalls, usage, finishReason] = await Promise.all([result.toolCalls, result.usage, result.finishReason])
  return { text, thinking, toolCalls, usage, finishReason, pieces }
}

const callsOf = ({ toolCalls }: Heard) =>
  toolCalls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, tool: toolName, input }))

export const describeWay = (name: string, { open, skip = {} }: Way): void => {
  let opened: Opened | undefined
  afterEach(async () => {
    await opened?.close()
    opened = undefined
  })
  const script = async (...turns: Turn[]): Promise<Opened> => {
    opened = await open(readScript(JSON.stringify(turns)))
    return opened
  }
  const fact = (title: string, run: () => Promise<void>): void => {
    const reason = skip[title]
    if (reason) test.skip(`${title} (${reason})`, run)
    else test(title, run)
  }

  describe.each([
    { kind: "whole", stream: false },
    { kind: "streamed", stream: true },
  ])(`${name}, $kind`, ({ stream }) => {
    fact("text arrives as it was written", async () => {
      const text =
        "Grüße 👩‍👩‍👧 \u2028 — a\n\ndata: [DONE]\n\nevent: error\r\n</script>\t\"'\\ end, and so on for more than one piece"
      const reply = await listen(await script({ text }), { stream })
      expect(reply.text).toBe(text)
      expect(reply.finishReason).toBe("stop")
      if (stream) expect(reply.pieces).toBeGreaterThan(1)
    })

    fact("thinking arrives separately from the text", async () => {
      const thinking = "First I look, then I leap, and not the other way round."
      const reply = await listen(await script({ thinking, text: "Done." }), { stream })
      expect(reply).toMatchObject({ thinking, text: "Done." })
    })

    fact("a call arrives with its id and input", async () => {
      const way = await script({
        text: "I look.",
        calls: [{ tool: "look", input: { path: "src/a long name.ts" }, id: "call_7" }],
      })
      const reply = await listen(way, { stream })
      expect(reply.text).toBe("I look.")
      expect(callsOf(reply)).toEqual([{ id: "call_7", tool: "look", input: { path: "src/a long name.ts" } }])
      expect(reply.finishReason).toBe("tool-calls")
    })

    fact("parallel calls arrive in order, each with an id of its own", async () => {
      const way = await script({
        calls: [{ tool: "look", input: { path: "a" } }, { tool: "look" }, { tool: "look", input: { path: "c" } }],
      })
      const calls = callsOf(await listen(way, { stream }))
      expect(calls.map(({ input }) => input)).toEqual([{ path: "a" }, {}, { path: "c" }])
      expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
    })

    fact("a tool is found by the end of its name", async () => {
      const calls = callsOf(await listen(await script({ calls: [{ tool: "todo", input: { todos: [] } }] }), { stream }))
      expect(calls).toMatchObject([{ tool: "mcp__headway__todo", input: { todos: [] } }])
    })

    fact("arguments that are not JSON arrive as a broken call", async () => {
      const { toolCalls } = await listen(await script({ calls: [{ tool: "look", input: '{"path": "a' }] }), { stream })
      expect(toolCalls).toMatchObject([{ toolName: "look", invalid: true }])
    })

    fact("a tool that was not offered arrives under its name", async () => {
      const { toolCalls } = await listen(await script({ calls: [{ tool: "fly" }] }), { stream })
      expect(toolCalls).toMatchObject([{ toolName: "fly", invalid: true }])
    })

    fact("usage is that of the script", async () => {
      const { usage } = await listen(await script({ text: "So.", usage: { input: 150_000, output: 321 } }), { stream })
      expect(usage).toMatchObject({ inputTokens: 150_000, outputTokens: 321 })
    })

    fact("usage that the script leaves out grows with the request", async () => {
      const way = await script({ text: "So.", repeat: 2 })
      const small = await listen(way, { stream })
      const large = await listen(way, { stream, prompt: "long ".repeat(4000) })
      expect((large.usage.inputTokens ?? 0) - (small.usage.inputTokens ?? 0)).toBeGreaterThan(4000)
    })

    fact("an answer cut by its length has that reason", async () => {
      expect((await listen(await script({ text: "And th", stop: "length" }), { stream })).finishReason).toBe("length")
    })

    fact("a refusal has that reason", async () => {
      const reply = await listen(await script({ text: "No.", stop: "refusal" }), { stream })
      expect(reply.finishReason).toBe("content-filter")
    })

    fact("an empty answer is an answer", async () => {
      expect(await listen(await script({ text: "" }), { stream })).toMatchObject({ text: "", finishReason: "stop" })
    })

    fact("an error has its status and message", async () => {
      const way = await script({ error: { status: 429, message: "Slow down, please." } })
      const error = await failureOf(listen(way, { stream }))
      expect(APICallError.isInstance(error)).toBe(true)
      expect(error).toMatchObject({ statusCode: 429, message: "Slow down, please.", isRetryable: true })
    })

    fact("a retry gets the next turn", async () => {
      const way = await script({ error: { status: 503 } }, { text: "Now it works." })
      expect((await listen(way, { stream, maxRetries: 1 })).text).toBe("Now it works.")
      expect(way.requests).toHaveLength(2)
    })

    fact("a dropped connection is an error, after the text before it", async () => {
      const text = "These are the words that get through, and these are the words that do not."
      const way = await script({ text, drop: 2 }, { text: "Again." })
      const error = await listen(way, { stream }).then(
        () => undefined,
        (cause: Error & { text?: string }) => cause,
      )
      expect(error).toBeInstanceOf(Error)
      if (stream) expect(error?.text).toBe(text.slice(0, 48))
      expect((await listen(way, { stream })).text).toBe("Again.")
    })

    fact("a connection dropped inside a call gives no call", async () => {
      const way = await script({
        calls: [{ tool: "look", input: { path: "a path of some length, for pieces" } }],
        drop: 1,
      })
      await expect(listen(way, { stream })).rejects.toThrow()
    })

    fact("a silent connection ends when the client gives up", async () => {
      const way = await script({ text: "Let me think about this for a while.", hang: 1 })
      const stop = new AbortController()
      const reply = listen(way, { stream, abortSignal: stop.signal })
      const outcome = expect(reply).rejects.toThrow()
      await expect.poll(() => way.requests.length).toBe(1)
      stop.abort()
      await outcome
    })

    fact("a script that is over ends the turn", async () => {
      const way = await script({ text: "Only this." })
      await listen(way, { stream })
      expect(await listen(way, { stream })).toMatchObject({ text: "The script ends here.", finishReason: "stop" })
      expect(way.requests[1]?.played).not.toHaveProperty("turn")
    })

    fact("a request is recorded the same over every wire", async () => {
      const way = await script({ text: "Two of them are done." })
      await listenTo(conversation, way, stream)
      expect(way.requests[0]?.neutral).toMatchObject({ ...recorded, stream })
    })
  })
}

const failureOf = async (reply: Promise<unknown>): Promise<unknown> => {
  const error = await reply.then(
    () => undefined,
    (cause: Error) => cause,
  )
  return APICallError.isInstance(error) ? error : error?.cause
}

type Messages = NonNullable<Parameters<typeof generateText>[0]["messages"]>

const conversation: Messages = [
  { role: "user", content: "Look at both files." },
  {
    role: "assistant",
    content: [
      { type: "text", text: "I look at both." },
      { type: "tool-call", toolCallId: "call_1", toolName: "look", input: { path: "a.ts" } },
      { type: "tool-call", toolCallId: "call_2", toolName: "look", input: { path: "b.ts" } },
    ],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "call_1", toolName: "look", output: { type: "text", value: "one\ntwo" } },
      { type: "tool-result", toolCallId: "call_2", toolName: "look", output: { type: "text", value: "three" } },
    ],
  },
  { role: "user", content: "<system-reminder>\nThe list is empty.\n</system-reminder>" },
  { role: "user", content: [{ type: "text", text: "And now?" }] },
]

const recorded = {
  system: "You are careful.",
  messages: [
    { role: "user", parts: [{ type: "text", text: "Look at both files." }] },
    {
      role: "assistant",
      parts: [
        { type: "text", text: "I look at both." },
        { type: "call", id: "call_1", tool: "look", input: { path: "a.ts" } },
        { type: "call", id: "call_2", tool: "look", input: { path: "b.ts" } },
      ],
    },
    {
      role: "tool",
      parts: [
        { type: "result", id: "call_1", text: "one\ntwo" },
        { type: "result", id: "call_2", text: "three" },
      ],
    },
    {
      role: "user",
      parts: [
        { type: "text", text: "<system-reminder>\nThe list is empty.\n</system-reminder>" },
        { type: "text", text: "And now?" },
      ],
    },
  ],
  tools: [
    {
      name: "look",
      description: "Looks at a file.",
      schema: { properties: { path: { type: expect.stringMatching(/string/i) } } },
    },
    { name: "mcp__headway__todo", description: "Keeps the list." },
  ],
}

const listenTo = async (messages: Messages, { model }: Opened, stream: boolean): Promise<void> => {
  const asked = { model, tools, maxRetries: 0, system: "You are careful.", messages }
  if (stream) await streamText(asked).consumeStream()
  else await generateText(asked)
}
