/** The stores and plans a command has opened: shared within the command, and always closed when it ends. */
import { messageOf } from "../plan/headway-error.ts"
import type { Store } from "../stores/store.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { Io } from "./io.ts"
import { say } from "./output/say.ts"

export type Opened = {
  /** The store of this name, opened on first use. */
  store(name: string, open: () => Promise<Store>): Promise<Store>
  /** Registers a plan to be closed, and so published, with the command. */
  plan(tracker: Promise<Tracker>): Promise<Tracker>
  /** What was reported while it ran. Kept here, because a module may be there several times in the built program. */
  reported: Set<string>
  /** Plans first, then their stores. Resolves with what went wrong; never rejects. */
  close(): Promise<unknown[]>
}

/** Runs an action of a command, which need not close anything itself. */
export const withOpened = async (io: Io, action: (opened: Opened) => Promise<number>): Promise<number> => {
  const opened = createOpened()
  try {
    return await action(opened)
  } finally {
    // The work is done, so a store that cannot be closed does not make the command fail.
    for (const cause of await opened.close()) say(io, messageOf(cause))
  }
}

export const createOpened = (): Opened => {
  const stores = new Map<string, Promise<Store>>()
  const trackers = new Set<Tracker>()

  /** A store that could not be opened has already reported that, and needs no closing. */
  const closeStore = async (opening: Promise<Store>): Promise<void> => (await opening.catch(() => undefined))?.close()

  return {
    store(name, open) {
      const store = stores.get(name) ?? open()
      stores.set(name, store)
      return store
    },
    async plan(opening) {
      const tracker = await opening
      trackers.add(tracker)
      return tracker
    },
    reported: new Set(),
    async close() {
      const plans = await Promise.allSettled([...trackers].map((tracker) => tracker.close()))
      const closed = await Promise.allSettled([...stores.values()].map(closeStore))
      trackers.clear()
      stores.clear()
      return [...plans, ...closed].flatMap((one) => (one.status === "rejected" ? [one.reason] : []))
    },
  }
}
