/** The entries that wait to be delivered: a log for each plan in a home of files, removed once all of it is delivered. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { type Entry, entryVersion, HeadwayError } from "../../plan/index.ts"
import { keyText } from "../../plan/plan-key.ts"
import { createFileStore } from "../file/index.ts"
import type { Cursor, PlanKey, Store } from "../store.ts"
import type { DeliveryFolder } from "./folder.ts"
import type { Marks } from "./marks.ts"

export type Outbox = {
  store: Store
  /** Resolves when the entry is durable. */
  add(key: PlanKey, entry: Entry): Promise<void>
  /** The waiting entries of a plan, in order. */
  waiting(key: PlanKey): Promise<Waiting>
  /** Records that the first waiting entries were delivered, and removes the log if none were added in the meantime. */
  delivered(key: PlanKey, waiting: Waiting): Promise<void>
  /** The plans of which something waits, or was delivered a moment ago. */
  keys(): Promise<PlanKey[]>
  /** Whether anything may be waiting, by reading one folder. */
  isEmpty(): boolean
}

export type Waiting = {
  entries: Entry[]
  /** How many were delivered before these. */
  before: number
  cursor: Cursor | undefined
  position: string | undefined
}

/** The first entry of each log says whose it is, for names too long to be the name of a file. It is never delivered. */
const opening = "outbox"

export const openOutbox = ({ outbox: home }: DeliveryFolder, person: string, marks: Marks): Outbox => {
  const store = createFileStore({ home, person })
  const journals = join(home, "journal")
  /** The part of each log that was read, because it may be long. */
  const read = new Map<string, { cursor: Cursor; entries: Entry[] }>()

  const refresh = async (key: PlanKey): Promise<{ cursor: Cursor; entries: Entry[] }> => {
    const known = read.get(keyText(key))
    const loaded = await store.load(key, known?.cursor)
    const entries = loaded.entries.filter(({ id }) => id !== opening)
    const next = {
      cursor: loaded.cursor,
      entries: known && !loaded.restarted ? [...known.entries, ...entries] : entries,
    }
    if (next.entries.length > 0) read.set(keyText(key), next)
    else read.delete(keyText(key))
    return next
  }

  return {
    store,
    async add(key, entry) {
      for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
        const known = read.get(keyText(key)) ?? (await refresh(key))
        const isBegun = known.entries.length > 0
        const loaded = isBegun
          ? await store.append(key, entry, known.cursor)
          : await store.appendLines(key, [openingOf(key, entry.at), entry])
        // If everything was delivered in the meantime, the log is gone and is started again.
        if (loaded.restarted || !isBegun) read.delete(keyText(key))
        else {
          const { cursor } = loaded
          read.set(keyText(key), { cursor, entries: [...known.entries, ...loaded.entries.filter(isToDeliver)] })
        }
        if (loaded.entries.some(({ id }) => id === entry.id)) return
      }
      throw new HeadwayError("not-acknowledged", `The change was written to ${home} but could not be read back.`)
    },
    async waiting(key) {
      const position = await store.position(key)
      const { entries, cursor } = await refresh(key)
      if (entries.length === 0) return { entries, before: 0, cursor: undefined, position }
      const { delivered } = marks.read(key) ?? {}
      const before = delivered && delivered.first === entries[0]?.id ? delivered.count : 0
      return { entries: entries.slice(before), before, cursor, position }
    },
    async delivered(key, { position }) {
      if (position === undefined) return
      const isIt = ({ session, agent }: PlanKey): boolean => session === key.session && agent === key.agent
      const { removed } = await store.sweep((plan, now) => isIt(plan) && now === position)
      if (removed.length > 0) read.delete(keyText(key))
    },
    keys: async () => (await store.list()).plans.map(({ session, agent }) => ({ session, agent })),
    isEmpty() {
      try {
        return !readdirSync(journals).some((name) => name.endsWith(".jsonl") || name.includes(".jsonl.gone-"))
      } catch {
        return true
      }
    },
  }
}

const mostAttempts = 5

const isToDeliver = ({ id }: Entry): boolean => id !== opening

const openingOf = (key: PlanKey, at: string): Entry => ({
  v: entryVersion,
  id: opening,
  at,
  by: { kind: "system", id: "headway" },
  events: [{ type: "plan-opened", session: key.session, agent: key.agent }],
})
