/** What every store must do, whatever it keeps plans in. A store that cannot do a case lists it with the reason. */
import { describe, expect, test, vi } from "vitest"
import type { Entry } from "../../src/plan/index.ts"
import type { PlanFilter, PlanKey, PlanSummary, Store } from "../../src/stores/store.ts"

export type StoreUnderTest = {
  store: Store
  /** Another store over the same plans, as another process would open it. */
  again: () => Store
  /** Writes a plan of these todos, by the store itself or however its plans come to be. */
  put: (key: PlanKey, contents: readonly string[]) => Promise<void>
}

type Case = (subject: StoreUnderTest) => Promise<void>

/** Another process, or the system, may be slow to tell. */
const waitOptions = { timeout: 30_000, interval: 10 }

const main: PlanKey = { session: "s", agent: "main" }

/** Ids that a careless store mixes up, loses or lets out. */
const hostileIds = [
  "plain",
  "a/b",
  "a\\b",
  "a",
  "b",
  "..",
  "../..",
  "../../etc/passwd",
  ".",
  ".hidden",
  "with spaces",
  " ",
  "",
  "%",
  "%2F",
  "a%2Fb",
  "🦊",
  "🦊🦊",
  "é",
  "e\u0301",
  "\ud800",
  "\udc00",
  "\ufffd",
  "Case",
  "case",
  "CASE",
  "x-agent-y",
  "x-agent",
  "agent-y",
  "-agent-",
  "x",
  "y",
  "a\nb",
  "a\u0000b",
  "con",
  "nul.txt",
  "trailing.",
  "~",
  "l".repeat(300),
  `${"l".repeat(299)}m`,
  "🦊".repeat(300),
  "__proto__",
  "constructor",
]

export const entryOf = (id: string, contents: readonly string[], key?: PlanKey): Entry => ({
  v: 1,
  id,
  at: "2030-01-01T00:00:00.000Z",
  by: { kind: "agent", id: "main" },
  events: [
    ...(key ? [{ type: "plan-opened" as const, ...key }] : []),
    ...contents.map((content) => ({
      type: "todo-added" as const,
      todo: { id: "", content, status: "pending" as const },
    })),
  ],
})

const contentsOf = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ events }) => events.flatMap((event) => (event.type === "todo-added" ? [event.todo.content] : [])))

const idsOf = (entries: readonly Entry[]): string[] => entries.map(({ id }) => id)

