/** What a watcher is told when more than one plan may have changed, and when it cannot watch. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { watchKeptPlans } from "../../src/board/kept-plans.ts"
import { edits, type Problem, warning } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { createRootStore } from "../../src/stores/root.ts"
import type { PlanKey, Store } from "../../src/stores/store.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { entryOf } from "../contracts/store.ts"
import { temporaryFolder } from "./temporary.ts"

/** Another process, or the system, may be slow to tell. */
const waitOptions = { timeout: 30_000, interval: 10 }

const person = { kind: "person", id: "ada" } as const
const key: PlanKey = { session: "s", agent: "main" }

describe("a folder that is removed and made again", () => {
  test("is reported as a change of any plan, and watched again", async () => {
    const home = temporaryFolder()
    const store = createFileStore({ home })
    await store.append(key, entryOf("e", ["Read"]))
    const changedKeys: (PlanKey | undefined)[] = []
    onTestFinished(await store.watch((changed) => changedKeys.push(changed)))
    rmSync(join(home, "journal"), { recursive: true })
    await vi.waitFor(() => expect(changedKeys).toContain(undefined), waitOptions)
    // Until it is watched again, what happens in it is told as a change of any plan.
    let count = 0
    await vi.waitFor(async () => {
      count += 1
      await createFileStore({ home }).append({ session: "other", agent: "main" }, entryOf(`e${count}`, ["Write"]))
      expect(changedKeys).toContainEqual({ session: "other", agent: "main" })
    }, waitOptions)
  })

  test("is watched when it appears, where there was none", async () => {
    const root = temporaryFolder()
    const changedKeys: (PlanKey | undefined)[] = []
    onTestFinished(await createRootStore({ root }).watch((changed) => changedKeys.push(changed)))
    mkdirSync(join(root, "made"))
    writeFileSync(join(root, "made", "s-agent-main.json"), '[{"content":"Read"}]')
    renameSync(join(root, "made"), join(root, "todos"))
    await vi.waitFor(() => expect(changedKeys).toContain(undefined), waitOptions)
    writeFileSync(join(root, "todos", "t-agent-main.json"), '[{"content":"Read"}]')
    await vi.waitFor(() => expect(changedKeys).toContainEqual({ session: "t", agent: "main" }), waitOptions)
  })
})

/** A store whose watcher is called by hand. */
const watchedByHand = (): { store: Store; tell: (changed?: PlanKey) => void; fail: (problem: Problem) => void } => {
  const inner = createMemoryStore()
  const listeners = new Set<(changed?: PlanKey) => void>()
  const problems = new Set<(problem: Problem) => void>()
  const store: Store = {
    ...inner,
    async watch(listener, onProblem = () => {}) {
      listeners.add(listener)
      problems.add(onProblem)
      return async () => {}
    },
  }
  const tell = (changed?: PlanKey): void => {
    for (const listener of listeners) listener(changed)
  }
  const fail = (problem: Problem): void => {
    for (const report of problems) report(problem)
  }
  return { store, tell, fail }
}

describe("a change of any plan", () => {
  test("makes a tracker read on, and reports what its store cannot watch", async () => {
    const { store, tell, fail } = watchedByHand()
    const problems: Problem[] = []
    const tracker = await openTracker({ store, ...key, onProblem: (problem) => problems.push(problem) })
    await tracker.follow()
    await (await openTracker({ store, ...key })).edit(person, () => edits.add("Read"))
    tell({ session: "other", agent: "main" })
    tell()
    await vi.waitFor(() => expect(tracker.plan.todos).toHaveLength(1), waitOptions)
    fail(warning("not-watched", "The connection was lost."))
    expect(problems).toEqual([warning("not-watched", "The connection was lost.")])
  })

  test("makes a board read on in open plans, and list the rest", async () => {
    const { store, tell, fail } = watchedByHand()
    const problems: (Problem | undefined)[] = []
    const kept = await watchKeptPlans({
      store,
      now: () => new Date(),
      onChange: () => {},
      onProblem: (problem) => problems.push(problem),
      log: () => {},
    })
    onTestFinished(kept.close)
    const open = await kept.open(key)
    await (await openTracker({ store, ...key })).edit(person, () => edits.add("Read"))
    await (await openTracker({ store, session: "new" })).edit(person, () => edits.add("Write"))
    tell()
    await vi.waitFor(() => expect([open.plan.todos.length, kept.summaries.size]).toEqual([1, 2]), waitOptions)
    fail(warning("not-watched", "The connection was lost."))
    expect(problems.at(-1)).toEqual(warning("not-watched", "The connection was lost."))
  })
})
