import { describe, expect, test } from "vitest"
import { edits } from "../../src/plan/index.ts"
import { person } from "../tracker/open.ts"
import { bash, look, open, script, todoWrite } from "./open.ts"

const plan = todoWrite(["Repair the tax", "in_progress"], ["Check it", "pending"])
const work = (times: number) => Array.from({ length: times }, () => ({ calls: [look] }))

const typesSaid = (reminders: readonly { attachment: { attachment: { type: string } } }[]): string[] =>
  reminders.map(({ attachment }) => attachment.attachment.type)

describe("the quiet profile in a real loop (N4)", () => {
  test("names the todo that was untouched through ten turns of work, at most three times", async () => {
    const model = script({ calls: [plan] }, ...work(50), { text: "Well?" })
    const { run, eventsOf } = await open(model)
    await run()
    const reminders = eventsOf("reminder-said")
    expect(typesSaid(reminders)).toEqual(["stale_todo", "stale_todo", "stale_todo"])
    expect(reminders[0]?.text).toContain('Todo #1 "Repair the tax" has been in progress for 10 turns')
    const first = model.requests.findIndex(({ neutral }) =>
      JSON.stringify(neutral).includes("has been in progress for"),
    )
    expect(first).toBe(11)
  })

  test("gives none after a recent update, with nothing in progress, or with an empty list", async () => {
    const fresh = await open(script({ calls: [plan] }, ...work(9), { calls: [plan] }, ...work(9), { text: "Well?" }))
    await fresh.run()
    expect(fresh.eventsOf("reminder-said")).toEqual([])
    const waiting = await open(script({ calls: [todoWrite(["Wait", "pending"])] }, ...work(12), { text: "Well?" }))
    await waiting.run()
    expect(waiting.eventsOf("reminder-said")).toEqual([])
    const empty = await open(script(...work(12), { text: "Done." }))
    await empty.run()
    expect(empty.eventsOf("reminder-said")).toEqual([])
  })

  test("a person's edit in the middle of a turn is reported before the next, once (O15)", async () => {
    const model = script({ calls: [plan] }, { calls: [bash("true")] }, ...work(2), { text: "Well?" })
    const { run, eventsOf, tracker } = await open(model, {
      permit: async () => {
        await tracker.edit(person, () => edits.add("Ask Ada"))
        return true
      },
    })
    await run()
    expect(typesSaid(eventsOf("reminder-said"))).toEqual(["person_edit"])
    expect(
      eventsOf("plan-changed")
        .at(-1)
        ?.plan.todos.map(({ content }) => content),
    ).toContain("Ask Ada")
    const mentions = model.requests.map(({ neutral }) => JSON.stringify(neutral.messages.at(-1)).includes("Ask Ada"))
    expect(mentions.indexOf(true)).toBe(2)
    expect(tracker.ledger.untold.size).toBe(0)
  })
})

test("a reminder is kept with the conversation as an attachment (C19)", async () => {
  const { run, kept } = await open(script({ text: "Hello." }), { profile: "classic", newId: () => "an-id" })
  await run()
  expect(kept[1]).toEqual({
    type: "reminder",
    attachment: {
      type: "attachment",
      attachment: { type: "todo", content: [], itemCount: 0 },
      uuid: "an-id",
      timestamp: expect.stringMatching(/^2030-01-01T/),
    },
    text: expect.stringMatching(/^<system-reminder>\n[\s\S]*\n<\/system-reminder>$/),
  })
})
