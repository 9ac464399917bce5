/** The checks of a plan from its log: what a person wants checked, and the last results. */
import type { CheckRan, Entry, PlanCheck } from "./event.ts"

export type KeptCheck = {
  check: PlanCheck
  /** The last result of Headway's check, and when. */
  last?: CheckRan & { at: string }
}

/** In the order in which they were set. Only what the person at this machine set and ran counts: an entry that came with a repository proves nothing. */
export const checksIn = (entries: readonly Entry[]): KeptCheck[] => {
  const kept = new Map<string, KeptCheck>()
  const lastOf = lastRunsIn(entries)
  for (const { events, by } of entries) {
    for (const event of events) {
      if (event.type === "check-set" && by.kind === "person") kept.set(checkKey(event.check), { check: event.check })
      if (event.type === "check-removed" && by.kind === "person") kept.delete(checkKey(event.check))
    }
  }
  return [...kept.values()].map(({ check }) => withLast({ check }, lastOf(check)))
}

/** The last result of each check, even one that is not in the log, such as one from the project's file. */
export const lastRunsIn = (entries: readonly Entry[]): ((check: PlanCheck) => KeptCheck["last"]) => {
  const ran = new Map<string, KeptCheck["last"]>()
  for (const { events, by, at } of entries) {
    for (const event of events)
      if (event.type === "check-ran" && by.kind === "person") ran.set(checkKey(event.check), { ...event, at })
  }
  return (check) => ran.get(checkKey(check))
}

const withLast = (one: KeptCheck, last: KeptCheck["last"]): KeptCheck => (last ? { ...one, last } : one)

export const checkKey = ({ todo = "", command = "", file = "" }: PlanCheck): string =>
  JSON.stringify([todo, command, file])
