/** Looks at one journal as a file among others: whose it is, and how its plan stands. */
import { hashedNameOf, keyOf, nameOf } from "../home/file-names.ts"
import { createFold, type Plan, type PlanKey } from "../plan/index.ts"
import { unreadOf } from "./_index.ts"
import { type Mark, readJournal, startOf } from "./_journal.ts"
import type { Skipped } from "./_lines.ts"
import { summarise } from "./_summary.ts"
import type { PlanSummary } from "./store.ts"

export type Look = {
  /** Undefined where there is no plan in it, or no one could say whose. */
  summary?: PlanSummary
  plan: Plan
  skipped: Skipped
  /** Whose it says it is, where its name says otherwise. */
  claimed?: PlanKey
  cursor: Mark
}

/** `isOnce` when no one will ask whether it is still the same. */
export const lookAtJournal = (path: string, name: string, isOnce = true): Look => {
  const { entries, cursor } = readJournal(path, startOf(isOnce))
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

const isOwned = (name: string, key: PlanKey): boolean => nameOf(key) === name || hashedNameOf(key) === name
