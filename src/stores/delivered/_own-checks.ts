/** Separates checks run on this machine from those claimed by others: only the former count as verification. */
import { createSeal, type Seal } from "../../home/seal.ts"
import type { Entry } from "../../plan/index.ts"
import type { PlanKey } from "../store.ts"

export type OwnChecks = {
  /** An entry as it is written, with a seal where it is about checks. */
  sealed(key: PlanKey, entry: Entry): Entry
  /** Entries as they are read: one about checks without the seal of this machine is another's. */
  attributed(key: PlanKey, entries: Entry[]): Entry[]
}

/** `home` keeps the key of the seals. They hold for one plan of the store of this name. */
export const ownChecksIn = (home: string, name: string): OwnChecks => {
  const sealIn = createSeal(home)
  const sealOf = ({ session, agent }: PlanKey): Seal => sealIn(["checks", name, session, agent])

  const isOwn = (key: PlanKey, entry: Entry): boolean => {
    try {
      return sealOf(key).holds(JSON.stringify(entry))
    } catch {
      return false
    }
  }

  return {
    sealed: (key, entry) =>
      isAboutChecks(entry) ? (JSON.parse(sealOf(key).seal(JSON.stringify(entry))) as Entry) : entry,
    attributed: (key, entries) =>
      entries.some(isAboutChecks)
        ? entries.map((entry) =>
            isAboutChecks(entry) && !isOwn(key, entry) ? { ...entry, by: { ...entry.by, kind: "other" } } : entry,
          )
        : entries,
  }
}

const isAboutChecks = ({ by, events }: Entry): boolean =>
  by.kind === "person" && events.some(({ type }) => type.startsWith("check-"))
