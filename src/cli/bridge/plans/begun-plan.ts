/** Starts the plan of a session that already has a list: a fork, or one whose plan is no longer kept. */
import { agentNamed } from "../../../agents/index.ts"
import { followSession, isImportedList } from "../../../board/follow-session.ts"
import { callIdOf } from "../../../bridges/calls/call-id.ts"
import { begunCopyOf, forgetCopy, notingCopy } from "../../../home/notes/begun-copies.ts"
import type { Entry } from "../../../plan/index.ts"
import type { FoundSession } from "../../../sessions/lookup/find-session.ts"
import { isSameFolder } from "../../../sessions/same-folder.ts"
import type { PlanKey, PlanSummary, Store } from "../../../stores/store.ts"
import { type CopyPlan, copyPlan, isCopyOf } from "../../../tracker/copy-plan.ts"
import type { Tracker } from "../../../tracker/tracker.ts"
import type { Io } from "../../io.ts"

export type BegunPlan = {
  store: Store
  tracker: Tracker
  agentType: string | undefined
  /** The project as plans name it: another one's plan is not copied. */
  project: string
  /** Headway's home. */
  home: string
  io: Pick<Io, "env" | "home" | "now">
}

/**
 * Gives an empty plan the list that the model has in its context: a copy of the plan the session was forked from, as it was
 * then, else what the calls in the session's own file lead to, with the same ids. A copy that was cut off is completed. Fails
 * only where it cannot be: a part of a plan must not be taken for the whole.
 */
export const beginFromSession = async ({ store, tracker, agentType, project, home, io }: BegunPlan): Promise<void> => {
  const { key } = tracker
  const begun = begunCopyOf(home, key)
  if ((tracker.ledger.entries > 0 && !begun) || agentType === undefined) return
  const { agent } = key
  const others = async (): Promise<PlanSummary[]> =>
    (await store.list({ project })).plans.filter((plan) => {
      const isOriginal = !begun || (plan.session === begun.session && plan.agent === begun.agent)
      return isOriginal && plan.agent === agent && plan.agentType === agentType && plan.session !== key.session
    })
  try {
    const source = await agentNamed(agentType)?.sessions?.()
    if (!source) return
    if (begun && (await others()).length === 0) {
      // The part is all there is.
      forgetCopy(home, key)
      if (tracker.ledger.entries > 0) return
    }
    const { findSession } = await import("../../../sessions/lookup/find-session.ts")
    const places = { source, env: io.env, home: io.home }
    const seen = await findSession(key, places)
    if (!seen) return
    const copied = await originalOf(store, await others(), seen)
    if (copied && (await isCopyOf(store, copied.from, key)))
      await notingCopy(home, { from: copied.from, to: key }, () => copyPlan({ store, to: key, ...copied }))
    // What was written to a part of it since has to stay the last word.
    else if (begun) forgetCopy(home, key)
    await tracker.refresh()
    const { forkedFrom, project: folder } = seen
    const shown = seen.plan || !forkedFrom ? seen : await findSession({ session: forkedFrom.session, agent }, places)
    // A file may name any session as the one it was forked from.
    if (!shown || (shown !== seen && !isSameFolder(shown.project, folder))) return
    if (tracker.ledger.entries === 0 && shown.plan && shown.plan.todos.length > 0)
      await followSession(tracker, { ...shown, agentType, readPlan: async () => shown.plan }, io.now())
  } catch (cause) {
    if (begunCopyOf(home, key)) throw cause
    // The plan begins with nothing then, as that of any new session.
  }
}

/**
 * The plan a session was forked from, and where the fork was made: the one its file names, else the one that was made by
 * the calls its file repeats, up to the first call that is not among them.
 */
const originalOf = async (
  store: Store,
  others: readonly PlanSummary[],
  { forkedFrom, plan, calls }: FoundSession,
): Promise<Pick<CopyPlan, "from" | "endsBefore"> | undefined> => {
  if (forkedFrom) {
    const from = others.find(({ session }) => session === forkedFrom.session)
    const { at } = forkedFrom
    return from && { from: keyIn(from), endsBefore: (entry) => at !== undefined && entry.at > at }
  }
  if (!plan || plan.todos.length === 0 || calls.length === 0) return undefined
  const ids = new Set(calls.map(({ callId, input }) => callIdOf(callId, input)))
  const isCall = ({ by, via }: Entry): boolean =>
    by.kind === "agent" && via?.callId !== undefined && !isImportedList(via.callId)
  const isRepeated = (entry: Entry): boolean => isCall(entry) && ids.has(entry.via?.callId ?? "")
  for (const other of others.slice(0, mostPlans)) {
    const from = keyIn(other)
    const { entries } = await store.load(from)
    if (entries.some(isRepeated)) return { from, endsBefore: (entry) => isCall(entry) && !isRepeated(entry) }
  }
  return undefined
}

/** A fork is mostly made of one of the last sessions; of an older one the list comes from its file. */
const mostPlans = 32

const keyIn = ({ session, agent }: PlanSummary): PlanKey => ({ session, agent })
