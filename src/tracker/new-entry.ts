/** Makes the entry of a change. One that could not be read back unchanged is rejected before anything is written. */
import {
  type Actor,
  type Entry,
  entryVersion,
  type Fold,
  HeadwayError,
  type PlanEvent,
  type PlanKey,
  type PlanOpened,
  referencesIn,
  type Settle,
  wrongIn,
} from "../plan/index.ts"

/**
 * The part of an entry that its writer decides; the log adds the rest. An entry from another log keeps its id and time.
 */
export type EntryPart = Pick<Entry, "by" | "events"> &
  Partial<Pick<Entry, "id" | "at">> & { via?: Entry["via"]; settle?: Settle; undoes?: string }

/** What is known about the agent, recorded with the first entry. */
export type AgentInPlan = Pick<PlanOpened, "agentType" | "project" | "parent" | "title">

/** The plan that the entry is written to, as it is known here. */
export type EntryPlace = { key: PlanKey; fold: Fold; opened: AgentInPlan | undefined }

export const system: Actor = { kind: "system", id: "headway" }

export const newEntry = (part: EntryPart & { id: string; at: string }, { key, fold, opened }: EntryPlace): Entry => {
  const { id, at, by, via, settle = {}, undoes, events } = part
  const opening: PlanEvent[] = fold.ledger.opened ? [] : [{ type: "plan-opened", ...key, ...opened }]
  const entry: Entry = {
    v: entryVersion,
    id,
    at,
    by,
    ...(via ? { via } : {}),
    events: [...opening, ...events],
    ...(Object.keys(settle).length > 0 ? { settle } : {}),
    ...(undoes === undefined ? {} : { undoes }),
  }
  const wrong = fold.has(id) ? `the plan already has an entry "${id}"` : wrongIn(entry)
  if (wrong === undefined) return { ...entry, ...referencesIn(events, by, fold) }
  throw new HeadwayError(invalidChange, `The change was not written: ${wrong}.`)
}

export const invalidChange = "invalid-change"
