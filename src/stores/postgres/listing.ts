/** The rows of a listing. A process that lists again and again reads only what changed since the last time. */
import { parseJson } from "../../plan/json.ts"
import { isRecord, isText } from "../../plan/log/shape.ts"
import type { PlanFilter, PlanSummary } from "../store.ts"
import type { Database, Row } from "./database.ts"
import { escaped, unescaped } from "./keys.ts"

export type ListedRow = {
  log: number
  session: string
  agent: string
  /** How many entries its log has. */
  last: number
  /** How it stands, where that was said after its last entry. */
  summary: PlanSummary | undefined
}

/** In bytes. */
const longestSummary = 1 << 20

/** More plans than these are not held in memory. */
const mostHeld = 50_000

export const createListing = ({ query, schema }: Database) => {
  const held = new Map<number, ListedRow>()
  /** Everything that was decided before this transaction is in what is held. */
  let horizon: string | undefined
  /** What is held, the newest first: sorted once, however often it is listed. */
  let inOrder: ListedRow[] | undefined

  // A summary that is older than the last entry says nothing, and is not sent; one that is longer was not written by Headway.
  const summary = `case when s.seq = p.last and octet_length(s.summary) <= ${longestSummary} then s.summary end as summary`
  const columns = `p.id, p.session, p.agent, p.last, ${summary}`
  const joined = `from ${schema}.plans p left join ${schema}.summaries s on s.plan = p.id`
  const isStale = "s.seq is distinct from p.last"
  const now = "pg_snapshot_xmin(pg_current_snapshot())::text as horizon"
  const all = `select ${columns} ${joined}`
  const changed = `select ${now}, (select count(*)::int from ${schema}.plans) as plans, (select string_agg(id::text, ',') from (
      select id from ${schema}.plans where changed >= $1::text::xid8
      union all select plan from ${schema}.summaries where changed >= $1::text::xid8) c) as ids`
  const named = `${all} where p.id = any(string_to_array($1, ',')::bigint[])`

  /** Few of them, found by an index. */
  const some = async ({ project, session, since, limit }: PlanFilter): Promise<ListedRow[]> => {
    const values = [
      session === undefined ? null : escaped(session),
      project === undefined ? null : escaped(project),
      since === undefined ? null : millisecondsOf(since),
    ]
    const ofSession = "($1::text is null or p.session = $1)"
    const wanted = "($2::text is null or s.project = $2) and ($3::bigint is null or s.updated_ms >= $3)"
    const bound = limit === undefined ? "" : `order by s.updated desc limit ${Math.max(0, Math.trunc(limit))}`
    const text = `select ${columns} ${joined} where ${ofSession} and ${isStale}
      union all (select ${columns} ${joined} where ${ofSession} and ${wanted} and not (${isStale}) ${bound})`
    return (await query(text, values)).map(listedOf)
  }

  const hold = (rows: readonly Row[]): void => {
    for (const row of rows) held.set(Number(row.id), listedOf(row))
    if (rows.length > 0) inOrder = undefined
  }

  const forget = (): void => {
    held.clear()
    horizon = undefined
    inOrder = undefined
  }

  /** All that are there are among those that are held and those that changed: if they are as many, they are the same. */
  const catchUp = async (since: string): Promise<boolean> => {
    const [row] = await query(changed, [since])
    // Another database has taken the place of the one that was read.
    if (!row || BigInt(String(row.horizon)) < BigInt(since)) return false
    horizon = String(row.horizon)
    if (row.ids) hold(await query(named, [row.ids as string]))
    return held.size === row.plans
  }

  const everything = async (): Promise<ListedRow[]> => {
    if (horizon === undefined || !(await catchUp(horizon))) {
      forget()
      // Asked for first: what is decided between the two is read twice.
      const [first] = await query(`select ${now}`)
      hold(await query(all))
      horizon = String(first?.horizon)
    }
    inOrder ??= [...held.values()].sort(byTime)
    const rows = inOrder
    if (rows.length > mostHeld) forget()
    return rows
  }

  let reading: Promise<unknown> = Promise.resolve()
  /** One after the other: they share what is held. */
  const inTurn = (action: () => Promise<ListedRow[]>): Promise<ListedRow[]> => {
    const result = reading.then(action)
    reading = result.catch(() => {})
    return result
  }

  return {
    /** At least those a filter asks for. */
    rows(filter: PlanFilter = {}): Promise<ListedRow[]> {
      const { limit, ...unbounded } = filter
      const { project, session, since, ...others } = unbounded
      const isKnown = Object.values(others).every((value) => value === undefined)
      // What is not known here is chosen by later, from all there are.
      if (session !== undefined || (limit !== undefined && isKnown)) return some(isKnown ? filter : unbounded)
      return inTurn(everything)
    },
  }
}

const byTime = ({ summary: one }: ListedRow, { summary: other }: ListedRow): number => {
  const [first = "", second = ""] = [one?.updated, other?.updated]
  return first < second ? 1 : first > second ? -1 : 0
}

export const millisecondsOf = (time: string): number => Math.trunc(Date.parse(time)) || 0

const listedOf = (row: Row): ListedRow => {
  const named = { session: unescaped(String(row.session)), agent: unescaped(String(row.agent)) }
  const summary = typeof row.summary === "string" ? summaryIn(named, row.summary) : undefined
  return { log: Number(row.id), ...named, last: Number(row.last), summary }
}

/** Written by another's Headway: what is not a summary of this very plan is made anew from its log. */
const summaryIn = ({ session, agent }: { session: string; agent: string }, text: string): PlanSummary | undefined => {
  const value = parseJson(text)
  if (!isRecord(value) || !isRecord(value.progress)) return undefined
  const { completed, total, percent } = value.progress
  const isOne =
    value.session === session &&
    value.agent === agent &&
    [completed, total, percent, value.todos].every((number) => typeof number === "number") &&
    typeof value.isFinished === "boolean" &&
    isText(value.updated) &&
    texts.every((field) => value[field] === undefined || isText(value[field])) &&
    (value.parent === undefined || (isRecord(value.parent) && isText(value.parent.agent)))
  return isOne ? (value as PlanSummary) : undefined
}

const texts = ["agentType", "project", "title", "current", "currentSince", "worked", "person", "machine"]
