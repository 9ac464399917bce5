/** A component that follows a tracker: its own changes, those of others, and until it is gone. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Text } from "ink"
import { describe, expect, onTestFinished, test } from "vitest"
import { findDialect } from "../../src/dialects/index.ts"
import { openStore, type Store } from "../../src/stores/index.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { ChangeNotice, TodoList, usePlan } from "../../src/tui/index.ts"
import { live, settle } from "./live.tsx"

const dialect = findDialect("headway")
const add = (tracker: Tracker, content: string) =>
  tracker.write({ tool: "todo", input: { todos: [{ content }] } }, dialect)

const homeOf = (): string => {
  const home = mkdtempSync(join(tmpdir(), "headway-tui-"))
  onTestFinished(() => rmSync(home, { recursive: true }))
  return home
}

const openStoreOf: Record<string, () => Promise<Store>> = {
  memory: () => openStore("memory:"),
  file: () => openStore("file:", { home: homeOf() }),
}

const Count = ({ tracker }: { tracker: Tracker }) => <Text>{usePlan(tracker).todos.length} todos</Text>

describe.each(Object.entries(openStoreOf))("a tracker over a %s store", (_name, open) => {
  test("its own changes are drawn at once", async () => {
    const tracker = await openTracker({ store: await open(), session: "s" })
    const { frame } = await live(<TodoList plan={tracker} />)
    expect(frame()).toBe("")
    await settle(() => add(tracker, "Run the tests"))
    expect(frame()).toBe("☐ Run the tests")
  })

  test("changes of others are drawn too", async () => {
    const store = await open()
    const tracker = await openTracker({ store, session: "s" })
    const other = await openTracker({ store, session: "s" })
    const { frame, unmount } = await live(<Count tracker={tracker} />)
    const seen = new Promise((resolve) => tracker.subscribe(resolve))
    await settle(async () => {
      await add(other, "Run the tests")
      await seen
    })
    expect(frame()).toBe("1 todos")
    await unmount()
  })
})

test("earlier changes of others are drawn", async () => {
  const store = await openStore("memory:")
  const tracker = await openTracker({ store, session: "s" })
  await add(await openTracker({ store, session: "s" }), "Run the tests")
  expect(tracker.plan.todos).toEqual([])
  const { frame } = await live(<TodoList plan={tracker} />)
  expect(frame()).toBe("☐ Run the tests")
})

test("an unmounted component stops following, also before following has started", async () => {
  const store = await openStore("memory:")
  let watchers = 0
  const counted: Store = {
    ...store,
    async watch(listener) {
      watchers += 1
      const stop = await store.watch(listener)
      return async () => {
        watchers -= 1
        await stop()
      }
    },
  }
  const tracker = await openTracker({ store: counted, session: "s" })
  const { unmount, rerender } = await live(<TodoList plan={tracker} />)
  expect(watchers).toBe(1)
  await rerender(<TodoList plan={tracker.plan} />)
  expect(watchers).toBe(0)
  await rerender(<TodoList plan={tracker} />)
  await unmount()
  expect(watchers).toBe(0)
})

test("a store that cannot be watched is reported, and our own changes still show", async () => {
  const store = await openStore("memory:")
  const blind: Store = { ...store, watch: async () => Promise.reject(new Error("no ears")) }
  const tracker = await openTracker({ store: blind, session: "s" })
  const errors: unknown[] = []
  const Listening = () => <TodoList plan={usePlan(tracker, { onError: (cause) => errors.push(cause) })} />
  const { frame } = await live(<Listening />)
  expect(errors).toEqual([new Error("no ears")])
  await settle(() => add(tracker, "Run the tests"))
  expect(frame()).toBe("☐ Run the tests")
  expect(errors).toHaveLength(1)
})

test("G6 a tracker's change is all a notice needs", async () => {
  const tracker = await openTracker({ store: await openStore("memory:"), session: "s" })
  await add(tracker, "Run the tests")
  const change = new Promise<Parameters<Parameters<Tracker["subscribe"]>[0]>[0]>((resolve) =>
    tracker.subscribe(resolve),
  )
  await tracker.write({ tool: "todo", input: { todos: [{ id: "1", status: "completed" }] } }, dialect)
  const { frame } = await live(<ChangeNotice {...(await change)} isBrief />)
  expect(frame()).toBe('[Todo: "Run the tests" → completed]')
})
