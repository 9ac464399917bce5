/** The hub: one plan of one agent. Calls and edits go in, in order; the plan and what changed come out. */
import type { DataOf, Dialect, ToolCall } from "../dialects/dialect.ts"
import { changesForNotice, type EditNotice } from "../guidance/edit-notice.ts"
import type { FailedCall } from "../guidance/failed-call.ts"
import { frozen, frozenEvents, readOnlyLedger } from "../plan/frozen.ts"
import {
  type Actor,
  changeInSight,
  claim,
  contentById,
  diff,
  type Entry,
  emptyPlan,
  entryVersion,
  type FieldsLeft,
  firstError,
  HeadwayError,
  idsForAgent,
  isKnown,
  isPlanChange,
  type Lease,
  type Ledger,
  lastUndoable,
  ledgerFor,
  messageOf,
  type Plan,
  type PlanEvent,
  type PlanOpened,
  type Problem,
  refusedClaims,
  replay,
  type Settle,
  type ToldPart,
  todoById,
  toldWith,
  undoing,
  type Wanted,
  warning,
  wouldChange,
} from "../plan/index.ts"
import type { PlanKey, PlanSummary, Store } from "../stores/store.ts"
import { applyCall, applyGatedCall } from "./apply-call.ts"
import { arrive } from "./arrive.ts"
import { answerCall } from "./call.ts"
import type { Gate } from "./gate.ts"
import { type EntryPart, type Happened, openPlanLog, system } from "./log.ts"
import { importOf, type KnownList, type Observed } from "./observed.ts"

export type { Observed } from "./observed.ts"

export type TrackerOptions = {
  store: Store
  session: string
  /** @default "main" */
  agent?: string
  /** What is known about the agent, recorded when the plan is started. */
  opened?: Pick<PlanOpened, "agentType" | "project" | "parent" | "title">
  now?: () => Date
  newId?: () => string
  /** How the agent is told about a person's changes; without it they stay untold. */
  editNotice?: EditNotice
  /**
   * Called with the text about a person's changes before they count as told, because the process may be killed before
   * it can pass the text on.
   */
  onTelling?: (notice: { entries: readonly string[]; part?: ToldPart; text: string }) => void
  /** Called before a call of the agent marks todos as done. Not used for observed lists, which have already changed. */
  gate?: Gate | undefined
  /**
   * Called with what went wrong outside the work itself: lines that could not be read, a list that could not be published.
   * @default the error log of the home the plans are kept in, where they are kept in one
   */
  onProblem?: (problem: Problem) => void
}

/** `Data` depends on the dialect of the call. */
export type Written<Data = unknown> = {
  /** False if the reply reports an error, even if part of the call was applied. */
  ok: boolean
  /** The text for the model: the reply, and a person's changes since. */
  text: string
  /** The structured result in the shape of this dialect, or undefined if it has none. */
  data: Data
  /** The person's changes that this reply reports; part of `text`. */
  notice?: string
  /** The events that took effect. */
  events: readonly PlanEvent[]
  problems: readonly Problem[]
  plan: Plan
}

/** `plan` is the state after all entries that were read together with this one. */
export type Change = { plan: Plan; events: readonly PlanEvent[]; entry: Entry }

/** `isOurs` says whether the claim was granted, `lease` who holds the todo now, and `why` the reason for a refusal. */
export type Claimed = { isOurs: boolean; lease?: Lease; why?: string }

export type Undone = { undone: Entry; events: readonly PlanEvent[]; left: readonly FieldsLeft[] }

/**
 * Decides what to change, given the plan at the time the action runs. It may be called twice, if others have changed the
 * plan since: the last decision counts.
 */
export type Decide = (plan: Plan, ledger: Ledger) => readonly PlanEvent[]

export type WriteOptions = {
  /** Called before the call marks todos as done. @default the tracker's gate */
  gate?: Gate | undefined
  /** Whether the agent gets the reply; if not, a person's changes stay untold. @default true */
  reachesAgent?: boolean
}

