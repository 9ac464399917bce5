/** Trackers as the tests open them: a clock that goes on by a minute with each entry, and ids in order. */
import { dialects } from "../../src/dialects/index.ts"
import type { Actor } from "../../src/plan/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import type { Tracker, TrackerOptions } from "../../src/tracker/tracker.ts"
import type { Written } from "../../src/tracker/written.ts"

export const person: Actor = { kind: "person", id: "ada" }
export const agent: Actor = { kind: "agent", id: "main" }

export const createClock = (): { now: () => Date; pass: (minutes: number) => void } => {
  let minutes = 0
  return {
    now: () => {
      minutes += 1
      return new Date(Date.UTC(2030, 0, 1, 0, minutes))
    },
    pass: (more) => {
      minutes += more
    },
  }
}

export const open = async (options: Partial<TrackerOptions> = {}): Promise<Tracker> => {
  const { store = createMemoryStore(), now = createClock().now } = options
  return openTracker({ session: "s", ...options, store, now })
}

type Item = { id?: string; content?: string; status?: string } & Record<string, unknown>

/** A call of TodoWrite: the whole list, as an agent sees it. */
export const todoWrite = (tracker: Tracker, todos: readonly Item[], callId?: string): Promise<Written> =>
  tracker.write(
    { tool: "TodoWrite", input: { todos }, ...(callId === undefined ? {} : { callId }) },
    dialects["claude-todos"],
  )

/** A call of our own tool: a patch. */
export const patch = (tracker: Tracker, todos: readonly Item[], more: object = {}): Promise<Written> =>
  tracker.write({ tool: "todo", input: { todos, ...more } }, dialects.headway)

export const contentsOf = ({ plan }: Pick<Tracker, "plan">): string[] => plan.todos.map(({ content }) => content)

export const pending = (...contents: string[]): Item[] => contents.map((content) => ({ content, status: "pending" }))
