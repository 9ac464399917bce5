/**
 * Sends the entries of this process to the database: what comes while others are under way goes together in one statement, so
 * that many plans share one round trip and one wait for the disk.
 */
import { isHeadwayError } from "../../plan/index.ts"
import type { Database, Value } from "./database.ts"

/**
 * The values of the function `append`: digest of the plan, session, agent, digest of the entry, its text, number to go on from.
 * None of them has a line break: all texts are written as in JSON.
 */
export type AppendValues = readonly [string, string, string, string, string, number]

/** Where an entry was written; undefined where its log is gone. */
export type Appended = { log: number; seq: number } | undefined

/** Statements at once: what waits is divided among those that are free, and the rest fills the next ones. */
const mostUnderWay = 2

/** Entries of one statement, and characters after which no more are added. */
const mostTogether = 100
const longestTogether = 1 << 20

const fields = [0, 1, 2, 3, 4, 5] as const

type Waiting = {
  values: AppendValues
  resolve: (appended: Appended) => void
  reject: (cause: unknown) => void
}

export const createAppends = ({ query, schema }: Pick<Database, "query" | "schema">) => {
  const single = `select ${schema}.append($1::uuid, $2, $3, $4::uuid, $5, $6::bigint) as place`
  const several = `select ${schema}.append_each($1, $2, $3, $4, $5, $6) as places`
  let waiting: Waiting[] = []
  let underWay = 0
  let isDue = false

  const sendOne = async ({ values, resolve, reject }: Waiting): Promise<void> => {
    try {
      const [row] = await query(single, values as readonly Value[])
      resolve(placeIn(row?.place))
    } catch (cause) {
      reject(cause)
    }
  }

  const sendAll = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const columns = fields.map((field) => group.map(({ values }) => values[field]).join("\n"))
      const [row] = await query(several, columns)
      const places = String(row?.places).split("\n")
      for (const [index, { resolve }] of group.entries()) resolve(placeIn(places[index]))
    } catch (cause) {
      if (isHeadwayError(cause) && cause.code === "store-away") for (const { reject } of group) reject(cause)
      // One of them was refused, and so all were: each is told for itself.
      else await Promise.all(group.map(sendOne))
    }
  }

  /** One entry a plan, in the order they came: where the first one gets to decides about the next. */
  const nextGroup = (most: number): Waiting[] => {
    const group: Waiting[] = []
    const plans = new Set<string>()
    const rest: Waiting[] = []
    let length = 0
    for (const one of waiting) {
      const [plan, , , , text] = one.values
      const fits = group.length < most && (group.length === 0 || length + text.length <= longestTogether)
      if (!fits || plans.has(plan)) rest.push(one)
      else {
        group.push(one)
        length += text.length
      }
      plans.add(plan)
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

  return (values: AppendValues): Promise<Appended> =>
    new Promise((resolve, reject) => {
      waiting.push({ values, resolve, reject })
      if (underWay === 0 && !isDue) send()
      else if (underWay < mostUnderWay) sendSoon()
    })
}

const placeIn = (text: unknown): Appended => {
  const match = /^(\d+)\/(\d+)$/.exec(String(text))
  return match ? { log: Number(match[1]), seq: Number(match[2]) } : undefined
}
