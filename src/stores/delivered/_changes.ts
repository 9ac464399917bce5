/** Appends an entry: it is kept here and delivered later, unless it counts only once the remote store has it. */
import type { Entry, Writer } from "../../plan/index.ts"
import type { Loaded, PlanKey, Store } from "../store.ts"
import type { CopyHere } from "./_copy-here.ts"
import { placeOf } from "./_joined-log.ts"
import type { Connection } from "./connection/connection.ts"
import type { ExchangeQueue } from "./exchange/queue.ts"

export type ChangesOptions = {
  here: CopyHere
  connection: Connection
  queue: ExchangeQueue
  refresh: (key: PlanKey) => Promise<void>
  /** The plan has an entry that waits. */
  wrote: (key: PlanKey) => void
  /** The writer, recorded with each entry. */
  writer: Writer | (() => Promise<Writer>) | undefined
}

export const createChanges = (options: ChangesOptions): Pick<Store, "append"> => {
  const { here, connection, queue, refresh, wrote, writer } = options
  const { log, outbox, own, position } = here

  const stamped = async (key: PlanKey, entry: Entry): Promise<Entry> => {
    if (!writer || entry.from) return own.sealed(key, entry)
    return own.sealed(key, { ...entry, from: typeof writer === "function" ? await writer() : writer })
  }

  /** Others could claim the same todo in the meantime, so a claim counts only in the shared log. */
  const claim = async (key: PlanKey, entry: Entry, from: object | undefined): Promise<Loaded> => {
    const until = performance.now() + connection.requestTimeout
    await connection.reachable((_, decided) => queue.add(key, { entry, until, decided }), "a todo cannot be claimed")
    return log.load(key, from)
  }

  return {
    async append(key, given, from) {
      await connection.assertWritable()
      await refresh(key)
      const entry = await stamped(key, given)
      if (placeOf(from).isBegun && (await position(key)) === undefined) return log.load(key, from)
      if (entry.events.some(({ type }) => type === "todo-claimed")) return claim(key, entry, from)
      await outbox.add(key, entry)
      wrote(key)
      return log.load(key, from)
    },
  }
}
