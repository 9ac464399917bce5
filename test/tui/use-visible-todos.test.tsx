/** Finished todos leave a host's screen after a delay (O13), and those of an earlier session at once (O14). */
import { expect, test } from "vitest"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { TodoList, useVisibleTodos } from "../../src/tui/index.ts"
import { todoWrite } from "../tracker/open.ts"
import { unstyled } from "./draw.tsx"
import { live, settle } from "./live.tsx"

const done = { content: "Read", status: "completed" }
const left = { content: "Write", status: "pending" }

const openList = async (clearDelay: number | undefined) => {
  let time = Date.parse("2030-01-01T00:00:00Z")
  const now = (): Date => new Date(time)
  const tracker = await openTracker({ store: createMemoryStore(), session: "s", now })
  const Screen = ({ source }: { source: Tracker }) => <TodoList plan={useVisibleTodos(source, { clearDelay, now })} />
  const screen = await live(<Screen source={tracker} />)
  await settle(() => todoWrite(tracker, [done, left]))
  return {
    tracker,
    after: async (seconds: number): Promise<string> => {
      time += seconds * 1000
      await screen.rerender(<Screen source={tracker} />)
      return unstyled(screen.frame())
    },
  }
}

test.each([
  [undefined, 59, "☒ Read\n☐ Write"],
  [undefined, 60, "☐ Write"],
  [5, 4, "☒ Read\n☐ Write"],
  [5, 5, "☐ Write"],
  [0, 0, "☐ Write"],
  [-1, 1_000_000, "☒ Read\n☐ Write"],
])("O13 with a delay of %j seconds, after %d the screen shows %j", async (delay, seconds, shown) => {
  const { after, tracker } = await openList(delay)
  expect(await after(seconds)).toBe(shown)
  expect(tracker.plan.todos).toHaveLength(2)
})

test("O14 what was finished before the session was resumed is not shown", async () => {
  const { after, tracker } = await openList(-1)
  await settle(() => tracker.restore("resume"))
  expect(await after(0)).toBe("☐ Write")
})
