/** `headway store status`: where plans are kept, whether that can be reached, and what is not delivered yet. */

import { messageOf } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { DeliveryState } from "../../stores/delivered/delivery-state.ts"
import { type WaitingStore, waitingText } from "../../stores/delivered/waiting-stores.ts"
import { deliveryOf, isElsewhere, noteReached, waitingForOthers } from "../../stores/index.ts"
import type { DatabaseState } from "../../stores/postgres/index.ts"
import type { Context } from "../command.ts"
import { ageText } from "../duration.ts"
import { printJson } from "../output/plan-json.ts"
import { tableLines } from "../output/table.ts"
import { homeOf, urlOf } from "../place/place.ts"
import { changes, openPlainly, storeName } from "./store-places.ts"

export type StoreStatus = {
  store: string
  reachable: boolean
  /** Why it is not reachable. */
  why?: string
  /** Milliseconds until it had answered. */
  answered?: number
  plans?: number
  /** Of a database: the schema it has, the one this Headway knows, and its own version. */
  schema?: number | undefined
  knownSchema?: number
  server?: string
  bytes?: number
  mayWrite?: boolean
  /** The server takes no changes for now. */
  isOnlyReading?: boolean
  delivery?: DeliveryState
  /** Why the last attempt to deliver what waits has failed, where the store is reachable by now. */
  failed?: string
  /** Other stores for which changes wait here. */
  waiting?: WaitingStore[]
}

export const storeStatus = async (context: Context): Promise<number> => {
  const { io, values } = context
  const waiting = await waitingForOthers(urlOf(context), homeOf(context))
  const status = { ...(await readStatus(context)), ...(waiting.length > 0 ? { waiting } : {}) }
  if (values.json) io.out(printJson(status))
  else io.out(tableLines(rowsOf(context, status), io.columns ?? Number.POSITIVE_INFINITY, values.ascii === true))
  return status.reachable ? 0 : 1
}

const readStatus = async (context: Context): Promise<StoreStatus> => {
  const url = urlOf(context)
  const store = storeName(context, url)
  if (!isElsewhere(url)) {
    const { plans } = await (await openPlainly(context)).list()
    return { store, reachable: true, plans: plans.length }
  }
  const delivery = await deliveryOf(url, homeOf(context))
  const begun = performance.now()
  try {
    const { inspectDatabase } = await import("../../stores/postgres/index.ts")
    const found: DatabaseState = await inspectDatabase(url)
    const { schema, known, server, plans, bytes, isWriter, isOnlyReading } = found
    const answered = Math.round(performance.now() - begun)
    const about = { answered, plans, schema, knownSchema: known, server, bytes, mayWrite: isWriter, isOnlyReading }
    await noteReached(url, homeOf(context))
    const { away, ...now } = delivery
    const failed = away && delivery.undelivered > 0 ? { failed: away.why } : {}
    return { store, reachable: true, ...about, delivery: now, ...failed }
  } catch (cause) {
    return { store, reachable: false, why: messageOf(cause), delivery }
  }
}

const rowsOf = ({ io }: Context, status: StoreStatus): string[][] => {
  const { store, reachable, why = "", answered, plans, schema, knownSchema, server, bytes, delivery } = status
  const rows = [["store", sanitise(store)]]
  const others = (status.waiting ?? []).map((one) => [
    "waiting",
    sanitise(`${waitingText(one)}, the oldest ${ageText(one.since ?? "", io.now())} old`),
  ])
  if (!delivery) return [...rows, ["plans", String(plans)], ...others]
  rows.push(["reachable", reachable ? `yes, in ${answered} ms` : `no: ${sanitise(why)}`])
  if (reachable)
    rows.push(
      ["server", `PostgreSQL ${sanitise(server ?? "")}`],
      ["schema", schemaText(schema, knownSchema)],
      ["plans", `${plans} (${sizeText(bytes ?? 0)})`],
      ["may write", mayWriteText(status)],
    )
  if (delivery.replaced !== undefined)
    rows.push(["replaced", `since ${sanitise(delivery.replaced)} this is another database than before`])
  const failed = status.failed === undefined ? "" : `; the last attempt failed: ${sanitise(status.failed)}`
  rows.push(["undelivered", `${undeliveredText(delivery, io.now())}${failed}`])
  if (delivery.refused > 0) rows.push(["not taken", notTakenText(delivery)])
  return [...rows, ...others]
}

const schemaText = (schema: number | undefined, known: number | undefined): string => {
  if (schema === undefined) return `none yet: "headway store migrate" makes its tables`
  return schema === known ? String(schema) : `${schema}; this Headway knows ${known}`
}

/** Rights are those to the tables. */
const mayWriteText = ({ schema, mayWrite, isOnlyReading }: StoreStatus): string => {
  if (schema === undefined) return "not known: its tables are not made yet"
  if (!mayWrite) return "no: this user may read plans but not change them"
  return isOnlyReading ? "yes, but the server only reads for now" : "yes"
}

const undeliveredText = ({ undelivered, since, away, stuck }: DeliveryState, now: Date): string => {
  const waiting = undelivered === 0 ? "nothing" : `${changes(undelivered)}, the oldest ${ageText(since ?? "", now)} old`
  if (away) return `${waiting}; not reachable since ${away.since}`
  return undelivered > 0 && stuck !== undefined ? `${waiting}; ${sanitise(stuck)}` : waiting
}

const notTakenText = ({ refused, refusedPlans: { length } }: DeliveryState): string =>
  `${changes(refused)} of ${length === 1 ? "1 plan" : `${length} plans`}, kept in the home: see "headway store rejected"`

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
