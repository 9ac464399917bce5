import { type ModelMessage, modelMessageSchema } from "ai"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  messagesOf,
  readSpoken,
  resultsOf,
  type Spoken,
  turnMessageOf,
} from "../../src/reference-agent/conversation.ts"

const ids = fc.constantFrom("a", "b", "c", "d")

const assistant = fc
  .tuple(fc.option(fc.string({ minLength: 1 })), fc.uniqueArray(ids, { maxLength: 3 }))
  .filter(([text, calls]) => text !== null || calls.length > 0)
  .map(
    ([text, calls]): Spoken => ({
      type: "assistant",
      message: {
        role: "assistant",
        content: [
          ...(text === null ? [] : [{ type: "text" as const, text }]),
          ...calls.map((id) => ({ type: "tool-call" as const, toolCallId: id, toolName: "Read", input: { id } })),
        ],
      },
      usage: { input: 1, output: 1 },
    }),
  )

const results = fc.uniqueArray(ids, { minLength: 1, maxLength: 4 }).map(
  (calls): Spoken => ({
    type: "results",
    message: resultsOf(calls.map((id) => ({ toolCallId: id, toolName: "Read", text: `of ${id}`, isError: false }))),
  }),
)

const attachment = { type: "attachment" as const, attachment: { type: "todo" }, uuid: "u", timestamp: "t" }

const line = fc.oneof(
  { weight: 3, arbitrary: assistant },
  { weight: 3, arbitrary: results },
  fc.string({ minLength: 1 }).map((text): Spoken => ({ type: "user", text })),
  fc.string({ minLength: 1 }).map((text): Spoken => ({ type: "push", text })),
  fc.string({ minLength: 1 }).map((text): Spoken => ({ type: "reminder", attachment, text })),
  fc.string({ minLength: 1 }).map((summary): Spoken => ({ type: "compaction", summary, request: "Do it" })),
  fc.boolean().map((isPlanMode): Spoken => ({ type: "mode", isPlanMode })),
)

/** A real conversation: every answer is followed by the results of its calls. */
const conversation = fc.array(line, { maxLength: 15 }).map((lines): Spoken[] =>
  lines.flatMap((one): Spoken[] => {
    if (one.type === "results") return []
    const calls = one.type === "assistant" ? callsOf(one.message) : []
    const answers = calls.map((id) => ({ toolCallId: id, toolName: "Read", text: "ok", isError: false }))
    return calls.length > 0 ? [one, { type: "results", message: resultsOf(answers) }] : [one]
  }),
)

const callsOf = (message: ModelMessage): string[] =>
  message.role === "assistant" && typeof message.content !== "string"
    ? message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []))
    : []

const resultsIn = (message: ModelMessage | undefined): string[] =>
  message?.role === "tool"
    ? message.content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : []))
    : []

/** What every provider demands of a conversation. */
const expectValid = (messages: readonly ModelMessage[]): void => {
  if (messages.length > 0) expect(messages[0]?.role).toBe("user")
  for (const [index, message] of messages.entries()) {
    expect(modelMessageSchema.safeParse(message).success).toBe(true)
    expect(message.content.length).toBeGreaterThan(0)
    const calls = callsOf(message)
    if (calls.length > 0) expect(resultsIn(messages[index + 1]).toSorted()).toEqual(calls.toSorted())
    if (message.role === "tool") expect(callsOf(messages[index - 1] ?? message).length).toBeGreaterThan(0)
  }
}

describe("a transcript", () => {
  test("cut at any line gives valid messages, from either end", () => {
    fc.assert(
      fc.property(conversation, fc.nat(30), fc.nat(30), (spoken, from, to) => {
        expectValid(messagesOf(spoken.slice(from, from + to)))
      }),
    )
  })

  test("with lines lost, doubled or out of order still gives valid messages", () => {
    fc.assert(fc.property(fc.array(line, { maxLength: 20 }), (spoken) => expectValid(messagesOf(spoken))))
  })

  test("kept as JSON lines is read back as it was", () => {
    fc.assert(
      fc.property(conversation, (spoken) => {
        const lines = spoken.map((one) => JSON.stringify(one))
        const read = readSpoken(lines.map((text) => JSON.parse(text)))
        expect(read).toEqual(spoken)
        expect(messagesOf(read)).toEqual(messagesOf(spoken))
      }),
    )
  })

  test("with foreign lines is read without them", () => {
    fc.assert(fc.property(fc.array(fc.jsonValue()), (lines) => expectValid(messagesOf(readSpoken(lines)))))
    expect(
      readSpoken([
        { type: "assistant", message: { role: "assistant", content: [{ type: "tool-call", toolName: 5 }] } },
        { type: "results", message: { role: "tool", content: "none" } },
        { type: "reminder", text: "x" },
        { type: "user", text: "" },
        { type: "session", v: 1 },
      ]),
    ).toEqual([])
  })

  test("with a call whose result was lost gets an answer with what is known of it", () => {
    const [, , lost] = messagesOf([
      { type: "user", text: "Go" },
      {
        type: "assistant",
        message: {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "a", toolName: "Bash", input: { command: "rm x" } }],
        },
      },
    ])
    expect(JSON.stringify(lost)).toContain("it is not known whether it had an effect")
  })

  test("with a compaction begins with its summary and the last request in the person's words", () => {
    const messages = messagesOf([
      { type: "user", text: "Old words" },
      { type: "compaction", summary: "We work.", request: "Repair the tax" },
      { type: "user", text: "And now?" },
    ])
    expect(messages).toHaveLength(2)
    expect(JSON.stringify(messages[0])).toContain("We work.")
    expect(JSON.stringify(messages[0])).toContain("Repair the tax")
    expect(JSON.stringify(messages)).not.toContain("Old words")
  })
})

test("a line counts as a turn only when it is an answer with more than thinking (C21)", () => {
  const answer = (type: "reasoning" | "text"): Spoken => ({
    type: "assistant",
    message: { role: "assistant", content: [{ type, text: "Hm." }] },
  })
  expect(turnMessageOf(answer("text"))).toMatchObject({ role: "assistant", isThinkingOnly: false })
  expect(turnMessageOf(answer("reasoning"))).toMatchObject({ role: "assistant", isThinkingOnly: true })
  expect(turnMessageOf({ type: "push", text: "Go on" })).toEqual({ role: "user" })
  expect(turnMessageOf({ type: "mode", isPlanMode: true })).toBeUndefined()
})
