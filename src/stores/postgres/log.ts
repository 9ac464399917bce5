/** The log of a plan as rows: reads from a cursor, appends in the order given by the database. */
import { type Entry, HeadwayError, type Problem, readEntry, warning } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import type { Cursor, Loaded, PlanKey } from "../store.ts"
import { createAppends } from "./appends.ts"
import type { Database, Row } from "./database.ts"
import { isFunctionMissing, isThereAlready } from "./errors.ts"
import { idDigest, keyDigest, keyTexts } from "./keys.ts"
import { schemaWithNext } from "./schema.ts"

/**
 * Which log, how many entries of it, and how many characters those were. Another log of the same plan has another number.
 * `id` is that of the last entry: a database that was restored from a backup may have another one there.
 */
export type Place = { log: number; seq: number; bytes: number; id?: string }

export const start: Place = { log: 0, seq: 0, bytes: 0 }

/** A cursor from a caller: anything that is not ours means the start. */
export const placeOf = (cursor: Cursor | undefined): Place =>
  cursor && "log" in cursor && "seq" in cursor && isPlace(cursor as Place) ? (cursor as Place) : start

/** It may come from a file. */
const isPlace = ({ log, seq, bytes, id }: Place): boolean =>
  [log, seq, bytes].every((number) => Number.isSafeInteger(number) && number >= 0) &&
  (id === undefined || (typeof id === "string" && /^[\da-f]{32}$/.test(id)))

/** Rows that are read at a time: a long log is not held in memory twice. */
const batch = 2_000

/** The same in bytes: one more is begun while there is room. */
const batchBytes = 32 << 20

/** In bytes. No entry is longer, as in a journal of files; one that is was not written by Headway, and is not even fetched. */
const longestEntry = 64 << 20

/** How often a log may be removed or replaced while it is read. */
const mostRestarts = 100

export type PlanLog = {
  load(key: PlanKey, from: Place): Promise<Loaded>
  append(key: PlanKey, entry: Entry, from: Place): Promise<Loaded>
  appendNext(key: PlanKey, entry: Entry, from: Place): Promise<Loaded>
  appendAll(key: PlanKey, entries: readonly Entry[], from: Place, wait?: number): Promise<Loaded>
}

export const createLog = ({ query, schema, address, version }: Database): PlanLog => {
  const send = createAppends({ query, schema })
  const loadText = `select p.id as log, p.last, c.is_same, e.seq, e.id, e.entry from ${schema}.plans p cross join lateral (
      select p.id = $2::bigint and ($4::uuid is null or exists (
        select from ${schema}.entries where plan = p.id and seq = $3::bigint and id = $4::uuid)) as is_same
    ) c left join lateral (
      select seq, id, case when size <= ${longestEntry} then entry else '' end as entry from (
        select seq, id::text, entry, pg_catalog.octet_length(entry) as size,
          pg_catalog.sum(least(pg_catalog.octet_length(entry), ${longestEntry})) over (order by seq) as upto
        from (select * from ${schema}.entries
          where plan = p.id and seq > case when c.is_same then $3::bigint else 0 end order by seq limit ${batch}) a
      ) b where upto - least(size, ${longestEntry}) < ${batchBytes}
    ) e on true where p.key = $1::uuid order by e.seq`
  const appendAllText = `select * from ${schema}.append_all($1::uuid, $2, $3, $4::text::json, $5::bigint)`
  // A server does not notice that a client is gone while it waits for a lock, and would write afterwards.
  const appendAllInTimeText = `select a.* from (
      select pg_catalog.set_config('lock_timeout', $6, true) as wait offset 0
    ) s cross join lateral ${schema}.append_all($1::uuid, $2, $3, $4::text::json,
      case when s.wait is null then null else $5::bigint end) a`

  const load = async (key: PlanKey, from: Place): Promise<Loaded> => {
    const digest = keyDigest(key)
    let reading = createReading(from, address.name)
    let isReplaced = false
    for (let restarts = 0; ; ) {
      const { log, seq, id } = reading.place
      const rows = await query(loadText, [digest, log, seq, id ?? null])
      const [first] = rows
      if (!first) return nothingLeft(from)
      // It was removed and started again before or during the read, or the database was restored from a backup.
      if (log !== 0 && !first.is_same) {
        isReplaced = Number(first.log) === log
        reading = createReading(start, address.name)
        restarts += 1
      }
      const before = reading.place.seq
      for (const row of rows) reading.take(Number(row.log), row)
      reading.reach(Number(first.log))
      if (first.seq === null || reading.place.seq >= Number(first.last)) break
      if (!(reading.place.seq > before) || restarts > mostRestarts)
        throw new HeadwayError("store-away", `${address.name} sends the same entries of a plan again and again.`)
    }
    return { ...reading.loaded(from), ...(isReplaced ? { restarted: true, isReplaced } : {}) }
  }

  const put = async (key: PlanKey, entry: Entry, from: Place, isNext: boolean): Promise<Loaded> => {
    const text = textOf(entry)
    const id = idDigest(entry.id)
    try {
      const sending = send({ key: keyTexts(key), id, text, from, isNext })
      const own = readMeanwhile(text)
      const appended = await sending
      if (!appended) return nothingLeft(from)
      const { log, seq, isWritten, came } = appended
      // Others came before it, or it is not the log that was read.
      if (!came) return await load(key, from)
      const reading = createReading(from, address.name)
      for (const row of came) reading.take(log, row)
      if (isWritten) reading.take(log, { seq, id, entry: text }, own())
      return reading.loaded(from)
    } catch (cause) {
      if (!isThereAlready(cause)) throw cause
      return { ...(await load(key, from)), hadEntry: true }
    }
  }

  return {
    load,
    append: (key, entry, from) => put(key, entry, from, false),
    async appendNext(key, entry, from) {
      try {
        if ((await version()) >= schemaWithNext) return await put(key, entry, from, true)
      } catch (cause) {
        if (!isFunctionMissing(cause)) throw cause
      }
      const read = await load(key, from)
      return read.cursor === from ? put(key, entry, from, false) : read
    },
    async appendAll(key, entries, from, wait) {
      const unique = new Map(entries.map((entry) => [idDigest(entry.id), textOf(entry)]))
      const { digest, session, agent } = keyTexts(key)
      const values = [digest, session, agent, JSON.stringify([...unique]), from.seq]
      const [head] =
        wait === undefined
          ? await query(appendAllText, values)
          : await query(appendAllInTimeText, [...values, String(Math.max(1, Math.round(wait)))])
      return head ? load(key, from) : nothingLeft(from)
    },
  }
}

