/** Keeps the published list in step with the plan: at once for a small one, in merged bursts for a large one. */
import { isPlanChange, messageOf, type Plan, type PlanEvent, type Problem, warning } from "../plan/index.ts"
import type { InPlaceChange } from "../stores/store.ts"

export type PublisherOptions = {
  current: () => Plan
  publish: (plan: Plan, change?: InPlaceChange) => Promise<Problem | undefined>
  /** Reads what other processes wrote, so that a list published over theirs is published again. */
  catchUp: () => Promise<void>
  /** Queues the action, because reading the log must not overlap with a write. */
  inOrder: (action: () => Promise<void>) => Promise<void>
  onProblem: (problem: Problem) => void
}

export type Publisher = {
  /** Receives every change of the plan, starting from a revision. */
  saw(from: number, events: readonly PlanEvent[]): void
  /** Another plan, or one read from its start: the changes received so far say nothing about the file. */
  reset(): void
  /** The plan was changed by this process. */
  changed(): Promise<void>
  /**
   * The plan was opened: an outdated file left by a crash is updated soon, at the latest by `flush` or the first
   * change.
   */
  check(): void
  /** The plan is about to be changed by this process: until then, the list can be compared with it. */
  changing(): Promise<void>
  flush(): Promise<void>
}

/** For a store that publishes nothing: what others wrote need not be read for it. */
export const noPublisher: Publisher = {
  saw() {},
  reset() {},
  check() {},
  async changed() {},
  async changing() {},
  async flush() {},
}

/** From this many todos on, publishing costs more than a write and bursts are merged. */
const largePlan = 500
const burst = 50
const longestBurst = 1_000

/** Lists still to be published. One listener at the exit serves all of them: a process may have many plans open. */
const unpublished = new Set<() => void>()
let listensToExit = false

const publishAtExit = (): void => {
  for (const publishNow of unpublished) publishNow()
}

export const createPublisher = ({ current, publish, catchUp, inOrder, onProblem }: PublisherOptions): Publisher => {
  let state: "clean" | "unchecked" | "dirty" = "clean"
  let timer: NodeJS.Timeout | undefined
  let lastFlush = Date.now()
  /** The changes since the last publication, if todos only changed in place or were added. */
  let change: { from: number; ids: Set<string> } | "more" | undefined
  const inPlace = (): InPlaceChange | undefined => (change === "more" ? undefined : change)

  const onExit = (): void => {
    // A store publishes synchronously, so this is done before the process exits.
    if (state === "dirty") publish(current(), inPlace()).catch(() => {})
  }

  const flush = async (): Promise<void> => {
    lastFlush = Date.now()
    clearTimeout(timer)
    timer = undefined
    unpublished.delete(onExit)
    const isOurs = state === "dirty"
    try {
      while (state !== "clean") {
        const plan = current()
        const problem = await publish(plan, inPlace())
        if (problem) onProblem(problem)
        change = undefined
        await catchUp()
        if (current().revision === plan.revision) state = "clean"
      }
    } catch (cause) {
      state = "clean"
      // The log is authoritative, so a failure here loses nothing and a mere reader need not be told.
      if (isOurs) onProblem(warning("not-published", messageOf(cause)))
    }
  }

  const soon = (): void => {
    if (timer) return
    if (!listensToExit) process.on("exit", publishAtExit)
    listensToExit = true
    unpublished.add(onExit)
    timer = setTimeout(() => void inOrder(flush), burst)
    timer.unref()
  }

  return {
    saw(from, events) {
      for (const event of events) {
        if (!isPlanChange(event)) continue
        const id = event.type === "todo-changed" ? event.id : event.type === "todo-added" ? event.todo.id : undefined
        if (id === undefined) change = "more"
        if (change === "more" || id === undefined) return
        change ??= { from, ids: new Set() }
        change.ids.add(id)
      }
    },
    reset() {
      change = undefined
    },
    async changing() {
      if (state === "unchecked") await flush()
    },
    async changed() {
      state = "dirty"
      // A loop that only writes would never let the timer fire.
      const isOverdue = Date.now() - lastFlush > longestBurst
      if (current().todos.length < largePlan || isOverdue) return flush()
      soon()
    },
    check() {
      if (state === "clean") state = "unchecked"
      soon()
    },
    flush,
  }
}
