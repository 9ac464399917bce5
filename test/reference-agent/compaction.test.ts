import { describe, expect, test } from "vitest"
import { bash, type Line, look, open, script, sent, todoWrite } from "./open.ts"

const plan = todoWrite(["Read the order form", "completed"], ["Let customers change the address", "in_progress"])

const summaries: Line[] = [
  { thread: "summary", when: { system: "summaries" } },
  { text: "We let customers change the address; form.ts is read." },
]

const full: Line = { calls: [look], usage: { input: 170_000, output: 100 } }

const isSummary = ({ played }: { played: { thread: string } }): boolean => played.thread === "summary"

describe("compaction", () => {
  test("comes when the context fills, and the list comes back verbatim with ids (C18)", async () => {
    const model = script({ calls: [plan] }, full, { calls: [look] }, { text: "Shall I go on?" }, ...summaries)
    const { run, kept, tracker, eventsOf } = await open(model)
    expect((await run("Let customers change the address, please.")).ending).toBe("done")
    expect(model.requests.map(isSummary)).toEqual([false, false, true, false, false])
    const after = sent(model, 3)
    expect(after).toContain("form.ts is read.")
    expect(after).toContain("Let customers change the address, please.")
    expect(after).toContain("#1 [completed] Read the order form")
    expect(after).toContain("#2 [in_progress] Let customers change the address")
    expect(after).toContain("Continue where you were.")
    expect(after).not.toContain("tool_call")
    expect(model.requests[3]?.neutral.messages).toHaveLength(1)
    const reminder = kept.find(({ type }) => type === "reminder")
    expect(reminder).toMatchObject({
      attachment: { attachment: { type: "todo", context: "post-compact", itemCount: 2 } },
    })
    expect(tracker.ledger.paused).toBe(false)
    expect(eventsOf("compacted")).toHaveLength(1)
    expect(kept.map(({ type }) => type)).toContain("compaction")
  })

  test("an empty list is not mentioned (C18)", async () => {
    const model = script(full, { text: "Done." }, ...summaries)
    const { run } = await open(model, { profile: "classic" })
    await run()
    expect(sent(model, 2)).not.toContain("todo list was not")
  })

  test("the request for the summary has the conversation's tools and messages", async () => {
    const model = script({ text: "A word.", calls: [look] }, full, { text: "Done." }, ...summaries)
    await (await open(model)).run("Begin")
    const request = model.requests.find(isSummary)?.neutral
    expect(request?.tools.map(({ name }) => name)).toContain("Glob")
    expect(JSON.stringify(request?.messages)).toContain("A word.")
    expect(JSON.stringify(request?.messages.at(-1))).toContain("Write a summary")
  })

  test("on request it replaces the conversation once, and has nothing to do the second time", async () => {
    const model = script({ text: "Hello." }, { text: "Here." }, ...summaries)
    const { run, agent } = await open(model)
    const { signal } = new AbortController()
    expect(await agent.compact(signal)).toBe(false)
    await run("First words")
    expect(await agent.compact(signal)).toBe(true)
    expect(await agent.compact(signal)).toBe(false)
    await run("Later words")
    expect(sent(model, 2)).toContain("Later words")
    expect(sent(model, 2)).not.toContain("Hello.")
  })

  test("an interrupted or failed one leaves the conversation as it was, and is reported", async () => {
    const model = script({ text: "Hello." }, { text: "Still here." }, summaries[0] as Line, {
      error: { status: 400, message: "No summaries today." },
    })
    const { run, agent, eventsOf } = await open(model)
    await run("First words")
    expect(await agent.compact(AbortSignal.abort())).toBe(false)
    expect(await agent.compact(new AbortController().signal)).toBe(false)
    expect(eventsOf("notice-given").at(-1)?.message).toContain("No summaries today.")
    await run("Later words")
    expect(sent(model, model.requests.length - 1)).toContain("First words")
  })

  test("without effect it is not repeated", async () => {
    const turns = Array.from({ length: 8 }, () => full)
    const model = script(...turns, { text: "Done." }, summaries[0] as Line, { text: "Summary.", repeat: true })
    const { run } = await open(model)
    expect((await run()).ending).toBe("done")
    expect(model.requests.filter(isSummary).length).toBeLessThanOrEqual(3)
  })

  test("a service that gives no usage is counted by length", async () => {
    const big = { calls: [bash("printf 'x%.0s' {1..20000}")], usage: { input: 0, output: 0 } }
    const model = script(big, big, { text: "Done." }, ...summaries)
    const { run } = await open(model, { contextWindow: 10_000 })
    await run()
    expect(model.requests.filter(isSummary)).toHaveLength(1)
  })
})

describe("a conversation that proves too long for the model", () => {
  const tooLong = [
    "prompt is too long: 210000 tokens > 200000 maximum",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    "The input token count (1250000) exceeds the maximum number of tokens allowed (1048576).",
    "the request exceeds the available context size (8192 tokens), try increasing it",
  ]

  test.each(tooLong)("is compacted and sent once more: %s", async (message) => {
    const model = script(
      { calls: [plan] },
      { error: { status: 400, message } },
      { text: "Shall I go on?" },
      ...summaries,
    )
    const { run } = await open(model)
    expect(await run()).toEqual({ ending: "done", text: "Shall I go on?" })
    expect(model.requests.map(isSummary)).toEqual([false, false, true, false])
    expect(sent(model, 3)).toContain("#2 [in_progress] Let customers change the address")
  })

  test("is summarised without the middle of long results, and from fewer messages, until it fits", async () => {
    const message = tooLong[0] ?? ""
    const model = script(
      { calls: [bash("printf 'x%.0s' {1..20000}")] },
      { error: { status: 400, message } },
      { text: "Done." },
      summaries[0] as Line,
      { error: { status: 400, message }, repeat: 2 },
      { text: "A short summary." },
    )
    const { run } = await open(model)
    expect((await run()).ending).toBe("done")
    const lengths = model.requests.filter(isSummary).map(({ neutral }) => JSON.stringify(neutral.messages).length)
    expect(lengths).toHaveLength(3)
    expect(lengths[0]).toBeGreaterThan(20_000)
    expect(lengths[1]).toBeLessThan(6000)
    expect(sent(model, model.requests.length - 1)).toContain("A short summary.")
  })

  test("ends with a clear message when nothing helps, and keeps everything", async () => {
    const message = tooLong[0] ?? ""
    const model = script({ calls: [plan] }, { error: { status: 400, message }, repeat: true }, summaries[0] as Line, {
      error: { status: 400, message },
      repeat: true,
    })
    const { run, eventsOf, tracker } = await open(model)
    expect((await run()).ending).toBe("failed")
    expect(eventsOf("notice-given").at(-1)?.message).toMatch(/prompt is too long.*you can continue later/)
    expect(tracker.plan.todos).toHaveLength(2)
  })
})
