/** A person's change that is too long for one notice: nothing of it counts as told that was not told. */
import { describe, expect, test } from "vitest"
import { openOwedNotices } from "../../src/bridges/hooks/owed-notice.ts"
import type { PlanEvent } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { joinPlan } from "../../src/tracker/copy-plan.ts"
import type { Tracker, TrackerOptions } from "../../src/tracker/tracker.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { open, patch, person } from "./open.ts"

describe("one change with more parts than a notice has room for", () => {
  const contents = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `Part ${index + 1}: ${"check the totals, ".repeat(8)}${index + 1}`)

  /** As `headway todo import` makes it: many todos, one entry. */
  const imported = async (count: number, options: Partial<TrackerOptions> = {}) => {
    const tracker = await open(options)
    await patch(tracker, [{ content: "Read", status: "in_progress" }])
    const events = contents(count).map((content, index): PlanEvent => {
      const id = String(index + 2)
      return { type: "todo-added", todo: { id, content, status: "pending" } }
    })
    await tracker.edit(person, () => events)
    return tracker
  }

  const namedIn = (notice = ""): number[] => Array.from(notice.matchAll(/^- added (\d+) /gm), ([, id]) => Number(id))

  const untilToldAll = async (tracker: Tracker): Promise<string[]> => {
    const notices: string[] = []
    for (let notice = await tracker.tellAgent(); notice; notice = await tracker.tellAgent()) notices.push(notice)
    return notices
  }

  test("is told in pieces, each todo once and in order, and counts as told with the last one", async () => {
    const tracker = await imported(60)
    const first = (await patch(tracker, [{ id: "1", status: "completed" }])).notice ?? ""
    expect(first.length).toBeLessThan(5000)
    expect(namedIn(first)).not.toHaveLength(60)
    expect(first).toContain(`${60 - namedIn(first).length} more changes follow with your next call.`)
    expect(tracker.ledger.untold.size).toBe(1)
    const rest = await untilToldAll(tracker)
    expect([first, ...rest].flatMap(namedIn)).toEqual(Array.from({ length: 60 }, (_, index) => index + 2))
    expect(rest.at(-1)).not.toContain("more change")
    expect(tracker.ledger.untold.size).toBe(0)
  })

  test("is told at once if it is short", async () => {
    const tracker = await open()
    const events = Array.from({ length: 30 }, (_, index): PlanEvent => {
      return { type: "todo-added", todo: { id: String(index + 1), content: `Part ${index + 1}`, status: "pending" } }
    })
    await tracker.edit(person, () => events)
    expect(namedIn(await tracker.tellAgent())).toHaveLength(30)
    expect(tracker.ledger.untold.size).toBe(0)
  })

  test.each([
    ["another plan", true],
    ["a session without one", false],
  ])("is told on from where it was when the plan becomes a part of %s", async (_, hasPlan) => {
    const store = createMemoryStore()
    const tracker = await imported(60, { store, session: "unnamed" })
    const first = await tracker.tellAgent()
    if (hasPlan) await patch(await open({ store, session: "joined" }), [{ content: "Build" }, { content: "Read" }])
    const to = { session: "joined", agent: "main" }
    await joinPlan({ store, from: tracker.key, to, now: () => new Date("2030-01-02"), onProblem: () => {} })
    const rest = await untilToldAll(await open({ store, session: "joined" }))
    const texts = [first ?? "", ...rest].join("\n").match(/Part \d+(?=:)/g)
    expect(texts).toEqual(Array.from({ length: 60 }, (_, index) => `Part ${index + 1}`))
  })

  test("leaves those it has told to the agent, and protects the others", async () => {
    const tracker = await imported(60)
    const told = namedIn(await tracker.tellAgent())
    const [known, unknown] = [String(told[0]), String((told.at(-1) ?? 0) + 1)]
    await patch(tracker, [
      { id: known, status: "completed" },
      { id: unknown, status: "completed" },
    ])
    const statuses = new Map(tracker.plan.todos.map(({ id, status }) => [id, status]))
    expect([statuses.get(known), statuses.get(unknown)]).toEqual(["completed", "pending"])
  })

  test("is told of each todo once by several processes, also from a snapshot", async () => {
    const store = createMemoryStore()
    await imported(60, { store })
    const hosts = await Promise.all(Array.from({ length: 3 }, () => open({ store })))
    const told: number[] = []
    for (let round = 0; round < 30; round += 1)
      told.push(...(await Promise.all(hosts.map((host) => host.tellAgent()))).flatMap((notice) => namedIn(notice)))
    expect(told).toEqual(Array.from({ length: 60 }, (_, index) => index + 2))
    const later = await open({ store })
    expect(await later.tellAgent()).toBeUndefined()
  })

  test("goes on where it was after the process ended", async () => {
    const home = temporaryFolder()
    const first = await imported(60, { store: createFileStore({ home }) })
    const told = namedIn(await first.tellAgent())
    await first.close()
    const next = await open({ store: createFileStore({ home }) })
    expect([...told, ...(await untilToldAll(next)).flatMap(namedIn)]).toHaveLength(60)
  })

  test("is told of, and then that it was undone, if it is undone in between", async () => {
    const tracker = await imported(60)
    await tracker.tellAgent()
    await tracker.undo(person)
    const notices = (await untilToldAll(tracker)).join("\n")
    expect(notices).toContain("undid a change: removed 2 ")
    expect(notices).toContain("undid a change: removed 61 ")
  })

  test("is given again in the same piece if it was owed by a hook that was killed", async () => {
    const home = temporaryFolder()
    const owedAt = (minute: number) =>
      openOwedNotices(home, { session: "s", agent: "main" }, () => new Date(Date.UTC(2026, 0, 1, 0, minute)))
    const tracker = await imported(60, { onTelling: owedAt(0).owe })
    const piece = await tracker.tellAgent()
    const { untold } = tracker.ledger
    const isTold = (entry: string, to = 60): boolean => (untold.get(entry)?.told ?? 60) >= to
    expect(owedAt(5).takeOver(isTold)).toEqual([piece])
    expect(owedAt(5).takeOver(() => false)).toEqual([])
  })
})
