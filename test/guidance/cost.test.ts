/** What guidance costs over a recorded run of fifty turns. */
import { describe, expect, test } from "vitest"
import { replayRun } from "./recorded-run.ts"

describe("fifty turns", () => {
  test("N4 quiet costs at most 15% of full prompts with classic reminders", async () => {
    const quiet = await replayRun("quiet", "quiet")
    const strong = await replayRun("full", "classic")
    expect(quiet.perTurn).toBeLessThanOrEqual(strong.perTurn * 0.15)
  })

  test("N4 quiet reminds once of what was left untouched, and says what happened", async () => {
    const { reminders } = await replayRun("quiet", "quiet")
    expect(reminders.map(({ request, type }) => `${request} ${type}`)).toEqual([
      "9 person_edit",
      "26 stale_todo",
      "32 failed_call",
      "38 todo",
    ])
  })

  test("C22 classic reminds at the turns of its design", async () => {
    const { reminders } = await replayRun("full", "classic")
    expect(reminders.flatMap(({ request, type }) => (type === "todo_reminder" ? [request] : []))).toEqual([22, 25])
  })

  test("C9 off leaves the tool and what a person says", async () => {
    const off = await replayRun("off", "off")
    expect(off.sections).toBe(0)
    expect(off.reminders.map(({ type }) => type)).toEqual(["person_edit"])
  })
})
