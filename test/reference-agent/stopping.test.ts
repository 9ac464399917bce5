import { describe, expect, test } from "vitest"
import { type Line, look, open, script, sent, todoWrite } from "./open.ts"

const plan = todoWrite(["Read", "completed"], ["Write", "in_progress"], ["Check", "pending"])

describe("an agent that stops with work left (N6)", () => {
  test("is sent back to it by name, and continues", async () => {
    const model = script(
      { calls: [plan] },
      { text: "I think that is all." },
      { calls: [todoWrite(["Read", "completed"], ["Write", "completed"], ["Check", "completed"])] },
      { text: "Now it is." },
    )
    const { run, eventsOf, kept } = await open(model)
    expect(await run()).toEqual({ ending: "done", text: "Now it is." })
    const [push] = eventsOf("push-said")
    expect(push?.text).toContain('#2 "Write" (in progress)')
    expect(push?.text).toContain('#3 "Check"')
    expect(push?.text).not.toContain("Read")
    expect(sent(model, 2)).toContain('#2 \\"Write\\"')
    expect(kept.filter(({ type }) => type === "push")).toHaveLength(1)
    expect(kept.filter(({ type }) => type === "user")).toHaveLength(1)
  })

  test("stops with a message after three pushes without progress", async () => {
    const model = script({ calls: [plan] }, { text: "All done.", repeat: true })
    const { run, eventsOf } = await open(model)
    expect((await run()).ending).toBe("done")
    expect(eventsOf("push-said")).toHaveLength(3)
    expect(eventsOf("notice-given").at(-1)?.message).toBe(
      "Stopped with 2 todos open: sent back to work 3 times, it did nothing more.",
    )
    expect(model.requests).toHaveLength(5)
  })

  test("makes progress by tool work: the count starts over, up to twenty in all", async () => {
    const turns = Array.from({ length: 25 }, (): Line[] => [{ calls: [look] }, { text: "All done." }]).flat()
    const { run, eventsOf } = await open(script({ calls: [plan] }, ...turns))
    expect((await run()).ending).toBe("done")
    expect(eventsOf("push-said")).toHaveLength(20)
    expect(eventsOf("notice-given").at(-1)?.message).toContain("which is the limit")
  })

  test("may stop while a question to the person is open", async () => {
    const { run, eventsOf } = await open(
      script({ calls: [plan] }, { text: "Which address form do you mean? **(a or b?)**" }),
    )
    await run()
    expect(eventsOf("push-said")).toEqual([])
    expect(eventsOf("notice-given").at(-1)?.message).toContain("waits for your answer")
  })

  test("may stop when the model declines", async () => {
    const { run, eventsOf } = await open(script({ calls: [plan] }, { text: "No.", stop: "refusal" }))
    expect(await run()).toEqual({ ending: "done", text: "No." })
    expect(eventsOf("push-said")).toEqual([])
    expect(eventsOf("notice-given")[0]?.message).toContain("declined")
  })

  test("is counted again from the person's next prompt", async () => {
    const { run, eventsOf } = await open(script({ calls: [plan] }, { text: "All done.", repeat: true }))
    await run()
    await run("Are you sure?")
    expect(eventsOf("push-said")).toHaveLength(6)
  })
})

describe("answers that end too early", () => {
  test("one cut at its length is continued on request, and comes back whole", async () => {
    const model = script(
      { text: "The first half and ", stop: "length" },
      { text: "the second, ", stop: "length" },
      { text: "done." },
    )
    const { run } = await open(model)
    expect(await run()).toEqual({ ending: "done", text: "The first half and the second, done." })
    expect(sent(model, 1)).toContain("cut off at the maximum length")
  })

  test("one that is cut again and again may end", async () => {
    const model = script({ text: "more ", stop: "length", repeat: true })
    const { run } = await open(model)
    expect((await run()).ending).toBe("done")
    expect(model.requests).toHaveLength(4)
  })

  test("half a call is not made, whether a file or a list", async () => {
    const half = '{"file_path":"a.txt","content":"The first ha'
    const model = script(
      {
        calls: [
          { tool: "Write", input: half },
          { tool: "TodoWrite", input: '{"todos":[{"content":"Re' },
        ],
        stop: "length",
      },
      { text: "Then smaller?" },
    )
    const { run, eventsOf, tracker } = await open(model)
    await run()
    expect(eventsOf("tool-ended").map(({ text }) => text.slice(0, 26))).toEqual([
      "Your answer was cut off in",
      "Your answer was cut off in",
    ])
    expect(tracker.plan.todos).toEqual([])
  })

  test("the model is asked once for text instead of an empty answer", async () => {
    const model = script({ calls: [look] }, { text: "" }, { text: "There is nothing." })
    const { run } = await open(model)
    expect(await run()).toEqual({ ending: "done", text: "There is nothing." })
    expect(sent(model, 2)).toContain("You gave no answer")
  })

  test("thinking alone is not an answer either, but stays in the conversation", async () => {
    const model = script({ thinking: "Hm." }, { text: "Yes." })
    const { run, kept } = await open(model)
    expect(await run()).toEqual({ ending: "done", text: "Yes." })
    expect(kept.map(({ type }) => type)).toEqual(["user", "assistant", "push", "assistant"])
  })

  test("an empty answer again and again is reported as a failure", async () => {
    const model = script({ text: "", repeat: true })
    const { run, eventsOf } = await open(model)
    expect(await run()).toEqual({ ending: "failed", text: "" })
    expect(eventsOf("notice-given").at(-1)?.message).toBe("The model gave no answer.")
    expect(model.requests).toHaveLength(2)
  })

  test("an empty answer after work is an end", async () => {
    const model = script({ text: "I look.", calls: [look] }, { text: "", repeat: true })
    expect(await (await open(model)).run()).toEqual({ ending: "done", text: "I look." })
  })
})

test("a model that never stops is stopped, with its plan kept", async () => {
  const { run, eventsOf, tracker } = await open(script({ calls: [plan] }, { calls: [look], repeat: true }), {
    mostTurns: 7,
  })
  expect((await run()).ending).toBe("too-many-turns")
  expect(eventsOf("turn-started")).toHaveLength(7)
  expect(eventsOf("notice-given").at(-1)?.message).toContain("Stopped after 7 turns")
  expect(tracker.plan.todos).toHaveLength(3)
  expect((await run("Go on")).ending).toBe("too-many-turns")
})
