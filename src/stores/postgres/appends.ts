/**
 * Sends the entries of this process to the database: what comes while others are under way goes together in one statement, so
 * that many plans share one round trip and one wait for the disk.
 */
import { isHeadwayError } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import type { Database, Row, Value } from "./database.ts"
import type { KeyTexts } from "./keys.ts"

/** None of the texts has a line break: all are written as in JSON. */
export type Append = {
  key: KeyTexts
  /** The digest of the entry's id. */
  id: string
  text: string
  /** How far its writer has read. */
  from: { log: number; seq: number; id?: string }
  /** It is written only if nothing came after that place. The schema must have the functions for it. */
  isNext: boolean
}

/** Where the log is now; undefined where it is gone. */
export type Appended =
  | {
      log: number
      seq: number
      isWritten: boolean
      /** What others wrote since the place that was read; undefined if that has to be asked for. */
      came: readonly Row[] | undefined
    }
  | undefined

/** Statements at once: what waits is divided among those that are free, and the rest fills the next ones. */
const mostUnderWay = 2

/** Entries of one statement, and characters after which no more are added. */
const mostTogether = 100
const longestTogether = 1 << 20

/** The values of `append` and `append_each`, or of `append_next` and `append_each_next`. */
const valuesOf = ({ key, id, text, from, isNext }: Append): Value[] => [
  ...[key.digest, key.session, key.agent, id, text],
  ...(isNext ? [from.log, from.seq, from.id ?? null] : [from.seq]),
]

type Waiting = {
  append: Append
  resolve: (appended: Appended) => void
  reject: (cause: unknown) => void
}

export const createAppends = ({ query, schema }: Pick<Database, "query" | "schema">) => {
  const one = `select ${schema}.append($1::uuid, $2, $3, $4::uuid, $5, $6::bigint) as place`
  const each = `select ${schema}.append_each($1, $2, $3, $4, $5, $6) as places`
  const oneNext = `select ${schema}.append_next($1::uuid, $2, $3, $4::uuid, $5, $6::bigint, $7::bigint, $8::uuid) as place`
  const eachNext = `select ${schema}.append_each_next($1, $2, $3, $4, $5, $6, $7, $8) as places`
  let waiting: Waiting[] = []
  let underWay = 0
  let isDue = false

  const sendOne = async ({ append, resolve, reject }: Waiting): Promise<void> => {
    try {
      const [row] = await query(append.isNext ? oneNext : one, valuesOf(append))
      resolve(placeIn(row?.place, append))
    } catch (cause) {
      reject(cause)
    }
  }

  const sendAll = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const rows = group.map(({ append }) => valuesOf(append))
      const columns = (rows[0] ?? []).map((_, field) => rows.map((row) => row[field] ?? "").join("\n"))
      const [row] = await query(group[0]?.append.isNext ? eachNext : each, columns)
      const places = String(row?.places).split("\n")
      for (const [index, { append, resolve }] of group.entries()) resolve(placeIn(places[index], append))
    } catch (cause) {
      if (isHeadwayError(cause) && cause.code === "store-away") for (const { reject } of group) reject(cause)
      // One of them was refused, and therefore all were: each gets its own result.
      else await Promise.all(group.map(sendOne))
    }
  }

  /** One entry a plan, all of one kind, in the order they came: where the first one gets to decides about the next. */
  const nextGroup = (most: number): Waiting[] => {
    const group: Waiting[] = []
    const plans = new Set<string>()
    const rest: Waiting[] = []
    let length = 0
    for (const one of waiting) {
      const { key, text, isNext } = one.append
      const [first] = group
      const isAlike = !first || (isNext === first.append.isNext && length + text.length <= longestTogether)
      if (group.length >= most || !isAlike || plans.has(key.digest)) rest.push(one)
      else {
        group.push(one)
        length += text.length
      }
      plans.add(key.digest)
    }
    waiting = rest
    return group
  }

  const send = (): void => {
    isDue = false
    while (waiting.length > 0 && underWay < mostUnderWay) {
      const share = Math.ceil(waiting.length / (mostUnderWay - underWay))
      const group = nextGroup(Math.min(share, mostTogether))
      const [first] = group
      if (!first) return
      underWay += 1
      void (group.length === 1 ? sendOne(first) : sendAll(group)).then(() => {
        underWay -= 1
        if (waiting.length > 0 || group.length > 1) sendSoon()
      })
    }
  }

  /** Behind what this turn of the process still asks for. */
  const sendSoon = (): void => {
    if (isDue) return
    isDue = true
    setImmediate(send)
  }

  return (append: Append): Promise<Appended> =>
    new Promise((resolve, reject) => {
      waiting.push({ append, resolve, reject })
      if (underWay === 0 && !isDue) send()
      else if (underWay < mostUnderWay) sendSoon()
    })
}

/**
 * The place of the log, and behind a "-" what the writer has not read, where the entry was not written. Those entries may
 * hold any character. What is not understood says nothing of the log: it is read instead.
 */
const placeIn = (text: unknown, { from }: Append): Appended => {
  if (text === null || text === undefined || text === "") return undefined
  const [, log, seq, sign, came = ""] = /^(\d+)\/(\d+)(?:(-)(.*))?$/s.exec(String(text)) ?? []
  if (log === undefined) return { log: 0, seq: 0, isWritten: false, came: undefined }
  const place = { log: Number(log), seq: Number(seq) }
  if (sign !== undefined) return { ...place, isWritten: false, came: cameIn(came) }
  const isFirst = place.log === (from.log || place.log) && place.seq === from.seq + 1
  return { ...place, isWritten: true, came: isFirst ? [] : undefined }
}

const cameIn = (text: string): Row[] | undefined => {
  const came = text === "" ? undefined : parseJson(text)
  if (!Array.isArray(came)) return undefined
  return came.map(([seq, id, entry]) => ({ seq, id, entry }))
}
