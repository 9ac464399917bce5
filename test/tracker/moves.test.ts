/** One plan moved by several processes at once: nothing is lost, nothing doubled. */
import { beforeAll, describe, expect, test } from "vitest"
import { edits } from "../../src/plan/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { bundle } from "../stores/faults.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { moveTogether } from "../stores/together.ts"

const agent = { kind: "agent", id: "main" } as const

let program = ""
beforeAll(async () => {
  program = await bundle("mover.ts", temporaryFolder())
})

describe("processes that move a plan at once", () => {
  test.each([1, 2, 3])("to the same session bring it there once, round %i", { timeout: 60_000 }, async () => {
    const targets = Array.from({ length: 6 }, () => "new")
    const { begun, contents } = await moveTogether({ home: temporaryFolder(), program, targets })
    const added = targets.map((_, index) => `Added by m${index} after the move`)
    expect(contents.old).toEqual(begun)
    expect(contents.new?.toSorted()).toEqual([...begun, ...added].toSorted())
  })

  test("to different sessions bring it to each once", { timeout: 60_000 }, async () => {
    const targets = ["new", "newer", "new", "newer", "newest"]
    const { begun, contents } = await moveTogether({ home: temporaryFolder(), program, targets })
    expect(contents.old).toEqual(begun)
    for (const session of new Set(targets)) {
      const added = targets.flatMap((target, index) =>
        target === session ? [`Added by m${index} after the move`] : [],
      )
      expect(contents[session]?.toSorted()).toEqual([...begun, ...added].toSorted())
    }
  })
})

describe("a plan that has been moved already", () => {
  const opened = async (store = createMemoryStore()) => {
    const open = (session: string) => openTracker({ store, session })
    const first = await open("old")
    for (const content of ["Read", "Write", "Rest"]) await first.edit(agent, () => edits.add(content))
    return { open, first }
  }
  const contentsOf = ({ plan }: { plan: { todos: readonly { content: string }[] } }) =>
    plan.todos.map(({ content }) => content)

  test("is not reset by a process that moves it late", async () => {
    const { open, first } = await opened()
    const late = await open("old")
    await first.moveTo("new")
    await first.edit(agent, ({ todos }) => todos.slice(0, 1).flatMap(edits.remove))
    await first.edit(agent, ({ todos }) => todos.slice(0, 1).flatMap((todo) => edits.reword(todo, "Draft the page")))
    await first.edit(agent, () => edits.add("Sing"))
    await late.moveTo("new")
    expect(contentsOf(late)).toEqual(["Draft the page", "Rest", "Sing"])
    await first.refresh()
    expect(contentsOf(first)).toEqual(["Draft the page", "Rest", "Sing"])
  })

  test("gets what was added at its origin, and keeps what was added here", async () => {
    const { open, first } = await opened()
    const late = await open("old")
    await first.moveTo("new")
    await first.edit(agent, () => edits.add("Sing"))
    await late.edit(agent, () => edits.add("Dance"))
    await late.moveTo("new")
    expect(contentsOf(late)).toEqual(["Read", "Write", "Rest", "Sing", "Dance"])
  })

  test("moves back and forth without doubling, and includes the changes in between", async () => {
    const { first } = await opened()
    await first.moveTo("new")
    await first.edit(agent, ({ todos }) => todos.slice(0, 1).flatMap(edits.done))
    await first.moveTo("old")
    expect(first.plan.todos[0]?.status).toBe("completed")
    await first.edit(agent, ({ todos }) => todos.slice(1, 2).flatMap(edits.remove))
    await first.moveTo("new")
    expect(contentsOf(first)).toEqual(["Read", "Rest"])
    expect(first.plan.todos[0]?.status).toBe("completed")
  })
})
