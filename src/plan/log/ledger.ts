/**
 * Everything known about a plan except the list: who did what and when, removed todos, and what the agent was told.
 */
import {
  type Actor,
  type DeepReadonly,
  type Entry,
  isPlanChange,
  type PlanEvent,
  type PlanMoved,
  type PlanOpened,
  type TodoChanged,
  type TodoDecided,
  type Writer,
} from "../event.ts"
import { normalise } from "../text/wording.ts"
import { isAllDone, isFinished, type Todo, type TodoStatus } from "../todo.ts"
import { type Burial, buryWordings, endBurial, reopenBurial } from "./burials.ts"
import type { Lease } from "./claims.ts"
import { leaseFrom, restoreLease, setLease, withoutLease } from "./leases.ts"
import { type Origin, originOf } from "./origins.ts"
import type { Replaced } from "./taken-back.ts"
import { spentUntil, withSeen } from "./time-spent.ts"
import { type PartlyTold, recordTold, recordWriter, takeUntold } from "./told.ts"

export type Stamp = {
  readonly at: string
  readonly by: Readonly<Actor>
  readonly entry: string
  /** The entry took another one back. */
  readonly isUndo?: true
  /**
   * A person took their own change, or their removal, back: whose word counts once the agent knows, `null` for the one who added the
   * todo.
   */
  readonly former?: Stamp | null
}

export type TodoRecord = {
  readonly added: Stamp
  /** Who last set which field; a field not listed is as it was added. */
  readonly set: Readonly<Partial<Record<string, Stamp>>>
  /** Since when it has the status it has. */
  readonly since: string
  /** Milliseconds spent in each status it has left. */
  readonly spent: Readonly<Partial<Record<TodoStatus, number>>>
  /** Wordings a person replaced: an agent that still uses one means this todo. */
  readonly formerly?: readonly string[]
  /** Who holds it. */
  readonly lease?: Readonly<Lease>
  /** The lease that an entry ended: it holds again once that entry is undone. */
  readonly formerLease?: { readonly entry: string; readonly lease: Readonly<Lease> }
  /** The entry that first added it and its id there, where that is not the entry and the id it is known by now. */
  readonly origin?: Readonly<Origin>
  /** The agent named it by its text after a person had added it: it knows that it is there. */
  readonly isKnown?: true
}

/** `record` is what was known about the todo, so that restoring it does not forget its times. */
export type Tombstone = Stamp & { readonly todo: Todo; readonly record?: TodoRecord }

/** A person's change the agent has not been told about yet; if several share the plan, none of them has. */
export type Untold = {
  readonly entry: string
  readonly at: string
  readonly by: Readonly<Actor>
  readonly events: readonly DeepReadonly<PlanEvent>[]
  readonly names?: Readonly<Record<string, string>>
  /** How many of its events the agent has been told about, if one notice had no room for all. */
  readonly told?: number
  /** It took another change back. */
  readonly isUndo?: true
}

/** What an agent did last with a todo that a person had decided otherwise about. */
export type Refused = { readonly content: string; readonly status: TodoStatus; readonly at: string }

export type FinishedList = {
  readonly todos: readonly string[]
  readonly phases: readonly string[]
  /** Who finished it. */
  readonly stamp: Stamp
}

