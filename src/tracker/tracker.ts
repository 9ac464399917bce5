/** The hub: one plan of one agent. Calls and edits go in, in order; the plan and what changed come out. */
import { assertDialect, type DataOf, type Dialect, type ToolCall } from "../dialects/dialect.ts"
import type { EditNotice } from "../guidance/edit-notice.ts"
import type { FailedCall } from "../guidance/failed-call.ts"
import { frozen, frozenEvents, readOnlyLedger } from "../plan/frozen.ts"
import {
  type Actor,
  changeInSight,
  claim,
  diff,
  type Entry,
  type FieldsLeft,
  HeadwayError,
  type Lease,
  type Ledger,
  messageOf,
  type Plan,
  type PlanEvent,
  type PlanOpened,
  type Problem,
  refusedClaims,
  type Settle,
  type ToldPart,
  todoById,
  type Wanted,
  warning,
} from "../plan/index.ts"
import type { PlanKey, PlanSummary, Store } from "../stores/store.ts"
import { moveTo } from "./arrive.ts"
import type { Gate } from "./gate.ts"
import { createInOrder } from "./in-order.ts"
import { createListeners } from "./listeners.ts"
import { openPlanLog } from "./log.ts"
import type { Happened } from "./log-so-far.ts"
import { type EntryPart, system } from "./new-entry.ts"
import { importOf, type KnownList, type Observed } from "./observed.ts"
import { tellAgent } from "./tell-agent.ts"
import { undo } from "./undo.ts"
import { type WriteCallOptions, writeCall } from "./write-call.ts"
import type { Written } from "./written.ts"

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
  /**
   * 0 for an agent of its own, 1 for its sub-agents, and so on. Of a sub-agent's plan that is opened by itself, only the parent is
   * known: 1.
   */
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
  const inOrder = createInOrder()
  let failure: FailedCall | undefined

  /** A host's error while handling a problem must not lose an entry of the plan. */
  const onProblem = (problem: Problem): void => {
    try {
      options.onProblem?.(problem)
    } catch {}
  }

  const listeners = createListeners(onProblem)
  const announce = (happened: readonly Happened[]): void => listeners.announce(happened, () => log.fold.plan)
  const log = await openPlanLog({
    store,
    key: { session, agent },
    opened: options.opened,
    now,
    newId,
    listener: () => (listeners.isEmpty() ? undefined : announce),
    onProblem,
    inOrder,
  })
  const { catchUp } = log
  const above = (): readonly string[] => {
    const parent = log.fold.ledger.opened?.parent
    return ancestors.length > 0 || !parent ? ancestors : [parent.agent]
  }
  const howToWrite: WriteCallOptions = {
    ...options,
    isPersistent: store.isPersistent,
    onProblem,
    onOutcome: (failed) => {
      failure = failed
    },
  }

  const change = (by: Actor, decide: Decide, part: Partial<EntryPart> = {}): Promise<readonly PlanEvent[]> =>
    inOrder(async () => {
      const happened = await log.change(() => {
        const [{ plan }, ledger] = [log.fold, readOnlyLedger(log.fold.ledger)]
        const events = by.kind === "person" ? changeInSight(plan, ledger, decide) : decide(plan, ledger)
        return events.length > 0 ? { ...part, by, events: [...events] } : undefined
      })
      return frozenEvents(happened)
    })

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
    get depth() {
      return above().length
    },
    get isSubAgent() {
      return above().length > 0
    },
    get failure() {
      return failure
    },
    get unwritten() {
      return log.unwritten
    },
    write: <Spoken extends Dialect>(call: ToolCall, dialect: Spoken, more: WriteOptions = {}) =>
      inOrder(() => {
        assertDialect(dialect, "tracker.write")
        return writeCall(log, call, dialect as Dialect<DataOf<Spoken>>, {
          ...howToWrite,
          ...more,
          gate: more.gate ?? options.gate,
        })
      }),
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
    undo: (by, entryId) => inOrder(() => undo(log, by, { entryId, now, newId })),
    entries: () => inOrder(log.entries),
    tellAgent: () =>
      inOrder(async () => {
        await catchUp()
        return tellAgent(log, options)
      }),
    restore: async (context) => void (await change(system, () => [{ type: "plan-restored", context }])),
    resume: async (by) => void (await change(by, () => [{ type: "plan-resumed" }])),
    moveTo: (session) => inOrder(() => moveTo(log, session)),
    child: async (name, { agentType, todo, title } = {}) => {
      const line = [...above(), log.key.agent]
      if (line.includes(name)) throw new HeadwayError("not-a-child", `"${name}" is this agent or one above it.`)
      const parent = { agent: log.key.agent, ...(todo === undefined ? {} : { todo }) }
      const project = log.fold.ledger.opened?.project ?? options.opened?.project
      const about = {
        ...(agentType ? { agentType } : {}),
        ...(project ? { project } : {}),
        ...(title ? { title } : {}),
      }
      const opened = { parent, ...about }
      return openAt({ ...options, session: log.key.session, agent: name, opened }, line)
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
    subscribe: listeners.add,
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

const clearing: Decide = ({ todos, phases }) =>
  todos.length > 0 ? [{ type: "plan-cleared", todos: [...todos], phases: [...phases] }] : []

/** Unique across processes and in the order of time, roughly. */
export const randomId = (): string => {
  const chance = Math.floor(Math.random() * 36 ** 8).toString(36)
  return `${Date.now().toString(36)}${processId}${chance.padStart(8, "0")}`
}

const processId = process.pid.toString(36)
