/** Folds entries, in log order, into a plan and its ledger. What must hold across writers is decided here. */
import { applyToDraft } from "./draft/apply-events.ts"
import { createDraft, hold, introducePlan, nextId, planOf, todoIn } from "./draft/draft.ts"
import type { Actor, Entry, PlanEvent, TodoPatch } from "./event.ts"
import { adderOf, personSet, setterOf } from "./log/by-person.ts"
import { decideClaims, withoutClaimedByOthers } from "./log/claims.ts"
import { createLedger, type Ledger, record, type Stamp } from "./log/ledger.ts"
import { createOriginIndex } from "./log/origins.ts"
import { createSeenIds } from "./log/seen-ids.ts"
import { type FoldSnapshot, packFold, unpackLedger } from "./log/snapshot.ts"
import { inOrderOfLog, recordReplaced } from "./log/taken-back.ts"
import { ledgerFor, newsIn } from "./log/told.ts"
import { isUntoldAbout } from "./log/untold.ts"
import { createUntoldIndex, type UntoldIndex } from "./log/untold-index.ts"
import { notesInReach } from "./notes.ts"
import { normalise } from "./text/wording.ts"
import { emptyPlan, isAllDone, isFinished, nativeIdOf, type Plan, type Todo, type TodoStatus } from "./todo.ts"

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
        ? newRefusals(withoutOverruled(entry.by, withoutTwins(decided, todoOf), known, index, todoOf), known)
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

/**
 * A person wins: until the agent has been told about a person's change, nothing the agent writes undoes it. Decided
 * here and not by the writer, because the person may write while the agent is thinking.
 */