export type Ledger = {
  readonly opened?: DeepReadonly<PlanOpened>
  readonly todos: ReadonlyMap<string, TodoRecord>
  readonly removed: ReadonlyMap<string, Tombstone>
  /** Every text a person removed, see `normalise`. */
  readonly buried: ReadonlyMap<string, Burial>
  /** The highest number that was ever an id, if no record is kept of removed todos. */
  readonly highestId?: number
  readonly untold: ReadonlyMap<string, Untold>
  /** By entry, when the agent was told about a person's change; only the latest. */
  readonly toldAt: ReadonlyMap<string, string>
  /** The changes it was told about last: a call that it had made before did not know them. */
  readonly toldLately: ReadonlyMap<string, Untold>
  /** Changes that some agents of a shared plan were told about, but not all. */
  readonly partlyTold: ReadonlyMap<string, PartlyTold>
  /** The agents on a plan that several share, by `client` of an actor; the one that was active last at the end. */
  readonly agents: ReadonlySet<string>
  /** The agent whose session the plan is has written to it, see `ownAgent`. */
  readonly isOwned?: true
  /** By entry, what persons' changes replaced that they had not seen; the last ones. */
  readonly replaced: ReadonlyMap<string, readonly Replaced[]>
  /** By the todo's text, see `normalise`; the last ones. */
  readonly refused: ReadonlyMap<string, Refused>
  /** The last call the agent made through Headway itself, and not only seen in its session. */
  readonly called?: { readonly dialect: string; readonly tool: string }
  readonly calls: ReadonlySet<string>
  /** The plan came back in a later session and has not been taken up there yet. */
  readonly paused: boolean
  /** Todos that were finished when the plan was resumed in a later session, and have not changed since. */
  readonly behind: ReadonlySet<string>
  /** The list an agent has finished and that was put away, by the ids of its todos, until a new one begins. */
  readonly finished?: FinishedList
  /** The finished list that an entry hid: it is shown again once that entry is undone. */
  readonly formerlyFinished?: { readonly entry: string; readonly list: FinishedList }
  /** The last move, and how many there were. */
  readonly moved?: Readonly<PlanMoved>
  readonly moves: number
  /** Entries that changed something, and the latest time one was written at: clocks go back, and logs are merged. */
  readonly entries: number
  readonly updated?: string
  /** The latest time of those an agent wrote, and the time of the last one in the log. */
  readonly worked?: string
  readonly lastWork?: string
  /** The machine and person for which its agent last wrote, or the first writer until it does. Only in shared plans. */
  readonly from?: Readonly<Writer>
}

/** The ledger as the fold writes it. */
export type MutableLedger = { -readonly [Part in keyof Ledger]: Ledger[Part] } & {
  readonly todos: Map<string, TodoRecord>
  readonly removed: Map<string, Tombstone>
  readonly buried: Map<string, Burial>
  readonly untold: Map<string, Untold>
  readonly toldAt: Map<string, string>
  readonly toldLately: Map<string, Untold>
  readonly partlyTold: Map<string, PartlyTold>
  readonly agents: Set<string>
  readonly replaced: Map<string, readonly Replaced[]>
  readonly refused: Map<string, Refused>
  readonly calls: Set<string>
  readonly behind: Set<string>
}

export const createLedger = (): MutableLedger => ({
  todos: new Map(),
  removed: new Map(),
  buried: new Map(),
  untold: new Map(),
  toldAt: new Map(),
  toldLately: new Map(),
  partlyTold: new Map(),
  agents: new Set(),
  replaced: new Map(),
  refused: new Map(),
  calls: new Set(),
  behind: new Set(),
  paused: false,
  moves: 0,
  entries: 0,
})

export const emptyLedger: Ledger = createLedger()

/** What is asked of the plan while an entry is written down. */
export type Asked = {
  /** Todos that are finished and were not when this was last asked. */
  finished(): readonly string[]
  isLastUntold(entry: string): boolean
  /** A todo as it is after the entry. */
  todoOf(id: string): Todo | undefined
}

/**
 * Records the effects of an entry (true old values, final ids). Returns the person's changes that the agent no longer
 * needs to be told.
 */
