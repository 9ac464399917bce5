/** A store that can be cut off, as a database behind a network can: what is asked then is refused, or never answered. */
import { HeadwayError } from "../../src/plan/index.ts"
import type { Store } from "../../src/stores/store.ts"

export type CutOff = {
  /** Opens it, as often as wanted; rejects while it is cut off. */
  open: () => Promise<Store>
  /** How often something was asked of it, answered or not. */
  asked: number
  cut(): void
  /** From now on nothing is answered at all. */
  silence(): void
  restore(): void
  /** What else can go wrong with an append: called before each, and may throw. */
  onAppend: (ids: readonly string[]) => void
}

export const cutOff = (store: Store): CutOff => {
  let state: "open" | "cut" | "silent" = "open"
  const control: CutOff = {
    asked: 0,
    onAppend: () => {},
    open: async () => {
      await pass()
      return guarded
    },
    cut: () => {
      state = "cut"
    },
    silence: () => {
      state = "silent"
    },
    restore: () => {
      state = "open"
    },
  }
  const pass = async (): Promise<void> => {
    control.asked += 1
    if (state === "cut") throw new HeadwayError("store-away", "The database cannot be reached.")
    if (state === "silent") await new Promise(() => {})
  }
  /** As the database has it: an entry that it knows is not written again. */
  const append: Store["append"] = async (key, entry, from) => {
    await pass()
    control.onAppend([entry.id])
    const known = (await store.load(key)).entries.some(({ id }) => id === entry.id)
    if (known) return store.load(key, from)
    const loaded = await store.append(key, entry, from)
    // It was written, and the answer is lost on the way.
    await pass()
    return loaded
  }
  const guarded: Store = {
    ...store,
    append,
    async load(key, from) {
      await pass()
      return store.load(key, from)
    },
    async list(filter) {
      await pass()
      return store.list(filter)
    },
    async position(key) {
      await pass()
      return store.position(key)
    },
    async remove(key) {
      await pass()
      return store.remove(key)
    },
    async sweep(condition) {
      await pass()
      return store.sweep(condition)
    },
    async watch(listener, onProblem) {
      await pass()
      return store.watch((key) => {
        if (state === "open") listener(key)
      }, onProblem)
    },
    async close() {},
  }
  delete guarded.appendAll
  return control
}
