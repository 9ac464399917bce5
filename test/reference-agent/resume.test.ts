import { describe, expect, test } from "vitest"
import type { Spoken } from "../../src/reference-agent/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { createClock, open as openPlan, todoWrite as write } from "../tracker/open.ts"
import { bash, look, open, script, sent, todoWrite } from "./open.ts"

/** A session that was left with work open, and the same taken up again with another model. */
const leftAndResumed = async (later: ReturnType<typeof script>, options: Parameters<typeof open>[1] = {}) => {
  const store = createMemoryStore()
  const clock = createClock()
  const plan = () => openPlan({ store, now: clock.now })
  const list = todoWrite(["Read", "completed"], ["Write", "in_progress"], ["Check", "pending"])
  const first = await open(script({ calls: [list] }, { text: "Shall I go on?" }), { tracker: await plan(), ...options })
  await first.run("Write the form")
  clock.pass(60 * 25)
  const kept = first.kept.map((line) => JSON.parse(JSON.stringify(line)) as Spoken)
  return open(later, { tracker: await plan(), kept, now: clock.now, ...options })
}

describe("a resumed session", () => {
  test("continues the conversation, and the list comes back paused, without what was finished (O14)", async () => {
    const model = script({ text: "What next?" })
    const { run, tracker } = await leftAndResumed(model)
    expect(tracker.ledger.paused).toBe(true)
    await run("Hello again")
    const request = sent(model, 0)
    expect(request).toContain("Write the form")
    expect(request).toContain("Shall I go on?")
    expect(request).toContain("todo list of an earlier session, last changed 1 day ago. It is paused")
    expect(request).toContain("#2 [in_progress] Write")
    expect(request).toContain("#3 [pending] Check")
    expect(request).not.toContain("#1 [completed] Read")
    expect(tracker.plan.todos).toHaveLength(3)
  })

  test("with a paused plan lets its agent stop, and reports that", async () => {
    const { run, eventsOf } = await leftAndResumed(script({ text: "Hello." }))
    expect((await run()).ending).toBe("done")
    expect(eventsOf("push-said")).toEqual([])
    expect(eventsOf("notice-given").at(-1)?.message).toContain("paused until it is resumed")
  })

  test.each([
    ["marks a todo in progress", todoWrite(["Write", "pending"], ["Check", "in_progress"])],
    ["begins another list", todoWrite(["Something new", "in_progress"])],
  ])("continues its plan when the agent %s", async (_, call) => {
    const { run, tracker } = await leftAndResumed(script({ calls: [call] }, { text: "Shall I?" }))
    await run("Go on")
    expect(tracker.ledger.paused).toBe(false)
  })

  test("continues its plan when the person resumes it", async () => {
    const model = script({ text: "Hello." }, { text: "Hello." })
    const { run, tracker, eventsOf } = await leftAndResumed(model)
    await tracker.resume({ kind: "person", id: "ada" })
    await run("Go on")
    expect(sent(model, 0)).toContain("It has been resumed")
    expect(eventsOf("push-said").length).toBeGreaterThan(0)
  })

  test("continues the counters of the reminders (C22)", async () => {
    const work = (times: number) => Array.from({ length: times }, () => ({ calls: [look] }))
    const whole = script({ calls: [todoWrite(["Write", "in_progress"])] }, ...work(10), { text: "Well?" })
    await (await open(whole, { profile: "classic" })).run()
    const remindedAt = (model: ReturnType<typeof script>): number[] =>
      model.requests.flatMap(({ neutral }, index) => {
        const last = neutral.messages.at(-1)
        const isLast = JSON.stringify(last).includes("There has been no call of TodoWrite")
        return last?.role === "user" && isLast ? [index] : []
      })
    expect(remindedAt(whole)).toEqual([7, 10])

    const store = createMemoryStore()
    const first = await open(script({ calls: [todoWrite(["Write", "in_progress"])] }, ...work(4), { text: "Well?" }), {
      tracker: await openPlan({ store }),
      profile: "classic",
    })
    await first.run()
    const later = script(...work(5), { text: "Well?" })
    const again = await open(later, { tracker: await openPlan({ store }), kept: first.kept, profile: "classic" })
    await again.run()
    // Six turns were counted before: the seventh is the first of the later session.
    expect(remindedAt(later)).toEqual([1, 4])
  })

  test("does not repeat a reminder a fourth time (N4)", async () => {
    const kept: Spoken[] = Array.from({ length: 3 }, () => ({
      type: "reminder",
      attachment: { type: "attachment", attachment: { type: "stale_todo" }, uuid: "u", timestamp: "t" },
      text: "stale",
    }))
    const tracker = await openPlan()
    await write(tracker, [{ content: "Write", status: "in_progress", activeForm: "Writing" }])
    const model = script(...Array.from({ length: 13 }, () => ({ calls: [bash("true")] })), { text: "Well?" })
    const { run, eventsOf } = await open(model, { tracker, kept: [{ type: "user", text: "Go" }, ...kept] })
    await tracker.resume({ kind: "person", id: "ada" })
    await run()
    expect(eventsOf("reminder-said").map(({ attachment }) => attachment.attachment.type)).not.toContain("stale_todo")
  })

  test("answers a call that was running when the process ended, and the model accepts the conversation", async () => {
    const model = script({ text: "I look first." })
    const kept: Spoken[] = [
      { type: "user", text: "Remove it" },
      {
        type: "assistant",
        message: {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "a", toolName: "Bash", input: { command: "rm x" } }],
        },
      },
    ]
    await (await open(model, { kept })).run("Go on")
    expect(model.requests[0]?.neutral.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"])
    expect(sent(model, 0)).toContain("Check before you repeat it")
  })

  test("knows again how full the context was", async () => {
    const first = await open(script({ text: "Hello.", usage: { input: 190_000, output: 10 } }))
    await first.run("Begin")
    const model = script({ text: "Here." }, { thread: "summary", when: { system: "summaries" } }, { text: "We began." })
    const later = await open(model, { kept: first.kept })
    await later.run("Go on")
    expect(model.requests.map(({ played }) => played.thread)).toEqual(["summary", "main"])
    expect(sent(model, 1)).toContain("Go on")
  })

  test("gets a plan without a conversation back too", async () => {
    const tracker = await openPlan()
    await write(tracker, [{ content: "Write", status: "pending", activeForm: "Writing" }])
    const model = script({ text: "Well?" })
    await (await open(model, { tracker })).run("Hello")
    expect(sent(model, 0)).toContain("It is paused")
  })
})