export const record = (
  ledger: MutableLedger,
  entry: Entry,
  events: readonly PlanEvent[],
  { finished, isLastUntold, todoOf }: Asked,
): Untold[] => {
  const made: Stamp = { at: entry.at, by: entry.by, entry: entry.id }
  const stamp: Stamp = entry.undoes === undefined ? made : { ...made, isUndo: true }
  recordWriter(ledger, entry.by)
  if (entry.via?.callId !== undefined) ledger.calls.add(entry.via.callId)
  if (entry.by.kind === "agent" && entry.via && entry.via.dialect !== observedDialect) {
    const { dialect, tool } = entry.via
    ledger.called = { dialect, tool }
  }
  if (events.some((event) => isPlanChange(event) || event.type === "plan-opened")) {
    ledger.entries += 1
    if (ledger.updated === undefined || ledger.updated < entry.at) ledger.updated = entry.at
    if (entry.by.kind === "agent") {
      ledger.lastWork = entry.at
      if (ledger.worked === undefined || ledger.worked < entry.at) ledger.worked = entry.at
    }
    if (entry.from && (entry.by.kind === "agent" || !ledger.from)) ledger.from = entry.from
  }
  const told: Untold[] = []
  const putAway = ledger.finished ? new Set(ledger.finished.todos) : noTodos
  for (const event of events) {
    if (event.type === "agent-told") for (const change of recordTold(ledger, event, stamp.at)) told.push(change)
    recordOne(ledger, stamp, event, { finished, putAway })
    if (entry.undoes !== undefined) restoreLease(ledger, event, entry.undoes, todoOf)
  }
  // The plan is as empty as it was after the finished list was hidden.
  const { formerlyFinished: former } = ledger
  if (former && former.entry === entry.undoes && ledger.todos.size === 0) ledger.finished = former.list
  if (entry.by.kind !== "person" || events.every((event) => untelling.has(event.type))) return told
  // A change that was undone before the agent was told needs no notice and holds nothing.
  if (entry.undoes !== undefined && isLastUntold(entry.undoes) && !ledger.untold.get(entry.undoes)?.told) {
    const undone = takeUntold(ledger, entry.undoes)
    return undone ? [...told, undone] : told
  }
  const news = events.filter((event) => !isPuttingAway(stamp, event))
  if (news.length === 0) return told
  const names = entry.names && { names: entry.names }
  ledger.untold.set(entry.id, { ...stamp, events: news, ...names })
  return told
}

/** The todo is out of the agent's list as it was before the person changed that list, and the person still sees it. */
const isPuttingAway = ({ by, isUndo }: Stamp, event: PlanEvent): boolean =>
  isUndo === true && by.kind === "person" && event.type === "todo-removed" && event.putsAway === true

/** A person's changes that do not concern an agent, or that it knows from another plan. */
const untelling: ReadonlySet<string> = new Set<PlanEvent["type"]>([
  "plan-opened",
  "todo-decided",
  "todo-buried",
  "check-set",
  "check-removed",
  "check-ran",
])

/** How an entry names the list of a session that was only observed. */
export const observedDialect = "observed"

const noTodos: ReadonlySet<string> = new Set()

type Around = Pick<Asked, "finished"> & {
  /** The todos of the finished list that was put away before the entry. */
  putAway: ReadonlySet<string>
}

const recordOne = (ledger: MutableLedger, stamp: Stamp, event: PlanEvent, { finished, putAway }: Around): void => {
  switch (event.type) {
    case "plan-opened":
      ledger.opened ??= event
      return
    case "todo-added":
      recordAdded(ledger, stamp, event, putAway)
      endBurial(ledger.buried, event.todo.content, event.todo.id)
      if (ledger.finished) ledger.formerlyFinished = { entry: stamp.entry, list: ledger.finished }
      delete ledger.finished
      if (ledger.refused.size > 0) ledger.refused.delete(normalise(event.todo.content))
      if (stamp.by.kind === "agent" && event.todo.status === "in_progress") ledger.paused = false
      return
    case "todo-changed":
      recordChange(ledger, stamp, event)
      return
    case "todo-removed":
      bury(ledger, isPuttingAway(stamp, event) ? (ledger.formerlyFinished?.list.stamp ?? stamp) : stamp, event.todo)
      return
    case "plan-cleared":
      for (const todo of event.todos) bury(ledger, stamp, todo)
      recordCleared(ledger, stamp, event)
      return
    case "todo-refused":
      recordRefused(ledger, stamp, event)
      return
    case "todo-decided":
      recordDecided(ledger, stamp, event)
      return
    case "todo-buried":
      recordBuried(ledger, stamp, event)
      return
    case "todo-claimed":
      setLease(ledger, event.id, leaseFrom(event, stamp))
      return
    case "todo-released":
      setLease(ledger, event.id, undefined)
      return
    case "plan-restored":
      if (event.context !== "resume") return
      ledger.paused = true
      for (const id of finished()) ledger.behind.add(id)
      return
    case "plan-resumed":
      ledger.paused = false
      return
    case "plan-moved":
      ledger.moved = event
      ledger.moves += 1
      return
    default:
      return
  }
}

