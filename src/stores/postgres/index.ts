/** A team's plans in PostgreSQL: one log per plan, ordered by the database, with summaries and snapshots next to it. */
import type { Entry } from "../../plan/index.ts"
import type { Loaded, PlanKey, Store } from "../store.ts"
import { type Address, readAddress } from "./address.ts"
import { findDamage } from "./damage.ts"
import { type DatabaseOptions, openDatabase } from "./database.ts"
import { keyDigest } from "./keys.ts"
import { createLog, placeOf } from "./log.ts"
import { createNotices } from "./notices.ts"
import { mayWriteIn } from "./roles.ts"
import { createSnapshots } from "./snapshots.ts"
import { createSummaries } from "./summaries.ts"
import { positionOf, sweepPlans } from "./sweep.ts"
import { underWayAt } from "./under-way.ts"
import { watchPlans } from "./watch.ts"

export type PostgresStoreOptions = DatabaseOptions & {
  url: string
  /** Milliseconds between two polls for changes, without and with notifications. */
  everyUnheard?: number
  everyHeard?: number
}

/** Connects on demand. */
export const createPostgresStore = ({ url, mayCreate, greetEvery, ...watching }: PostgresStoreOptions): Store => {
  const address: Address = readAddress(url)
  const database = openDatabase(address, {
    ...(mayCreate === undefined ? {} : { mayCreate }),
    ...(greetEvery === undefined ? {} : { greetEvery }),
  })
  const { query, schema } = database
  const log = createLog(database)
  const snapshots = createSnapshots(database)
  const summaries = createSummaries(database, log, snapshots)
  const notices = createNotices(database)
  const stops = new Set<() => Promise<void>>()
  const underWay = underWayAt(`${address.host}:${address.port}/${address.database}/${schema}`)

  const written = async (key: PlanKey, loading: Promise<Loaded>): Promise<Loaded> => {
    const loaded = await underWay.note(keyDigest(key), loading)
    notices.add(key)
    return loaded
  }

  return {
    name: address.name,
    isPersistent: true,
    hasPlainCursors: true,
    async mayWrite() {
      const [row] = await query(`select ${mayWriteIn(schema)} as may`)
      return row?.may === true
    },
    async identity() {
      const [row] = await query(`select place::text from ${schema}.about`)
      return typeof row?.place === "string" ? row.place : undefined
    },
    load: (key, from) => log.load(key, placeOf(from)),
    append: (key: PlanKey, entry: Entry, from) => written(key, log.append(key, entry, placeOf(from))),
    async appendNext(key, entry, from) {
      const loaded = await underWay.note(keyDigest(key), log.appendNext(key, entry, placeOf(from)))
      if (loaded.entries.some(({ id }) => id === entry.id)) notices.add(key)
      return loaded
    },
    appendAll: (key, entries, from, wait) => written(key, log.appendAll(key, entries, placeOf(from), wait)),
    list: summaries.list,
    findDamage: () => findDamage(database),
    async position(key) {
      const [row] = await query(`select id, last from ${schema}.plans where key = $1::uuid`, [keyDigest(key)])
      return row && positionOf({ log: Number(row.id), seq: Number(row.last), bytes: 0 })
    },
    async keepSummary(_, summary, cursor) {
      summaries.keep(summary, placeOf(cursor))
    },
    wantsSnapshot: (_, cursor) => snapshots.wants(placeOf(cursor)),
    readSnapshot: snapshots.read,
    writeSnapshot: (_, { cursor, state }) => snapshots.write(placeOf(cursor), state),
    async watch(listener, onProblem) {
      const stop = await watchPlans(database, { ...watching, listener, onProblem })
      stops.add(stop)
      return async () => {
        stops.delete(stop)
        await stop()
      }
    },
    async remove(key) {
      const [row] = await query(`select ${schema}.remove_plan($1::uuid, null, null) as done`, [keyDigest(key)])
      if (row?.done) notices.add(key)
    },
    sweep: (condition) =>
      sweepPlans(database, {
        condition,
        summaries,
        whenWritten: (key) => underWay.over(keyDigest(key)),
        removed: notices.add,
      }),
    async close() {
      await Promise.all([...stops].map((stop) => stop()))
      stops.clear()
      await Promise.all([summaries.flush(), notices.flush()])
      await database.close()
    },
  }
}

export { withoutPassword } from "./address.ts"
export { type DatabaseState, inspectDatabase, migrateDatabase } from "./inspect.ts"
export { type RoleScriptOptions, roleScript } from "./roles.ts"