const withoutOverruled = (
  by: Actor,
  events: readonly PlanEvent[],
  ledger: Ledger,
  untold: UntoldIndex,
  todoOf: (id: string) => Todo | undefined,
): readonly PlanEvent[] => {
  if (ledger.untold.size === 0 && !events.some(({ type }) => type === "agent-told")) return events
  const withheld = new Set<string>()
  // The agent may have proposed a new todo under the id of one that a person added in the meantime. A todo that it brings
  // back may be that same todo.
  const own = new Set<string>()
  // A granted claim takes the todo: a person who released it did so for the next owner.
  const claimed = new Set(events.flatMap((event) => (event.type === "todo-claimed" ? [event.id] : [])))
  // The agent knows a todo that it names by its text, but not what a person has set on it since.
  const named = new Set(by.kind === "agent" ? events.flatMap(namedIn) : [])
  const isKnown = (id: string): boolean => own.has(id) || named.has(id) || ledger.todos.get(id)?.isKnown === true
  const isUntoldWord = (id: string, stamp: Stamp | undefined): boolean =>
    stamp?.by.kind === "person" && isUntoldAbout(ledger, stamp.entry, id)
  /** A person added the todo or brought it back, whatever was set on it before that. */
  const isNews = (id: string): boolean => !isKnown(id) && isUntoldWord(id, adderOf(ledger, id))
  const isUntold = (id: string, field: string): boolean => {
    if (own.has(id) || (field === "owner" && claimed.has(id))) return false
    const setter = setterOf(ledger, id, field)
    return setter ? isUntoldWord(id, setter) : isNews(id)
  }
  const isGuarded = ({ id }: Todo): boolean =>
    isNews(id) || Object.keys(ledger.todos.get(id)?.set ?? {}).some((field) => isUntold(id, field))
  /** A status is not changed under what a person said about it. */
  const isHeld = (id: string, field: string): boolean =>
    isUntold(id, field) || (field === "status" && aboutStatus.some((one) => todoOf(id)?.[one] && isUntold(id, one)))
  const allowed = (id: string, to: TodoPatch): TodoPatch => {
    const gone = new Set<string>(to.status && isHeld(id, "status") ? aboutStatus : [])
    return Object.fromEntries(Object.entries(to).filter(([field]) => !gone.has(field) && !isHeld(id, field)))
  }
  /** A note beside the person's undoes nothing. */
  const newNotes = (id: string, { notes }: TodoPatch): PlanEvent[] => {
    if (!notes || !isUntold(id, "notes")) return []
    const known = new Set(notesInReach(todoOf(id)?.notes ?? [], notes.length))
    const added = notes.filter((note) => !known.has(note))
    return added.length > 0 ? [{ type: "todo-changed", id, from: { notes: null }, to: { notes: added } }] : []
  }
  /** An agent's list that still has the status from before the person's change does not contradict it. */
  const refusedStatus = (id: string, { status }: TodoPatch): PlanEvent[] => {
    if (!status || !isHeld(id, "status")) return []
    const { events: made = [] } = ledger.untold.get(personSet(ledger, id, "status")?.entry ?? "") ?? {}
    const isAsBefore = made.some((one) => one.type === "todo-changed" && one.id === id && one.from.status === status)
    return isAsBefore ? [] : [{ type: "todo-refused", content: todoOf(id)?.content ?? "", status }]
  }
  /** A change that gives a todo the text of a todo that a person removed is refused as a whole: it means the removed one. */
  const refusedWording = (id: string, { content, status }: TodoPatch): PlanEvent[] => {
    const old = todoOf(id)
    if (!old || !content || !untold.isRemoved(content) || normalise(content) === normalise(old.content)) return []
    return [{ type: "todo-refused", content, status: status ?? old.status }]
  }
  return events.flatMap((event): PlanEvent[] => {
    // No call adds a todo again, by its text, that a person removed without the agent knowing.
    if (event.type === "todo-added" && untold.isRemoved(event.todo.content)) {
      withheld.add(event.todo.id)
      const { content, status } = event.todo
      return [{ type: "todo-refused", content, status }]
    }
    if ((event.type === "todo-changed" || event.type === "todo-moved") && withheld.has(event.id)) return []
    if (event.type === "todo-added" && !event.restores) own.add(event.todo.id)
    // Only Headway itself, on this machine, knows what it has told the agent.
    if (event.type === "agent-told") return []
    if (event.type === "todo-changed") {
      const refused = refusedWording(event.id, event.to)
      if (refused.length > 0) return refused
      return [
        ...newNotes(event.id, event.to),
        { ...event, to: allowed(event.id, event.to) },
        ...refusedStatus(event.id, event.to),
      ]
    }
    if (event.type === "todo-removed") return isGuarded(event.todo) ? [] : [event]
    // A person still sees a finished list that is put away, so nothing of theirs is undone.
    if (event.type === "plan-cleared" && !isAllDone(event.todos))
      return [{ ...event, todos: event.todos.filter((todo) => !isGuarded(todo)) }]
    return [event]
  })
}

const aboutStatus = ["reason", "waitsFor"] as const

const namedIn = (event: PlanEvent): string[] => (event.type === "todo-changed" && event.byText ? [event.id] : [])

/**
 * An agent that sends its whole list repeats itself with every call, so only new refusals are reported. An agent that does
 * not know of a removal yet, and still has the todo as it was, has done nothing new.
 */
const newRefusals = (events: readonly PlanEvent[], { refused, removed, untold }: Ledger): readonly PlanEvent[] => {
  if (!events.some(({ type }) => type === "todo-refused")) return events
  const known = new Map<string, TodoStatus>()
  for (const { entry, todo } of removed.values()) if (untold.has(entry)) known.set(normalise(todo.content), todo.status)
  for (const [text, { status }] of refused) known.set(text, status)
  return events.filter((event) => {
    if (event.type !== "todo-refused") return true
    const text = normalise(event.content)
    const isNew = known.get(text) !== event.status
    known.set(text, event.status)
    return isNew
  })
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
const statusIsHeld = (ledger: Ledger, id: string): boolean => {
  const stamp = setterOf(ledger, id, "status")
  return stamp?.by.kind === "person" && isUntoldAbout(ledger, stamp.entry, id)
}
