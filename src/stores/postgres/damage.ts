/** Finds what was changed in the tables by hand, as far as they show it: counters, keys, ids, and the order of entries. */

import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import type { Damage } from "../store.ts"
import type { Database, Row } from "./database.ts"
import { idDigest, keyDigest, unescaped } from "./keys.ts"

/** Rows that are read at a time. */
const batch = 500

/** In bytes. The ids of longer entries are not compared. */
const longestEntry = 1 << 20

export const findDamage = async ({ query, schema }: Pick<Database, "query" | "schema">): Promise<Damage[]> => {
  // One statement, so that no entry is written between the two counts.
  const rows = await query(
    `select p.id, p.key::text, p.session, p.agent, p.last, e.plan, e.highest, e.entries from ${schema}.plans p full join (
       select plan, pg_catalog.max(seq) as highest, pg_catalog.count(*) as entries from ${schema}.entries group by plan
     ) e on e.plan = p.id order by p.id`,
  )
  const found: Damage[] = []
  for (const row of rows) {
    if (row.id === null) found.push({ problem: withoutPlan(Number(row.entries)) })
    else found.push(...planDamage(row))
  }
  for (const row of rows) {
    if (row.id === null || row.plan === null) continue
    const log = createLogReading()
    for (let from = 0; ; ) {
      const entries = await query(
        `select seq, id::text, case when pg_catalog.octet_length(entry) <= ${longestEntry} then entry else '' end as entry
         from ${schema}.entries where plan = $1::bigint and seq > $2::bigint order by seq limit ${batch}`,
        [Number(row.id), from],
      )
      for (const entry of entries) log.take(entry)
      const last = entries.at(-1)
      if (!last || entries.length < batch) break
      from = Number(last.seq)
    }
    found.push(...log.problems().map((problem) => ({ key: keyOf(row), problem })))
  }
  return found
}

const keyOf = ({ session, agent }: Row) => ({ session: unescaped(String(session)), agent: unescaped(String(agent)) })

const withoutPlan = (count: number): string =>
  `${entriesText(count)} of the database belong to no plan: the row of their plan was removed by hand.`

const planDamage = (row: Row): Damage[] => {
  const key = keyOf(row)
  const [last, highest] = [Number(row.last), Number(row.highest ?? 0)]
  const isTheirs = String(row.key).replaceAll("-", "") === keyDigest(key)
  return [
    ...(isTheirs ? [] : [{ key, problem: "its key was changed by hand, so that it is not found by its session" }]),
    ...(highest < last ? [{ key, problem: `${entriesText(last - highest)} at the end of its log are missing` }] : []),
    ...(highest > last
      ? [{ key, problem: `its counter was changed by hand: it leaves out ${entriesText(highest - last)}` }]
      : []),
  ]
}

const entriesText = (count: number): string => (count === 1 ? "1 entry" : `${count} entries`)

/** What the entries of one log say about each other. */
const createLogReading = () => {
  const seen = new Set<unknown>()
  /** Named by an entry, and not seen before it. */
  const named = new Set<unknown>()
  let [replaced, later, first, isOpened] = [0, 0, true, false]
  return {
    take({ id, entry: text }: Row): void {
      const entry = parseJson(String(text))
      const isFirst = first
      first = false
      if (!isRecord(entry) || typeof entry.id !== "string") return
      if (idDigest(entry.id) !== String(id).replaceAll("-", "")) replaced += 1
      const events = Array.isArray(entry.events) ? entry.events.filter(isRecord) : []
      const opens = events.some(({ type }) => type === "plan-opened")
      if (named.has(entry.id) || (opens && !isFirst && !isOpened)) later += 1
      isOpened ||= opens
      seen.add(entry.id)
      for (const other of namedIn(entry, events)) if (!seen.has(other)) named.add(other)
    },
    problems: (): string[] => [
      ...(replaced > 0
        ? [
            `${entriesText(replaced)} of its log ${replaced === 1 ? "was" : "were"} replaced by hand: the id is not that of the row`,
          ]
        : []),
      ...(later > 0
        ? [`the order of its log was changed by hand: what follows from ${entriesText(later)} comes before`]
        : []),
    ],
  }
}

/** The entries that one was written after: which it undoes, and which it told an agent about. */
const namedIn = ({ undoes }: Record<string, unknown>, events: readonly Record<string, unknown>[]): unknown[] => [
  undoes,
  ...events.flatMap(({ type, entries }) => (type === "agent-told" && Array.isArray(entries) ? entries : [])),
]
