/** Reads one journal of a folder: whose it is, and the state of its plan. */
import { hashedNameOf, keyOf, planFileName } from "../../home/paths/file-names.ts"
import type { Seal } from "../../home/trust/seal.ts"
import { createFold, type Plan, type PlanKey } from "../../plan/index.ts"
import { type PlanSummary, summarise } from "../store.ts"
import { type JournalCursor, readJournal, readOwner, startOf } from "./_journal.ts"
import type { Skipped } from "./_lines.ts"
import { unreadOf } from "./_plan-index.ts"

export type JournalState = {
  /** Undefined if it has no plan, or its owner cannot be determined. */
  summary?: PlanSummary
  plan: Plan
  skipped: Skipped
  /** The ids in its content, if they differ from its name. */
  claimed?: PlanKey
  cursor: JournalCursor
}

/** The seal of a plan, where the journals are in a repository. */
export type SealFor = (key: PlanKey) => Seal | undefined

export type JournalStateOptions = {
  sealFor: SealFor
  /** Whether the result is compared later. @default true */
  isOnce?: boolean
}

export const readJournalState = (
  path: string,
  name: string,
  { sealFor, isOnce = true }: JournalStateOptions,
): JournalState => {
  // Seals are not valid for a name that does not contain the ids.
  const seal = sealFor(keyOf(name) ?? ownerOf(name, readOwner(path)) ?? { session: "", agent: "" })
  const { entries, cursor } = readJournal(path, startOf(isOnce), seal)
  const { skipped } = cursor
  const fold = createFold()
  for (const entry of entries) fold.add(entry)
  const { opened } = fold.ledger
  const owner = ownerOf(name, opened)
  const unread = unreadOf(skipped)
  return {
    plan: fold.plan,
    skipped,
    cursor,
    ...(opened && !isOwned(name, opened) ? { claimed: { session: opened.session, agent: opened.agent } } : {}),
    ...(owner && fold.ledger.entries > 0
      ? { summary: { ...summarise(owner, fold), ...(unread > 0 ? { unread } : {}) } }
      : {}),
  }
}

/**
 * Whose journal a file is: by its name or, if the ids are too long for it, by its content, if that matches the name.
 */
export const ownerOf = (name: string, claimed: PlanKey | undefined): PlanKey | undefined =>
  keyOf(name) ?? (claimed && isOwned(name, claimed) ? { session: claimed.session, agent: claimed.agent } : undefined)

const isOwned = (name: string, key: PlanKey): boolean => planFileName(key) === name || hashedNameOf(key) === name
