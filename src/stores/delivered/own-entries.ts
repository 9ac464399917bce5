/**
 * Separates what a person did on this machine from what others claim: only the former counts as verification, or as the person's
 * own words.
 */
import { createSeal, type Seal } from "../../home/trust/seal.ts"
import type { Entry } from "../../plan/index.ts"
import type { PlanKey } from "../store.ts"

export type OwnEntries = {
  /** An entry as it is written, with a seal where it is a person's, in place of one of another store. */
  sealed(key: PlanKey, entry: Entry): Entry
  /** An entry with other events, with a new seal where it had one of this machine. */
  withEvents(key: PlanKey, entry: Entry, events: Entry["events"]): Entry
  /**
   * Entries as they are read. A person's without the seal of this machine was made elsewhere, whatever name it bears; one about
   * checks is not even a person's then.
   */
  attributed(key: PlanKey, entries: Entry[]): Entry[]
}

/** `home` keeps the key of the seals. They hold for one plan of the store of this name. */
export const ownEntriesIn = (home: string, name: string): OwnEntries => {
  const sealIn = createSeal(home)
  const sealOf = ({ session, agent }: PlanKey): Seal => sealIn(["checks", name, session, agent])

  const isOwn = (key: PlanKey, entry: Entry): boolean => {
    try {
      return sealOf(key).holds(JSON.stringify(entry))
    } catch {
      return false
    }
  }

  const withSeal = (key: PlanKey, entry: Entry): Entry => {
    try {
      return JSON.parse(sealOf(key).seal(JSON.stringify(entry))) as Entry
    } catch (cause) {
      // Without a key an edit is still an edit, and only counts as one that was made elsewhere.
      if (isAboutChecks(entry)) throw cause
      return entry
    }
  }

  const asOthers = (entry: Entry): Entry => ({
    ...entry,
    by: isAboutChecks(entry) ? { ...entry.by, kind: "other" } : { ...entry.by, isElsewhere: true },
  })

  return {
    sealed: (key, entry) => (isOfPerson(entry) ? withSeal(key, withoutSeal(entry)) : entry),
    withEvents: (key, entry, events) =>
      isOfPerson(entry) && isOwn(key, entry) ? withSeal(key, { ...withoutSeal(entry), events }) : { ...entry, events },
    attributed: (key, entries) =>
      entries.some(isOfPerson)
        ? entries.map((entry) => (isOfPerson(entry) && !isOwn(key, entry) ? asOthers(entry) : entry))
        : entries,
  }
}

const withoutSeal = ({ seal, ...entry }: Entry & { seal?: unknown }): Entry => entry

const isOfPerson = ({ by }: Entry): boolean => by.kind === "person"

const isAboutChecks = ({ by, events }: Entry): boolean =>
  by.kind === "person" && events.some(({ type }) => type.startsWith("check-"))
