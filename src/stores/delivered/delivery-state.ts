/** How much is not delivered to a remote store, since when, and what it rejected: for status, board and doctor. */
import { type Problem, warning } from "../../plan/index.ts"
import type { PlanKey } from "../store.ts"
import { type DeliveryNote, isCarried, readNote } from "./connection/note.ts"
import type { DeliveryFolder } from "./folder.ts"
import { openMarks } from "./marks.ts"
import { type Outbox, openOutbox } from "./outbox.ts"
import { rejectedIn } from "./rejected.ts"

export type DeliveryState = Pick<DeliveryNote, "away" | "isReadOnly" | "stuck" | "replaced"> & {
  /** Entries that wait to be delivered, and when the oldest of them was written. */
  undelivered: number
  since?: string
  /** Entries that the remote store rejected, and their plans. They are kept. */
  refused: number
  refusedPlans: PlanKey[]
  /** A running process delivers and reads for all others. */
  isCarried: boolean
}

/** `opened` is the caller's outbox, if it is open. */
export const deliveryState = async (folder: DeliveryFolder, opened?: Outbox): Promise<DeliveryState> => {
  const outbox = opened ?? openOutbox(folder, folder.outbox, openMarks(folder))
  let undelivered = 0
  let since: string | undefined
  for (const key of outbox.isEmpty() ? [] : await outbox.keys()) {
    const { entries } = await outbox.waiting(key)
    undelivered += entries.length
    for (const { at } of entries) if (since === undefined || at < since) since = at
  }
  if (!opened) await outbox.store.close()
  const refused = await refusedIn(folder)
  const { name: _, identity: __, ...note } = readNote(folder)
  return {
    ...note,
    undelivered,
    ...(since === undefined ? {} : { since }),
    ...refused,
    isCarried: isCarried(folder),
  }
}

const refusedIn = async (folder: DeliveryFolder): Promise<Pick<DeliveryState, "refused" | "refusedPlans">> => {
  const rejected = await rejectedIn(folder)
  return {
    refused: rejected.reduce((sum, { entries }) => sum + entries.length, 0),
    refusedPlans: rejected.map(({ key }) => key),
  }
}

/** What a person should be told with every list of plans: that the store is away, holds something back, or is another one. */
export const deliveryProblems = async (
  name: string,
  folder: DeliveryFolder,
  outbox: Outbox,
  now: Date,
): Promise<Problem[]> => {
  const { away, stuck, replaced, isReadOnly } = readNote(folder)
  const isOther = replaced !== undefined && Math.abs(now.getTime() - Date.parse(replaced)) < aWeek
  const isHeldBack = stuck !== undefined || (isReadOnly && !outbox.isEmpty())
  const text = away || isHeldBack ? undeliveredText(name, await deliveryState(folder, outbox)) : ""
  return [
    ...(isOther ? [warning("other-database", replacedText(name, replaced))] : []),
    ...(text === "" ? [] : [warning(away ? "store-away" : "undelivered", text)]),
  ]
}

const aWeek = 7 * 24 * 60 * 60_000

/** One sentence for a person. */
const replacedText = (name: string, since: string): string =>
  `Since ${since} another database is at ${name} than before: plans that it does not have are no longer shown.`

/** Without the name, which the sentence already has. */
const whyAway = (name: string, why: string): string =>
  why.replace(`${name} cannot be reached at `, "").replace(/\.$/, "")

export const undeliveredText = (name: string, state: DeliveryState): string => {
  const { undelivered, away, stuck, refused, isReadOnly } = state
  const parts: string[] = []
  // The number first: a screen may have room for the beginning only.
  if (undelivered > 0)
    parts.push(`${undelivered === 1 ? "1 change is" : `${undelivered} changes are`} kept here and not delivered yet.`)
  if (away) parts.push(`${name} has been unreachable since ${away.since}: ${whyAway(name, away.why)}.`)
  if (undelivered > 0 && stuck !== undefined) parts.push(stuck)
  if (undelivered > 0 && isReadOnly) parts.push(`${name} is read-only for you.`)
  if (refused > 0)
    parts.push(
      `${refused === 1 ? "1 change was" : `${refused} changes were`} rejected by it, and kept here (headway store rejected).`,
    )
  return parts.join(" ")
}
