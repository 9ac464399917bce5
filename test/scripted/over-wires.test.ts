/** What goes wrong between a model and its agent, over HTTP, through each provider's own package. */
import { afterEach, describe, expect, test } from "vitest"
import { findModel } from "../../src/reference-agent/index.ts"
import { createLoopback, type Loopback, readScript } from "../../src/scripted/index.ts"
import { type Line, look, open, todoWrite } from "../reference-agent/open.ts"

// The SDK does not know the names of models that exist only here.
globalThis.AI_SDK_LOG_WARNINGS = false

const env = (url: string) => ({
  ANTHROPIC_API_KEY: "none",
  ANTHROPIC_BASE_URL: url,
  OPENAI_API_KEY: "none",
  OPENAI_BASE_URL: `${url}/v1`,
  GEMINI_API_KEY: "none",
  GOOGLE_GEMINI_BASE_URL: url,
  LOCAL_BASE_URL: `${url}/v1`,
})

const opened: Loopback[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()))
})

const over = async (name: string, ...lines: Line[]) => {
  const loopback = await createLoopback(readScript(JSON.stringify(lines)))
  opened.push(loopback)
  const { model } = await findModel(name, env(loopback.url))
  return { ...(await open(model)), loopback }
}

/** The arguments of every call in the body of a request, as its wire has them. */
const argumentsIn = (body: unknown): unknown[] => {
  const found: unknown[] = []
  JSON.stringify(body, (key, value) => {
    if (value?.type === "tool_use") found.push(value.input)
    if (key === "functionCall") found.push(value.args)
    if (value?.type === "function_call") found.push(JSON.parse(value.arguments))
    if (key === "function" && typeof value?.arguments === "string") found.push(JSON.parse(value.arguments))
    return value
  })
  return found
}

describe.each(["anthropic/claude-sonnet-5", "openai/gpt-5.1", "google/gemini-3-pro", "local/qwen"])("%s", (name) => {
  const isGoogle = name.startsWith("google")

  test("gets an answer about an unknown tool, and accepts the conversation", async () => {
    const { run, loopback } = await over(name, { calls: [{ tool: "fly" }, look] }, { text: "I see." })
    expect((await run()).text).toBe("I see.")
    const { body, neutral } = loopback.requests[1] ?? {}
    expect(JSON.stringify(neutral?.messages)).toContain('There is no tool \\"fly\\"')
    expect(argumentsIn(body)).toEqual([{}, { pattern: "*" }])
  })

  test.skipIf(isGoogle)("gets an answer about arguments that are not JSON, which go back as an object", async () => {
    const half = '{"file_path": "a'
    const { run, loopback } = await over(name, { calls: [{ tool: "Read", input: half }] }, { text: "I see." })
    expect((await run()).text).toBe("I see.")
    expect(argumentsIn(loopback.requests[1]?.body)).toEqual([{}])
    expect(JSON.stringify(loopback.requests[1]?.neutral.messages)).toContain("The input of Read is wrong")
  })

  test.runIf(isGoogle)("is asked again after a call that its service cannot read", async () => {
    const { run, loopback, eventsOf } = await over(
      name,
      { calls: [{ tool: "Read", input: '{"file' }] },
      { text: "I see." },
    )
    expect((await run()).text).toBe("I see.")
    expect(loopback.requests).toHaveLength(2)
    expect(eventsOf("turn-failed")).toMatchObject([{ willRetry: true }])
  })

  test("is asked again when the connection drops, with the same messages", async () => {
    const words = "These words get through, and these are lost with the connection."
    const { run, loopback, eventsOf } = await over(name, { text: words, drop: 1 }, { text: "Again." })
    expect((await run()).text).toBe("Again.")
    expect(eventsOf("turn-failed")).toMatchObject([{ willRetry: true }])
    expect(loopback.requests[1]?.neutral.messages).toEqual(loopback.requests[0]?.neutral.messages)
  })

  test("is asked again when it is busy, and not when it refuses", async () => {
    const busy = await over(name, { error: { status: 503, message: "Busy." } }, { text: "Now." })
    expect((await busy.run()).text).toBe("Now.")
    const refused = await over(name, { error: { status: 403, message: "Not you." }, repeat: true })
    expect((await refused.run()).ending).toBe("failed")
    expect(refused.loopback.requests).toHaveLength(1)
    expect(refused.eventsOf("notice-given")[0]?.message).toContain("answered 403: Not you.")
  })

  test("has its conversation compacted when it is too long", async () => {
    const message = "prompt is too long: 210000 tokens > 200000 maximum"
    const { run, loopback } = await over(
      name,
      { calls: [todoWrite(["Read", "in_progress"])] },
      { error: { status: 400, message } },
      { text: "Shall I go on?" },
      { thread: "summary", when: { system: "summaries" } },
      { text: "We read." },
    )
    expect((await run()).text).toBe("Shall I go on?")
    expect(loopback.requests.map(({ played }) => played.thread)).toEqual(["main", "main", "summary", "main"])
  })

  test("can be interrupted in the middle of an answer, and continues from there", async () => {
    const { run, loopback } = await over(name, { text: "I look at each of the many files", hang: 1 }, { text: "Fine." })
    const controller = new AbortController()
    const ended = run("Look", controller.signal)
    await expect.poll(() => loopback.requests.length).toBe(1)
    controller.abort()
    expect((await ended).ending).toBe("interrupted")
    expect((await run("Stop")).text).toBe("Fine.")
  })

  test("thinks, calls and gets its own thoughts back in a form it accepts", async () => {
    const { run, loopback } = await over(name, { thinking: "First I look.", calls: [look] }, { text: "Seen." })
    expect((await run()).text).toBe("Seen.")
    // Kept here: nothing refers to what a server remembers.
    expect(JSON.stringify(loopback.requests[1]?.body)).not.toContain("item_reference")
  })

  test("is asked as its provider wants it: cached on request, stored nowhere", async () => {
    const { run, loopback } = await over(name, { text: "Done." })
    await run()
    const body = loopback.requests[0]?.body as Record<string, unknown>
    if (name.startsWith("anthropic")) expect(body.cache_control).toEqual({ type: "ephemeral" })
    if (name.startsWith("openai")) expect(body.store).toBe(false)
    expect(loopback.requests[0]?.neutral.stream).toBe(true)
  })
})