/** Beyond this number they are no longer distinguished. */
const mostRefused = 50

const recordRefused = (
  { refused }: MutableLedger,
  { at }: Stamp,
  { content, status }: Extract<PlanEvent, { type: "todo-refused" }>,
): void => {
  const text = normalise(content)
  refused.delete(text)
  refused.set(text, { content, status, at })
  const [oldest] = refused.keys()
  if (refused.size > mostRefused && oldest !== undefined) refused.delete(oldest)
}

/** A list is put away when an agent has finished it; what a person clears is gone. */
const recordCleared = (
  ledger: MutableLedger,
  stamp: Stamp,
  { todos, phases = [] }: Extract<PlanEvent, { type: "plan-cleared" }>,
): void => {
  if (stamp.by.kind !== "person" && isAllDone(todos))
    ledger.finished = { todos: todos.map(({ id }) => id), phases, stamp }
  else delete ledger.finished
}

/**
 * The record of a todo that comes back: its adder is now the one who brought it back, but it keeps its times and
 * wordings. Its authors stay the same if a person undoes their own removal, or if a list that was put away is continued.
 */
const recordAdded = (
  ledger: MutableLedger,
  stamp: Stamp,
  { todo: { id }, times }: Extract<PlanEvent, { type: "todo-added" }>,
  putAway: ReadonlySet<string>,
): void => {
  const tombstone = ledger.removed.get(id)
  const { spent = {}, formerly, added, set = {}, lease } = tombstone?.record ?? {}
  const isBack = stamp.isUndo === true && tombstone?.by.kind === "person"
  const whose =
    added && putAway.has(id)
      ? { added, set }
      : added && isBack
        ? { added: { ...stamp, former: added.former ?? added }, set }
        : { added: stamp, set: {} }
  const origin = originOf(ledger, id)
  ledger.removed.delete(id)
  ledger.behind.delete(id)
  const formerLease = tombstone && lease ? { formerLease: { entry: tombstone.entry, lease } } : {}
  const kept = { ...(formerly ? { formerly } : {}), ...(origin ? { origin } : {}), ...formerLease }
  ledger.todos.set(id, { ...whose, since: times?.since ?? stamp.at, spent: withSeen(spent, times), ...kept })
}

/** How many of the wordings that a person replaced are kept. */
const mostWordings = 8

/** Only a person's own entry says what they decided: one of another actor changes nothing. */
const recordDecided = (
  ledger: MutableLedger,
  stamp: Stamp,
  { id, fields, added, formerly = [] }: TodoDecided,
): void => {
  const old = ledger.todos.get(id)
  if (!old || stamp.by.kind !== "person") return
  const stampOf = (field: string): Stamp | undefined => (Object.hasOwn(old.set, field) ? old.set[field] : old.added)
  const others = (added?.others ?? []).map((field) => [field, stampOf(field)] as const)
  const own = fields.map((field) => [field, stamp] as const)
  const wordings = [...new Set([...formerly, ...(old.formerly ?? [])])].slice(-mostWordings)
  const origin = originOf(ledger, id)
  ledger.todos.set(id, {
    ...old,
    set: { ...old.set, ...Object.fromEntries([...others, ...own]) },
    ...(added ? { added: stamp, ...(origin ? { origin } : {}) } : {}),
    ...(wordings.length > 0 ? { formerly: wordings } : {}),
  })
}