const cases = {
  "a plan that was never written has no entries": async ({ store }) => {
    expect(await store.load(main)).toMatchObject({ entries: [], problems: [] })
    const { cursor } = await store.load(main)
    expect(await store.load(main, cursor)).toMatchObject({ entries: [], problems: [] })
  },

  "a plan that was written is loaded": async ({ store, put }) => {
    await put(main, ["Read", "Write"])
    const { entries, problems } = await store.load(main)
    expect(contentsOf(entries)).toEqual(["Read", "Write"])
    expect(problems).toEqual([])
  },

  "entries are loaded in the order of appending": async ({ store, again }) => {
    const entries = Array.from({ length: 20 }, (_, index) => entryOf(`e${index}`, [`todo ${index}`]))
    for (const entry of entries) await store.append(main, entry)
    expect((await store.load(main)).entries).toEqual(entries)
    expect((await again().load(main)).entries).toEqual(entries)
  },

  "every field of an entry survives": async ({ store }) => {
    const entry: Entry = {
      ...entryOf("e", ["line\nbreak \u2028 🦊 \u0000"], main),
      via: { dialect: "headway", tool: "todo", callId: "call-1" },
      settle: { oneActive: true },
      undoes: "d",
    }
    await store.append(main, entry)
    expect((await store.load(main)).entries).toEqual([entry])
  },

  "what the caller does to an entry later changes nothing": async ({ store }) => {
    const entry = entryOf("e", ["Read"])
    await store.append(main, entry)
    entry.events.length = 0
    expect(contentsOf((await store.load(main)).entries)).toEqual(["Read"])
  },

  "loading from a cursor gives only what is new": async ({ store }) => {
    await store.append(main, entryOf("e1", ["Read"]))
    const { cursor } = await store.load(main)
    expect(await store.load(main, cursor)).toMatchObject({ entries: [], cursor })
    await store.append(main, entryOf("e2", ["Write"]))
    await store.append(main, entryOf("e3", ["Rest"]))
    const next = await store.load(main, cursor)
    expect(idsOf(next.entries)).toEqual(["e2", "e3"])
    expect(idsOf((await store.load(main, next.cursor)).entries)).toEqual([])
  },

  "appending returns all that came after a cursor, the entry included": async ({ store, again }) => {
    const first = await store.append(main, entryOf("e1", ["Read"]))
    expect(idsOf(first.entries)).toEqual(["e1"])
    await again().append(main, entryOf("e2", ["Write"]))
    const next = await store.append(main, entryOf("e3", ["Rest"]), first.cursor)
    expect(idsOf(next.entries)).toEqual(["e2", "e3"])
    expect(await store.load(main, next.cursor)).toMatchObject({ entries: [], cursor: next.cursor })
  },

  "appenders at the same time lose nothing, and readers agree on the order": async ({ store, again }) => {
    const appenders = [store, again(), again(), again()]
    const ids = appenders.flatMap((_, who) => Array.from({ length: 25 }, (_, index) => `${who}-${index}`))
    await Promise.all(
      ids.map((id, index) => appenders[index % appenders.length]?.append(main, entryOf(id, ["x".repeat(index * 40)]))),
    )
    const { entries } = await store.load(main)
    expect(idsOf(entries).toSorted()).toEqual(ids.toSorted())
    expect(idsOf((await again().load(main)).entries)).toEqual(idsOf(entries))
  },

  "hostile ids never clash and stay apart": async ({ store, again, put }) => {
    const keys = hostileIds.flatMap((id) => [
      { session: id, agent: "main" },
      { session: "one", agent: id },
    ])
    for (const key of keys) await put(key, [JSON.stringify(key)])
    const other = again()
    for (const key of keys) {
      expect(contentsOf((await store.load(key)).entries)).toEqual([JSON.stringify(key)])
      expect(contentsOf((await other.load(key)).entries)).toEqual([JSON.stringify(key)])
    }
    const { plans, problems } = await other.list()
    const listed = plans.map(({ session, agent }) => JSON.stringify({ session, agent }))
    expect(problems).toEqual([])
    expect(listed.toSorted()).toEqual(keys.map((key) => JSON.stringify(key)).toSorted())
  },

  "the list says how each plan stands": async ({ store, put }) => {
    expect(await store.list()).toEqual({ plans: [], problems: [] })
    await put(main, ["Read", "Write"])
    await put({ session: "s", agent: "helper" }, ["Rest"])
    const { plans } = await store.list()
    expect(plans.toSorted((one, other) => one.agent.localeCompare(other.agent))).toMatchObject([
      { session: "s", agent: "helper", todos: 1, upcoming: { kind: "next", content: "Rest" }, isFinished: false },
      { session: "s", agent: "main", todos: 2, progress: { completed: 0, total: 2, percent: 0 } },
    ])
  },

  "a listing is of what is asked for, the newest first": async ({ store }) => {
    const write = (session: string, agent: string, at: string, project?: string): Promise<unknown> => {
      const opened = { type: "plan-opened" as const, session, agent, ...(project === undefined ? {} : { project }) }
      const entry = entryOf(`${session}-${agent}`, ["Read"])
      return store.append({ session, agent }, { ...entry, at, events: [opened, ...entry.events] })
    }
    await write("one", "main", "2030-01-03T00:00:00.000Z", "/shop")
    await write("one", "helper", "2030-01-01T00:00:00.000Z", "/shop")
    await write("two", "main", "2030-01-04T00:00:00.000Z", "/shop")
    await write("three", "main", "2030-01-02T00:00:00.000Z", "/mill")
    await write("four", "main", "2030-01-05T00:00:00.000Z")
    const named = async (filter?: PlanFilter): Promise<string[]> =>
      (await store.list(filter)).plans.map(({ session, agent }) => `${session} ${agent}`)
    expect(await named()).toEqual(["four main", "two main", "one main", "three main", "one helper"])
    expect(await named({ project: "/shop" })).toEqual(["two main", "one main", "one helper"])
    expect(await named({ session: "one" })).toEqual(["one main", "one helper"])
    expect(await named({ since: "2030-01-03T00:00:00Z" })).toEqual(["four main", "two main", "one main"])
    expect(await named({ limit: 2 })).toEqual(["four main", "two main"])
    expect(await named({ project: "/shop", session: "one", since: "2030-01-02T00:00:00Z", limit: 5 })).toEqual([
      "one main",
    ])
    expect(await named({ session: "none" })).toEqual([])
    expect(await named()).toHaveLength(5)
  },

  "a position is another one after every change": async ({ store, again, put }) => {
    expect(await store.position(main)).toBeUndefined()
    await put({ session: "other", agent: "main" }, ["Stay"])
    expect(await store.position(main)).toBeUndefined()
    await put(main, ["Read"])
    const first = await store.position(main)
    expect(first).toBeTypeOf("string")
    expect(await store.position(main)).toBe(first)
    expect(await again().position(main)).toBe(first)
    await put({ session: "other", agent: "main" }, ["Stay", "Rest"])
    expect(await store.position(main)).toBe(first)
    await store.append(main, entryOf("second", ["Write"]))
    const second = await again().position(main)
    expect(second).not.toBe(first)
    await store.remove(main)
    expect(await store.position(main)).toBeUndefined()
    await put(main, ["Read"])
    expect([undefined, first, second]).not.toContain(await store.position(main))
  },

  "a listing goes by the summary it was given, until the log has more": async ({ store, put }) => {
    await put(main, ["Read"])
    const [folded] = (await store.list()).plans
    const { cursor } = await store.load(main)
    const given = { ...(folded as PlanSummary), current: "As it was handed over" }
    await store.keepSummary?.(main, given, cursor)
    const shown = store.keepSummary ? given : folded
    expect((await store.list()).plans).toEqual([shown])
    await store.append(main, entryOf("more", ["Write"]))
    expect((await store.list()).plans).toMatchObject([{ upcoming: { kind: "next", content: "Read" }, todos: 2 }])
  },

  "a removed plan is gone and can be begun again": async ({ store, put }) => {
    await put(main, ["Read"])
    await put({ session: "other", agent: "main" }, ["Stay"])
    const { cursor } = await store.load(main)
    await store.remove(main)
    await store.remove(main)
    expect((await store.load(main)).entries).toEqual([])
    expect(await store.load(main, cursor)).toMatchObject({ entries: [], restarted: true })
    expect((await store.list()).plans.map(({ session }) => session)).toEqual(["other"])
    await store.append(main, entryOf("new", ["Again"]))
    expect(contentsOf((await store.load(main)).entries)).toEqual(["Again"])
    const again = await store.load(main, cursor)
    expect(again).toMatchObject({ restarted: true })
    expect(contentsOf(again.entries)).toEqual(["Again"])
    expect(await store.load(main, again.cursor)).not.toHaveProperty("restarted")
  },

  "an entry for a log that was removed meanwhile is not written, and the result says so": async ({ store, put }) => {
    await put(main, ["Read"])
    const { cursor } = await store.load(main)
    await store.remove(main)
    expect(await store.append(main, entryOf("late", ["Late"]), cursor)).toMatchObject({ entries: [], restarted: true })
    expect((await store.load(main)).entries).toEqual([])
    const first = await store.load(main)
    expect(idsOf((await store.append(main, entryOf("late", ["Late"]), first.cursor)).entries)).toEqual(["late"])
  },

  "an entry for a log that another writer has begun anew is written, and the whole log is read": async ({
    store,
    again,
    put,
  }) => {
    await put(main, ["Read", "Write"])
    const { cursor } = await store.load(main)
    await store.remove(main)
    await again().append(main, entryOf("theirs", ["Theirs"]))
    const appended = await store.append(main, entryOf("ours", ["Ours"]), cursor)
    expect(idsOf(appended.entries)).toEqual(["theirs", "ours"])
    expect(appended.restarted).toBe(true)
    expect(await store.load(main, appended.cursor)).toEqual({ entries: [], problems: [], cursor: appended.cursor })
  },

  "a sweep that takes the plan restarts its readers": async ({ store, put }) => {
    await put(main, ["Read"])
    const { cursor } = await store.load(main)
    await store.sweep(() => true)
    expect(await store.load(main, cursor)).toMatchObject({ entries: [], restarted: true })
  },

  "a sweep removes what a condition holds for, and nothing else": async ({ store, again, put }) => {
    for (const session of ["one", "two", "three"]) await put({ session, agent: "main" }, ["Read"])
    const { removed, problems } = await store.sweep(({ session }) => session !== "two")
    expect(removed.map(({ session }) => session).toSorted()).toEqual(["one", "three"])
    expect(problems).toEqual([])
    expect((await again().list()).plans.map(({ session }) => session)).toEqual(["two"])
    expect(contentsOf((await store.load({ session: "two", agent: "main" })).entries)).toEqual(["Read"])
    expect((await store.load({ session: "one", agent: "main" })).entries).toEqual([])
  },

  "a sweep is told the position of each plan": async ({ store, put }) => {
    await put(main, ["Read"])
    const before = await store.position(main)
    await put(main, ["Write"])
    expect((await store.sweep((_, position) => position === before)).removed).toEqual([])
    const now = await store.position(main)
    expect((await store.sweep((_, position) => position === now)).removed).toHaveLength(1)
  },

  "a sweep asks again right before a plan goes, and what was written meanwhile stays": async ({
    store,
    again,
    put,
  }) => {
    await put(main, ["Read"])
    const other = again()
    const written: Promise<unknown>[] = []
    const { removed } = await store.sweep(({ todos }) => {
      written.push(other.append(main, entryOf(`late-${written.length}`, ["Late"])))
      return todos === 1
    })
    await Promise.all(written)
    expect(removed).toEqual([])
    expect(contentsOf((await again().load(main)).entries)).toEqual(["Read", ...written.map(() => "Late")])
  },

  "a watcher hears whose plan changed, until it stops": async ({ store, put }) => {
    await put(main, ["Read"])
    const changedKeys: (PlanKey | undefined)[] = []
    const stop = await store.watch((key) => changedKeys.push(key))
    const long = { session: "l".repeat(300), agent: "main" }
    await put(main, ["Write"])
    await put(long, ["Rest"])
    await vi.waitFor(() => {
      expect(changedKeys).toContainEqual(main)
      expect(changedKeys).toContainEqual(long)
    }, waitOptions)
    await stop()
    const before = changedKeys.length
    await put(main, ["Sleep"])
    await store.load(main)
    expect(changedKeys).toHaveLength(before)
  },

  "a watcher hears of a plan that is removed": async ({ store, put }) => {
    await put(main, ["Read"])
    const changedKeys: (PlanKey | undefined)[] = []
    const stop = await store.watch((key) => changedKeys.push(key))
    await store.remove(main)
    await vi.waitFor(() => expect(changedKeys).toContainEqual(main), waitOptions)
    await stop()
  },

  "closing twice is harmless": async ({ store, put }) => {
    await put(main, ["Read"])
    await store.close()
    await store.close()
  },
} as const satisfies Record<string, Case>

export type StoreCase = keyof typeof cases

/** Runs every case on a fresh store. `skip` says why a store cannot do one. */
export const storeContract = (
  name: string,
  open: () => Promise<StoreUnderTest>,
  skip: Partial<Record<StoreCase, string>> = {},
): void => {
  describe(`the ${name} store`, () => {
    for (const [title, run] of Object.entries(cases)) {
      const reason = skip[title as StoreCase]
      if (reason === undefined) test(title, async () => run(await open()))
      else test.skip(`${title} (${reason})`)
    }
  })
}
