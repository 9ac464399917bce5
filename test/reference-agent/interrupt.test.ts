import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { AgentEvent } from "../../src/reference-agent/index.ts"
import { bash, look, open, script, sent, todoWrite } from "./open.ts"

/** Interrupts when an event says so. */
const interruptAt = (is: (event: AgentEvent) => boolean) => {
  const controller = new AbortController()
  const onEvent = (event: AgentEvent): void => {
    if (is(event)) controller.abort()
  }
  return { signal: controller.signal, onEvent }
}

describe("an interruption", () => {
  test("in the middle of an answer keeps its text, and the next prompt follows", async () => {
    const model = script(
      { text: "I will now look at every single file, one by one.", hang: 1 },
      { text: "As you like." },
    )
    const { signal, onEvent } = interruptAt(({ type }) => type === "text-said")
    const { run } = await open(model, { onEvent })
    expect(await run("Look", signal)).toEqual({ ending: "interrupted", text: "" })
    expect((await run("No, stop")).text).toBe("As you like.")
    expect(model.requests[1]?.neutral.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"])
    expect(sent(model, 1)).toContain("I will now look at every")
  })

  test("before any answer leaves a valid conversation", async () => {
    const model = script({ text: "Hm", hang: 0 }, { text: "As you like." })
    const controller = new AbortController()
    const { run } = await open(model)
    const ended = run("Look", controller.signal)
    await expect.poll(() => model.requests.length).toBe(1)
    controller.abort()
    expect((await ended).ending).toBe("interrupted")
    expect((await run("Again")).ending).toBe("done")
  })

  test("in the middle of tools ends the running ones, does not begin the rest, and answers every call", async () => {
    const model = script(
      { calls: [todoWrite(["Wait", "in_progress"]), bash("echo begun; sleep 60"), bash("touch never"), look] },
      { text: "As you like." },
    )
    const { signal, onEvent } = interruptAt((event) => event.type === "tool-progressed")
    const { run, cwd, eventsOf, tracker } = await open(model, { onEvent })
    expect((await run("Wait", signal)).ending).toBe("interrupted")
    expect(eventsOf("tool-ended").map(({ isError }) => isError)).toEqual([false, true, true, true])
    expect(eventsOf("tool-ended")[2]?.text).toContain("before it began")
    expect(existsSync(join(cwd, "never"))).toBe(false)
    expect(tracker.plan.todos).toHaveLength(1)
    await run("What happened?")
    const roles = model.requests.at(-1)?.neutral.messages.map(({ role }) => role)
    expect(roles?.slice(0, 4)).toEqual(["user", "assistant", "tool", "user"])
    expect(sent(model, 1)).toContain("begun")
  })

  test("during a question to the person withdraws the question", async () => {
    const controller = new AbortController()
    const { run, eventsOf } = await open(script({ calls: [bash("true")] }), {
      permit: () => {
        controller.abort()
        return new Promise(() => {})
      },
    })
    expect((await run("Go", controller.signal)).ending).toBe("interrupted")
    expect(eventsOf("tool-ended")[0]?.text).toBe("Interrupted by the user.")
  })

  test("reaches sub-agents", async () => {
    const model = script(
      { calls: [{ tool: "Task", input: { description: "Wait", prompt: "Wait long" } }] },
      { thread: "sub", when: { prompt: "Wait long" } },
      { calls: [bash("echo begun; sleep 60")] },
    )
    const { signal, onEvent } = interruptAt((event) => event.type === "tool-progressed" && event.depth === 1)
    const { run, eventsOf } = await open(model, { onEvent })
    expect((await run("Go", signal)).ending).toBe("interrupted")
    expect(eventsOf("agent-ended")).toMatchObject([{ ending: "interrupted" }])
  })

  test("while a failed answer waits for its next try ends at once", async () => {
    const controller = new AbortController()
    const { run } = await open(script({ error: { status: 503 }, repeat: true }), {
      pause: async () => controller.abort(),
    })
    expect((await run("Go", controller.signal)).ending).toBe("interrupted")
  })

  test("in the middle of a compaction keeps the conversation", async () => {
    const model = script(
      { text: "Hello.", usage: { input: 190_000, output: 1 } },
      { text: "Still here." },
      { thread: "summary", when: { system: "summaries" } },
      { text: "We said", hang: 0 },
      { text: "We said hello." },
    )
    const { run, agent } = await open(model)
    await run("First words")
    const controller = new AbortController()
    const ended = run("Later words", controller.signal)
    await expect.poll(() => model.requests.length).toBe(2)
    controller.abort()
    expect((await ended).ending).toBe("interrupted")
    expect(agent.spoken.map(({ type }) => type)).not.toContain("compaction")
  })

  test("before the work begins starts nothing", async () => {
    const model = script({ text: "Hello." })
    const { run } = await open(model)
    expect((await run("Go", AbortSignal.abort())).ending).toBe("interrupted")
    expect(model.requests).toHaveLength(0)
  })
})
