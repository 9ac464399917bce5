/** What guidance costs over a scripted run of fifty turns. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { GuidanceLevel, Profile } from "../../src/guidance/index.ts"
import { replayRun } from "./scripted-run.ts"

describe("fifty turns", () => {
  test("N4 quiet costs at most 15% of full prompts with classic reminders", async () => {
    const quiet = await replayRun("quiet", "quiet")
    const strong = await replayRun("full", "classic")
    expect(quiet.perTurn).toBeLessThanOrEqual(strong.perTurn * 0.15)
  })

  test("N4 quiet reminds once of an untouched todo, and reports what happened", async () => {
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

  test.each<[GuidanceLevel, Profile]>([
    ["off", "off"],
    ["quiet", "quiet"],
    ["quiet", "gencode"],
    ["quiet", "classic"],
    ["full", "quiet"],
    ["full", "classic"],
  ])("cost what the docs state with prompts %s and reminders %s", async (level, profile) => {
    const { perTurn, definition, sections, reminders } = await replayRun(level, profile)
    const rows = readFileSync("docs/guide/07-what-the-model-is-told.md", "utf8").split("\n")
    const cells = rows.map((row) =>
      row
        .replaceAll(/[`,\s]/g, "")
        .split("|")
        .slice(1, -1),
    )
    const figures = [perTurn.toFixed(0), definition, sections, reminders.length].map(String)
    expect(cells).toContainEqual([level, profile, ...figures])
  })

  test("C9 off leaves the tool and the edits of a person", async () => {
    const off = await replayRun("off", "off")
    expect(off.sections).toBe(0)
    expect(off.reminders.map(({ type }) => type)).toEqual(["person_edit"])
  })
})
