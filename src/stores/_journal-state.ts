/** Reads one journal as a file among others: whose it is, and how its plan stands. */
import { hashedNameOf, keyOf, planFileName } from "../home/file-names.ts"
import type { Seal } from "../home/seal.ts"
import { createFold, type Plan, type PlanKey } from "../plan/index.ts"
import { unreadOf } from "./_index.ts"
import { type JournalCursor, readJournal, readOwner, startOf } from "./_journal.ts"
import type { Skipped } from "./_lines.ts"
import { summarise } from "./_summary.ts"
import type { PlanSummary } from "./store.ts"

export type JournalState = {
  /** Undefined where there is no plan in it, or it cannot be known whose it is. */
  summary?: PlanSummary
  plan: Plan
  skipped: Skipped
  /** Whose it says it is, where its name says otherwise. */
  claimed?: PlanKey
  cursor: JournalCursor
}

/** The seal of a plan, where the journals are in a repository. */
export type SealFor = (key: PlanKey) => Seal | undefined

export type JournalStateOptions = {
  sealFor: SealFor
  /** It will not be asked whether it is still the same. @default true */
  isOnce?: boolean
}

export const readJournalState = (
  path: string,
  name: string,
  { sealFor, isOnce = true }: JournalStateOptions,
): JournalState => {
  // For a name that does not say whose it is no seal holds.
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

/** Whose journal a file is. Its name says so; where that has no room for the ids the journal does, if they fit the name. */
export const ownerOf = (name: string, claimed: PlanKey | undefined): PlanKey | undefined =>
  keyOf(name) ?? (claimed && isOwned(name, claimed) ? { session: claimed.session, agent: claimed.agent } : undefined)

const isOwned = (name: string, key: PlanKey): boolean => planFileName(key) === name || hashedNameOf(key) === name