/** For a log that is gone. */
const nothingLeft = ({ seq }: Place): Loaded => ({
  entries: [],
  cursor: start,
  problems: [],
  ...(seq > 0 ? { restarted: true } : {}),
})

const textOf = (entry: Entry): string => {
  const text = JSON.stringify(entry)
  if (text.length > longestEntry / 3 && Buffer.byteLength(text) > longestEntry)
    throw new HeadwayError(
      "entry-too-long",
      `A change of ${text.length} characters is too long for a log: send it in parts.`,
    )
  return text
}

type Reading = {
  readonly place: Place
  /** `read` is what its text says, where that is known already. */
  take(log: number, row: Row, read?: ReadText): void
  /** It is this log that was read, also where it had nothing more. */
  reach(log: number): void
  loaded(from: Place): Loaded
}

type ReadText = { value: unknown; entry: ReturnType<typeof readEntry> }

const readText = (text: string): ReadText => {
  const value = parseJson(text)
  return { value, entry: readEntry(value) }
}

/** Reads an entry back while the database writes it: the driver sends a statement at the end of the turn that asks for it. */
const readMeanwhile = (text: string): (() => ReadText) => {
  let read: ReadText | undefined
  setImmediate(() =>
    setImmediate(() => {
      read ??= readText(text)
    }),
  )
  return () => {
    read ??= readText(text)
    return read
  }
}

const createReading = (from: Place, name: string): Reading => {
  let place = from
  const entries: Entry[] = []
  const skipped = { unreadable: 0, future: 0, partly: 0, missing: 0 }
  return {
    get place() {
      return place
    },
    take(log, { seq, id, entry: text }, read) {
      if (typeof text !== "string") return
      skipped.missing += Number(seq) - place.seq - 1
      place = { log, seq: Number(seq), bytes: place.bytes + text.length, id: String(id).replaceAll("-", "") }
      const { value, entry } = read ?? readText(text)
      if (entry === undefined) skipped.unreadable += 1
      else if (entry === "future") skipped.future += 1
      else {
        entries.push(entry)
        if (entry !== value) skipped.partly += 1
      }
    },
    reach(log) {
      if (place.log !== log) place = { ...place, log }
    },
    loaded: (asked) => {
      const isSame = place.log === asked.log && place.seq === asked.seq
      return {
        entries,
        cursor: isSame ? asked : place,
        problems: isEmpty(skipped) ? [] : problemsOf(name, skipped),
        ...(asked.seq > 0 && place.log !== asked.log ? { restarted: true } : {}),
      }
    },
  }
}

type Skipped = { unreadable: number; future: number; partly: number; missing: number }

const isEmpty = ({ unreadable, future, partly, missing }: Skipped): boolean =>
  unreadable + future + partly + missing === 0

const problemsOf = (name: string, { unreadable, future, partly, missing }: Skipped): Problem[] => {
  const told = (count: number, code: string, what: string): Problem[] =>
    count > 0 ? [warning(code, `${count} ${count > 1 ? "entries" : "entry"} of a plan in ${name} ${what}`)] : []
  return [
    ...told(unreadable, "unreadable-entries", "could not be read and were left out; they are kept unchanged."),
    ...told(missing, "missing-entries", "are missing: they were removed from the table by hand."),
    ...told(future, "future-entries", "came from a newer Headway and were left out; update to see them."),
    ...told(partly, "unknown-events", "hold changes of a kind this Headway does not know; the rest was read."),
  ]
}
