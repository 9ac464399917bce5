/** The summaries of all plans in the remote store as last listed, updated with what is newer here. */
import { statSync } from "node:fs"
import { join } from "node:path"
import { foreignTextIn } from "../../home/reading/foreign-file.ts"
import { replaceFile } from "../../home/writing/write-file.ts"
import { createFold } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { keyText } from "../../plan/plan-key.ts"
import { type PlanKey, type PlanSummary, type Store, summarise } from "../store.ts"
import type { JoinedLog } from "./_joined-log.ts"
import type { DeliveryFolder } from "./folder.ts"
import { markName } from "./marks.ts"
import type { Outbox } from "./outbox.ts"

export type Listing = {
  /** The last listing of the remote store; undefined if there was none. */
  known(): PlanSummary[] | undefined
  /** Milliseconds since it was asked. */
  age(): number | undefined
  keep(plans: readonly PlanSummary[]): void
  /** Receives the local summary of a plan, valid until its log grows. */
  keepSummary(key: PlanKey, summary: PlanSummary, position: string | undefined): void
  /** The same plans, with those that have something undelivered as they stand here. `isOld` takes the mirror's word as well. */
  asHere(plans: readonly PlanSummary[], isOld: boolean): Promise<PlanSummary[]>
}

type ListingOptions = {
  folder: DeliveryFolder
  mirror: Store
  outbox: Outbox
  log: JoinedLog
  position: (key: PlanKey) => Promise<string | undefined>
}

export const openListing = ({ folder, mirror, outbox, log, position }: ListingOptions): Listing => {
  const kept = new Map<string, { summary: PlanSummary; position: string | undefined }>()
  let known: { plans: PlanSummary[]; time: number } | undefined

  const pathOf = (key: PlanKey): string => join(folder.summaries, `${markName(key)}.json`)

  const read = (): PlanSummary[] | undefined => {
    const time = statSync(folder.listing, { throwIfNoEntry: false })?.mtimeMs
    if (time === undefined) return undefined
    if (known?.time === time) return known.plans
    const found = parseJson(foreignTextIn(folder.listing) ?? "")
    const plans = Array.isArray(found) ? found.filter(isSummary) : []
    known = { plans, time }
    return plans
  }

  /** The summary of a plan with undelivered entries: as received, or folded. */
  const summaryOf = async (key: PlanKey): Promise<PlanSummary | undefined> => {
    const now = await position(key)
    const handed = kept.get(keyText(key)) ?? handedIn(pathOf(key))
    if (handed?.position === now) return handed?.summary
    const fold = createFold()
    for (const entry of (await log.load(key)).entries) fold.add(entry)
    if (fold.ledger.entries === 0) return undefined
    return summarise(key, fold)
  }

  return {
    known: read,
    age() {
      const time = statSync(folder.listing, { throwIfNoEntry: false })?.mtimeMs
      return time === undefined ? undefined : Math.abs(Date.now() - time)
    },
    keep(plans) {
      cached(() => replaceFile(folder.listing, JSON.stringify(plans), folder.temporary))
    },
    keepSummary(key, summary, at) {
      kept.set(keyText(key), { summary, position: at })
      // Saved only if entries wait for long; otherwise the next process can fold them.
      if (outbox.isEmpty()) return
      cached(() => replaceFile(pathOf(key), JSON.stringify({ summary, position: at }), folder.temporary))
    },
    async asHere(plans, isOld) {
      const all = new Map(plans.map((plan) => [keyText(plan), plan]))
      if (isOld)
        for (const plan of (await mirror.list()).plans) {
          const listed = all.get(keyText(plan))
          if (!listed || listed.updated < plan.updated) all.set(keyText(plan), plan)
        }
      for (const key of outbox.isEmpty() ? [] : await outbox.keys()) {
        const plan = await summaryOf(key)
        if (plan) all.set(keyText(key), plan)
      }
      for (const [name, { summary, position: at }] of kept)
        if (all.has(name) && (await position(summary)) === at) all.set(name, summary)
      return [...all.values()]
    },
  }
}

/** Plans are listed all the same where nothing can be written. */
const cached = (write: () => void): void => {
  try {
    write()
  } catch {}
}

const handedIn = (path: string): { summary: PlanSummary; position: string | undefined } | undefined => {
  const read = parseJson(foreignTextIn(path) ?? "")
  if (!isRecord(read) || !isSummary(read.summary)) return undefined
  return { summary: read.summary, position: typeof read.position === "string" ? read.position : undefined }
}

const isSummary = (value: unknown): value is PlanSummary =>
  isRecord(value) &&
  [value.session, value.agent, value.updated].every((text) => typeof text === "string") &&
  typeof value.todos === "number" &&
  typeof value.isFinished === "boolean" &&
  isRecord(value.progress) &&
  typeof value.progress.total === "number"