export interface Tracker {
  readonly key: PlanKey
  readonly plan: Plan
  readonly ledger: Ledger
  /** 0 for an agent of its own, 1 for its sub-agents, and so on. */
  readonly depth: number
  readonly isSubAgent: boolean
  /** The last list call, if it failed and was not repeated since: its progress is missing. */
  readonly failure: FailedCall | undefined
  /** The number of changes that are only in memory because the store is full; see `holdInMemory`. */
  readonly unwritten: number
  /** One tool call through a dialect. Calls are applied strictly in the order they are made. */
  write<Spoken extends Dialect>(
    call: ToolCall,
    dialect: Spoken,
    options?: WriteOptions,
  ): Promise<Written<DataOf<Spoken>>>
  /**
   * A change that does not come from the agent's tools, and what to settle after it. A person decides on the plan they see, see
   * `planInSight`. Returns the events that took effect. `entryId` sets the id of the entry, for a caller that may undo exactly this one.
   */
  edit(by: Actor, decide: Decide, settle?: Settle, entryId?: string): Promise<readonly PlanEvent[]>
  /** Makes the list exactly this. */
  set(by: Actor, todos: readonly Wanted[]): Promise<readonly PlanEvent[]>
  /**
   * Imports the list that the agent's own session shows, or records that there is nothing new in it. Each call id is applied once,
   * so an old list never undoes later changes.
   */
  mirror(observed: Observed | KnownList): Promise<readonly PlanEvent[]>
  /** Claims a todo for a while. If several ask at once, exactly one gets it; the result says which. */
  claim(todo: string, owner: string, minutes?: number): Promise<Claimed>
  clear(by: Actor): Promise<readonly PlanEvent[]>
  /**
   * Undoes the change of an entry, as a new entry; without an id the last change by an actor of the same kind, so that
   * a person never undoes an agent's change by accident. Fields that were changed again since are left as they are.
   * Returns undefined if there is none. If nothing of the change can be undone, `events` is empty and nothing is recorded.
   */
  undo(by: Actor, entryId?: string): Promise<Undone | undefined>
  /** All entries ever written, in log order. */
  entries(): Promise<Entry[]>
  /** A text for the agent about a person's changes it does not know yet; from then on they count as told. */
  tellAgent(): Promise<string | undefined>
  /** Restores the plan for the agent. After `resume` it is paused until `resume()` or the agent's next step. */
  restore(context: "start" | "resume" | "compact"): Promise<void>
  resume(by: Actor): Promise<void>
  /** Copies the plan to a new session and continues there. Returns false if there was nothing to copy. */
  moveTo(session: string): Promise<boolean>
  /** A sub-agent's own plan, linked to this one. */
  child(agent: string, options?: { agentType?: string; todo?: string; title?: string }): Promise<Tracker>
  /** The plans of the sub-agents, in one line each. */
  children(): Promise<PlanSummary[]>
  /** Reads what others have written since. */
  refresh(): Promise<Plan>
  /** Called after every change, from this process or another. Returns a function that unsubscribes. */
  subscribe(listener: (change: Change) => void): () => void
  /** Keeps reading other processes' changes until the returned function is called. */
  follow(): Promise<() => Promise<void>>
  close(): Promise<void>
}

export const openTracker = async (options: TrackerOptions): Promise<Tracker> => openAt(options, [])

