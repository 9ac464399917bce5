/** Tells an agent what a person changed, once: from then on the changes count as told. */
import { changesForNotice } from "../guidance/edit-notice.ts"
import { contentById, idsForAgent, isKnown, ledgerFor, toldWith } from "../plan/index.ts"
import type { PlanLog } from "./log.ts"
import { system } from "./new-entry.ts"
import type { TrackerOptions } from "./tracker.ts"

/**
 * Returns the text for the agent, or undefined if there is nothing that it does not know. `client` is one of several agents that
 * share the plan; without it, the one whose session it is.
 */
export const tellAgent = async (
  log: PlanLog,
  { editNotice, onTelling }: Pick<TrackerOptions, "editNotice" | "onTelling">,
  client?: string,
): Promise<string | undefined> => {
  const { ledger } = log.fold
  const to = toldWith(ledger, client)
  const { changes, part, left } = changesForNotice([...ledgerFor(ledger, to).untold.values()])
  // It is told of changes from now on, and of those before that no agent knows.
  const isNew = to !== undefined && ledger.opened !== undefined && !isKnown(ledger, to)
  if ((changes.length === 0 && !isNew) || !editNotice) return undefined
  const entries = changes.flatMap(({ entry }) => (entry === part?.entry ? [] : [entry]))
  const named = { entries, ...(part ? { part } : {}) }
  const gone = [...ledger.removed.values()].map(({ todo }) => todo)
  const idForAgent = idsForAgent([...gone, ...log.fold.plan.todos])
  const idOf = (id: string): string => idForAgent(id) ?? ""
  const textOf = (some: typeof changes) => editNotice(some, (id) => contentById(log.fold.plan, id), { idOf, left })
  const text = onTelling && textOf(changes)
  if (text !== undefined) onTelling?.({ ...named, text })
  const events = await log.commit({
    by: system,
    events: [{ type: "agent-told", ...named, ...(to === undefined ? {} : { to }) }],
  })
  // Another process may have been first, because hooks of one reply run in parallel.
  const told = events.flatMap((event) => (event.type === "agent-told" ? [event] : []))
  const ours = new Set(told.flatMap((event) => [...event.entries, ...(event.part ? [event.part.entry] : [])]))
  const own = changes.filter(({ entry }) => ours.has(entry))
  return own.length > 0 ? textOf(own) : undefined
}