const recordBuried = (
  ledger: MutableLedger,
  stamp: Stamp,
  { todo, formerly }: Extract<PlanEvent, { type: "todo-buried" }>,
): void => {
  if (stamp.by.kind !== "person") return
  const wordings = formerly ? { formerly: formerly.slice(-mostWordings) } : {}
  const record: TodoRecord = { added: stamp, set: {}, since: stamp.at, spent: {}, ...wordings }
  ledger.removed.set(todo.id, { ...stamp, todo, record })
  buryWordings(ledger.buried, wordingsIn(todo, record))
}

/** The agent may know a todo by a wording from before the person's. */
const wordingsIn = ({ content }: Todo, record: TodoRecord | undefined): readonly string[] => [
  ...(record?.formerly ?? []),
  content,
]

/** Records are replaced, never changed in place: a snapshot may hold the one before. */
const recordChange = (
  ledger: MutableLedger,
  stamp: Stamp,
  { id, from, to, times, byText, former }: TodoChanged,
): void => {
  const old = ledger.todos.get(id)
  if (!old) return
  const set = { ...old.set }
  const isTakenBack = stamp.isUndo && stamp.by.kind === "person"
  // If an agent adds notes to a person's, the field still counts as set by the person.
  const isAddingNotes = stamp.by.kind === "agent" && from.notes === null && set.notes?.by.kind === "person"
  for (const field of Object.keys(to)) {
    if (field === "notes" && isAddingNotes) continue
    if (isTakenBack && former) set[field] = { ...stamp, former: former[field] ?? null }
    // Entries of older versions do not say whose word it was before.
    else if (isTakenBack && set[field]?.by.kind === "person") delete set[field]
    else set[field] = stamp
  }
  const { lease } = old
  const isGivenAway = to.owner !== undefined && to.owner !== lease?.owner
  const isLost = lease !== undefined && (isGivenAway || (to.status && isFinished(to.status)))
  const isReworded = from.content && stamp.by.kind === "person"
  const at = times?.since ?? stamp.at
  ledger.todos.set(id, {
    ...(isLost ? { ...withoutLease(old), formerLease: { entry: stamp.entry, lease } } : old),
    set,
    since: from.status ? at : old.since,
    spent: from.status ? withSeen(spentUntil(old, from.status, at), times) : old.spent,
    ...(isReworded ? { formerly: [...(old.formerly ?? []), from.content ?? ""].slice(-mostWordings) } : {}),
    ...(byText && stamp.by.kind === "agent" ? { isKnown: byText } : {}),
  })
  if (stamp.isUndo && from.content) reopenBurial(ledger.buried, from.content, id)
  if (to.content) endBurial(ledger.buried, to.content, id)
  if (!from.status) return
  ledger.behind.delete(id)
  if (stamp.by.kind === "agent") ledger.paused = false
}

const bury = (ledger: MutableLedger, stamp: Stamp, todo: Todo): void => {
  const old = ledger.todos.get(todo.id)
  const record = old && { ...old, spent: spentUntil(old, todo.status, stamp.at) }
  ledger.todos.delete(todo.id)
  // Undoing the undo that brought it back is the removal again.
  const { isUndo: _, ...meant } = stamp
  const how: Stamp = old?.added.isUndo ? meant : stamp
  ledger.removed.set(todo.id, { ...how, todo, ...(record ? { record } : {}) })
  if (how.isUndo) reopenBurial(ledger.buried, todo.content, todo.id)
  else if (how.by.kind === "person") buryWordings(ledger.buried, wordingsIn(todo, record))
}
