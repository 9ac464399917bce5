/** Folds entries, in log order, into a plan and its ledger. What must hold across writers is decided here. */
import { applyToDraft } from "./draft/apply-events.ts"
import { createDraft, hold, introducePlan, nextId, planOf, todoIn } from "./draft/draft.ts"
import type { Entry, PlanEvent } from "./event.ts"
import { isUntoldWord, setterOf } from "./log/by-person.ts"
import { decideClaims, withoutClaimedByOthers } from "./log/claims.ts"
import { createLedger, type Ledger, record } from "./log/ledger.ts"
import { createOriginIndex } from "./log/origins.ts"
import { withoutOverruled } from "./log/person-wins.ts"
import { createSeenIds } from "./log/seen-ids.ts"
import { type FoldSnapshot, packFold, unpackLedger } from "./log/snapshot.ts"
import { inOrderOfLog, recordReplaced } from "./log/taken-back.ts"
import { ledgerFor, newsIn } from "./log/told.ts"
import { createUntoldIndex } from "./log/untold-index.ts"
import { emptyPlan, isFinished, nativeIdOf, type Plan, type Todo } from "./todo.ts"

export type Fold = {
  readonly plan: Plan
  readonly ledger: Ledger
  /** The plan's revision, without computing the plan. */
  readonly revision: number
  /** Applies the next entry of the log and returns its effects: none for an entry or a call already seen. */
  add(entry: Entry): PlanEvent[]
  /** Whether an entry of this id was taken. */
  has(id: string): boolean
  /** The folded state as plain data; `createFold(snapshot)` goes on from there. */
  snapshot(): FoldSnapshot
}

export const createFold = (snapshot?: FoldSnapshot): Fold => {
  const draft = createDraft(snapshot?.plan ?? emptyPlan, snapshot?.goneIds)
  const ledger = snapshot ? unpackLedger(snapshot) : createLedger()
  // A log may have a line twice: two branches were merged, a backup was restored, a writer tried again.
  const seen = createSeenIds(snapshot?.seen)
  const isUsed = (id: string): boolean => draft.links.has(id) || draft.goneIds.has(id)
  const origins = createOriginIndex(ledger, isUsed, () => nextId(draft))
  const untold = createUntoldIndex(ledger)
  /** Updates which statuses are held, for todos whose status changed. */
  const updateHeld = (events: readonly PlanEvent[], known: Ledger = ledger): void => {
    for (const event of events) for (const id of idsIn(event)) hold(draft, id, statusIsHeld(known, id))
  }
  for (const { events } of ledger.untold.values()) updateHeld(events)
  /** Todos added or changed since `newlyFinished` was last called; undefined before the first call. */
  let touched: Set<string> | undefined
  const touch = (events: readonly PlanEvent[]): void => {
    for (const event of events) {
      if (event.type === "todo-added") touched?.add(event.todo.id)
      if (event.type === "todo-changed") touched?.add(event.id)
    }
  }
  const newlyFinished = (): string[] => {
    const asked = [...(touched ?? draft.links.keys())]
    touched = new Set()
    return asked.filter((id) => isFinished(todoIn(draft, id)?.status ?? "pending"))
  }
  const todoOf = (id: string): Todo | undefined => todoIn(draft, id)
  // Created once, not per entry, because logs have many thousands of entries.
  const asked = { finished: newlyFinished, isLastUntold: untold.isLast, todoOf }
  const options = { agents: { heedsHeld: true, keepsListWhole: true }, others: {} }
  return {
    get plan() {
      const plan = planOf(draft)
      introducePlan(draft, plan)
      return plan
    },
    ledger,
    get revision() {
      return draft.revision
    },
    add(written) {
      if (!seen.add(written.id)) return []
      const entry = inOrderOfLog(origins.withCurrentIds(written), ledger)
      const callId = entry.via?.callId
      if (callId !== undefined && ledger.calls.has(callId)) return []
      // Entries from elsewhere are treated like an agent's: they do not overrule a change by the person here.
      const isAgents = entry.by.kind === "agent" || entry.by.kind === "other"
      const claimed = decideClaims(entry, ledger, todoOf)
      const decided = isAgents ? withoutClaimedByOthers(claimed, entry, ledger) : claimed
      const known = isAgents ? ledgerFor(ledger, entry.by.client, entry.via?.madeAt) : ledger
      const index = known === ledger ? untold : createUntoldIndex(known)
      const events = isAgents
        ? withoutOverruled(entry.by, withoutTwins(decided, todoOf), { ledger: known, untold: index, todoOf })
        : decided.flatMap((one) => firstTelling(one, ledger))
      const heldBack = known === ledger ? nothing : [...known.untold.values()].flatMap((change) => change.events)
      updateHeld(heldBack, known)
      const happened = applyToDraft(draft, events, entry.settle, isAgents ? options.agents : options.others)
      touch(happened)
      if (entry.by.kind === "person") recordReplaced(ledger, entry, happened)
      const told = record(ledger, entry, happened, asked)
      untold.update(entry.id, happened, told)
      if (entry.by.kind === "person" || draft.held.size > 0) updateHeld(happened)
      for (const change of told) updateHeld(change.events)
      updateHeld(heldBack)
      // A todo that was finished again after this same entry restored the plan must be reported again.
      touch(happened)
      origins.keep(written, entry, events, happened)
      return happened
    },
    has: seen.has,
    snapshot() {
      return { ...packFold(planOf(draft), [...draft.goneIds], ledger), seen: seen.pack() }
    },
  }
}

const nothing: readonly PlanEvent[] = []

type TodoOf = (id: string) => Todo | undefined

const withoutTwins = (events: readonly PlanEvent[], todoOf: TodoOf): readonly PlanEvent[] =>
  events.some((event) => isThere(event, todoOf)) ? events.filter((event) => !isThere(event, todoOf)) : events

/**
 * Whether a task was added by another process that read about it in the same moment: hooks of calls made at the same time, and
 * commands that read the session. A task that the writer knew would have another id.
 */
const isThere = (event: PlanEvent, todoOf: TodoOf): boolean => {
  if (event.type !== "todo-added" || event.restores) return false
  const { id, content } = event.todo
  const native = nativeIdOf(event.todo)
  const there = native === undefined ? undefined : todoOf(id)
  return there !== undefined && nativeIdOf(there) === native && there.content === content
}

/** The events of an entry that is not an agent's, without what the agent was already told. */
const firstTelling = (event: PlanEvent, ledger: Ledger): PlanEvent[] => {
  // Only an agent's changes are refused.
  if (event.type === "todo-refused") return []
  return event.type === "agent-told" ? newsIn(event, ledger) : [event]
}

export const fold = (entries: Iterable<Entry>): Pick<Fold, "plan" | "ledger"> => {
  const state = createFold()
  for (const entry of entries) state.add(entry)
  return state
}

const idsIn = (event: PlanEvent): readonly string[] => {
  switch (event.type) {
    case "todo-changed":
      return event.to.status ? [event.id] : []
    case "todo-added":
    case "todo-removed":
      return [event.todo.id]
    case "plan-cleared":
      return event.todos.map(({ id }) => id)
    default:
      return []
  }
}

/** Whether a person gave the todo its status and the agent does not know yet. Settling does not change it either. */
const statusIsHeld = (ledger: Ledger, id: string): boolean => isUntoldWord(ledger, id, setterOf(ledger, id, "status"))