const openAt = async (options: TrackerOptions, ancestors: readonly string[]): Promise<Tracker> => {
  const { store, session, agent = "main", now = () => new Date(), newId = randomId } = options
  const depth = ancestors.length
  const listeners = new Set<(change: Change) => void>()
  let failure: FailedCall | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const inOrder = <Result>(action: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(action)
    queue = result.catch(() => {})
    return result
  }

  /** A host's error while handling a problem must not lose an entry of the plan. */
  const onProblem = (problem: Problem): void => {
    try {
      options.onProblem?.(problem)
    } catch {}
  }

  const announce = (change: Change): void => {
    for (const listener of listeners) {
      try {
        listener(change)
      } catch (cause) {
        onProblem(warning("listener-failed", `A listener of the plan failed: ${messageOf(cause)}`))
      }
    }
  }

  const announceAll = (happened: readonly Happened[]): void => {
    const changes = happened.filter(({ events }) => events.some(isPlanChange))
    // All share one plan, because a log may grow by many entries at once.
    const plan = changes.length > 0 && frozen(log.fold.plan)
    if (plan) for (const { entry, events } of changes) announce({ plan, events: frozenEvents(events), entry })
  }

  const log = await openPlanLog({
    store,
    key: { session, agent },
    opened: options.opened,
    now,
    newId,
    listener: () => (listeners.size > 0 ? announceAll : undefined),
    onProblem,
    inOrder,
  })
  const { catchUp, commit } = log

  const change = (by: Actor, decide: Decide, part: Partial<EntryPart> = {}): Promise<readonly PlanEvent[]> =>
    inOrder(async () => {
      const happened = await log.change(() => {
        const [{ plan }, ledger] = [log.fold, readOnlyLedger(log.fold.ledger)]
        const events = by.kind === "person" ? changeInSight(plan, ledger, decide) : decide(plan, ledger)
        return events.length > 0 ? { ...part, by, events: [...events] } : undefined
      })
      return frozenEvents(happened)
    })

  /** `client` is one of several agents that share the plan, the one whose session it is without it. */
  const tellNow = async (client?: string): Promise<string | undefined> => {
    const { ledger } = log.fold
    const to = toldWith(ledger, client)
    const { changes, part, left } = changesForNotice([...ledgerFor(ledger, to).untold.values()])
    const { editNotice, onTelling } = options
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
    const events = await commit({
      by: system,
      events: [{ type: "agent-told", ...named, ...(to === undefined ? {} : { to }) }],
    })
    // Another process may have been first, because hooks of one reply run in parallel.
    const told = events.flatMap((event) => (event.type === "agent-told" ? [event] : []))
    const ours = new Set(told.flatMap((event) => [...event.entries, ...(event.part ? [event.part.entry] : [])]))
    const own = changes.filter(({ entry }) => ours.has(entry))
    return own.length > 0 ? textOf(own) : undefined
  }

  const writeNow = async <Data>(
    call: ToolCall,
    dialect: Dialect<Data>,
    { gate = options.gate, reachesAgent = true }: WriteOptions,
  ): Promise<Written<Data>> => {
    const { before, decoded, refused, happened } = await (gate && !call.observed
      ? applyGatedCall(log, call, dialect, { gate, onProblem })
      : applyCall(log, call, dialect))
    // Parts of the call without effect are among its problems and are not changes.
    const events = happened.filter(({ type }) => type !== "todo-refused")
    const isHeld = events.length > 0 && log.unwritten > 0
    const outcome = { call, decoded, before, events, isPersistent: store.isPersistent && !isHeld }
    const renumbered = log.renumbered.toTell(call, decoded, log.fold)
    const { reply, problems: met } = answerCall(dialect, outcome, log.fold, {
      agent: log.key.agent,
      more: [...(isHeld ? [keptInMemory] : []), ...renumbered],
    })
    const problems = [...refused, ...met]
    const failed = firstError(met)
    const ok = !firstError(problems)
    const { tool, calledAs = tool } = call
    // A call with changes refused by a gate is not a failed call: the rest was applied.
    failure = failed ? { tool: calledAs, message: reply.text } : undefined
    if (failed) onProblem(warning("call-refused", `A ${calledAs} call failed: ${failed.message}`))
    const notice = reachesAgent ? await tellNow(call.client) : undefined
    // Added by Headway, because most dialects have no wording for it.
    const refusals = refused.map(({ message }) => message)
    const text = [...refusals, reply.text, ...(notice === undefined ? [] : [notice])].join("\n\n")
    const latest = log.fold.plan
    const written = { ok, ...reply, text, ...(notice === undefined ? {} : { notice }), problems }
    return handedOut(written, { events, plan: latest })
  }

  return {
    get key() {
      return log.key
    },
    get plan() {
      return frozen(log.fold.plan)
    },
    get ledger() {
      return readOnlyLedger(log.fold.ledger)
    },
    depth,
    get isSubAgent() {
      return depth > 0 || log.fold.ledger.opened?.parent !== undefined
    },
    get failure() {
      return failure
    },
    get unwritten() {
      return log.unwritten
    },
    write: <Spoken extends Dialect>(call: ToolCall, dialect: Spoken, more: WriteOptions = {}) =>
      inOrder(() => writeNow(call, dialect as Dialect<DataOf<Spoken>>, more)),
    edit: (by, decide, settle, entryId) =>
      change(by, decide, { ...(settle ? { settle } : {}), ...(entryId === undefined ? {} : { id: entryId }) }),
    set: (by, todos) =>
      // A person's change takes precedence over an agent's list, but not over another person's.
      change(by, (plan, ledger) => diff(plan, todos, by.kind === "agent" ? { ledger } : {}).events),
    mirror: (observed) => inOrder(async () => frozenEvents(await log.change(() => importOf(observed, log, now())))),
    claim: async (todo, owner, minutes) => {
      const asked = claim(todo, owner, minutes)
      await change({ kind: "agent", id: owner }, () => asked)
      const [problem] = refusedClaims(asked, log.fold.ledger, (id) => todoById(log.fold.plan, id))
      const { owner: holder, until } = log.fold.ledger.todos.get(todo)?.lease ?? {}
      const lease = holder !== undefined && until !== undefined && { owner: holder, until }
      return { isOurs: !problem, ...(lease ? { lease } : {}), ...(problem ? { why: problem.message } : {}) }
    },
    clear: (by) => change(by, clearing),
    undo: (by, entryId) =>
      inOrder(async () => {
        await catchUp()
        const which = entryId === undefined ? { by: by.kind, id: by.id } : { entry: entryId }
        const replayed = replay(await log.entries())
        const last = lastUndoable(replayed.happenings, which)
        if (!last) return undefined
        const { events, left } = undoing(replayed, last)
        const part = { id: newId(), at: now().toISOString(), by, events, undoes: last.entry.id }
        const isEffective = wouldChange(replayed, { v: entryVersion, ...part })
        const happened = isEffective ? await commit(part) : []
        return { undone: last.entry, events: frozenEvents(happened), left }
      }),
    entries: () => inOrder(log.entries),
    tellAgent: () =>
      inOrder(async () => {
        await catchUp()
        return tellNow()
      }),
    restore: async (context) => void (await change(system, () => [{ type: "plan-restored", context }])),
    resume: async (by) => void (await change(by, () => [{ type: "plan-resumed" }])),
    moveTo: (session) =>
      inOrder(async () => {
        await catchUp()
        const { plan, ledger } = log.fold
        if ((plan.todos.length === 0 && ledger.untold.size === 0) || session === log.key.session) return false
        const from = log.key.session
        await commit({ by: system, events: [{ type: "plan-moved", to: session }] })
        const entries = await log.entries()
        await log.switchTo({ session, agent: log.key.agent })
        return arrive(log, from, entries)
      }),
    child: async (name, { agentType, todo, title } = {}) => {
      const above = [...ancestors, log.key.agent]
      if (above.includes(name)) throw new HeadwayError("not-a-child", `"${name}" is this agent or one above it.`)
      const parent = { agent: log.key.agent, ...(todo === undefined ? {} : { todo }) }
      const project = log.fold.ledger.opened?.project ?? options.opened?.project
      const about = {
        ...(agentType ? { agentType } : {}),
        ...(project ? { project } : {}),
        ...(title ? { title } : {}),
      }
      const opened = { parent, ...about }
      return openAt({ ...options, session: log.key.session, agent: name, opened }, above)
    },
    async children() {
      const { plans } = await store.list({ session: log.key.session })
      return plans.filter(({ parent }) => parent?.agent === log.key.agent)
    },
    refresh: () =>
      inOrder(async () => {
        await catchUp()
        return frozen(log.fold.plan)
      }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    follow: () =>
      store.watch((changed) => {
        const { session, agent } = log.key
        if (changed && (changed.session !== session || changed.agent !== agent)) return
        inOrder(catchUp).catch((cause) => onProblem(warning("not-followed", messageOf(cause))))
      }, onProblem),
    close: () =>
      inOrder(async () => {
        await log.flush()
        listeners.clear()
      }),
  }
}

type Inside = { events: readonly PlanEvent[]; plan: Plan }

const insides = new WeakMap<object, Inside>()
const insideOf = (written: object): Inside => insides.get(written) ?? { events: [], plan: emptyPlan }

/** One pair of functions for all results: V8 gives each object with getters of its own a class of its own, which is slow. */
const frozenOnRequest: PropertyDescriptorMap & ThisType<object> = {
  events: {
    enumerable: true,
    get() {
      return frozenEvents(insideOf(this).events)
    },
  },
  plan: {
    enumerable: true,
    get() {
      return frozen(insideOf(this).plan)
    },
  },
}

/** The result of a call. Its plan is frozen only when it is looked at, because that is slow for a large one. */
const handedOut = <Data>(written: Omit<Written<Data>, "events" | "plan">, inside: Inside): Written<Data> => {
  insides.set(written, inside)
  return Object.defineProperties(written, frozenOnRequest) as Written<Data>
}

const clearing: Decide = ({ todos, phases }) =>
  todos.length > 0 ? [{ type: "plan-cleared", todos: [...todos], phases: [...phases] }] : []

const keptInMemory = warning(
  "kept-in-memory",
  "The disk is full, so this change is only in memory for now; it is written as soon as there is room.",
)

/** Unique across processes and in the order of time, roughly. */
export const randomId = (): string => {
  const chance = Math.floor(Math.random() * 36 ** 8).toString(36)
  return `${Date.now().toString(36)}${processId}${chance.padStart(8, "0")}`
}

const processId = process.pid.toString(36)
