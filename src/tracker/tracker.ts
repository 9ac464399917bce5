/** The hub: one plan of one agent. Calls and edits go in, in order; the plan and what changed come out. */
import type { DataOf, Decoded, Dialect, ToolCall } from "../dialects/dialect.ts"
import type { EditNotice } from "../guidance/edit-notice.ts"
import type { FailedCall } from "../guidance/failed-call.ts"
import { frozen, frozenEvents, readOnlyLedger } from "../plan/frozen.ts"
import {
  type Actor,
  changeInSight,
  claim,
  contentById,
  diff,
  type Entry,
  firstError,
  HeadwayError,
  isPlanChange,
  type Lease,
  type Ledger,
  lastUndoable,
  messageOf,
  observedDialect,
  type Plan,
  type PlanEvent,
  type PlanOpened,
  type Problem,
  refusedClaims,
  replay,
  type Settle,
  todoById,
  undoing,
  type Wanted,
  warning,
} from "../plan/index.ts"
import type { PlanKey, PlanSummary, Store } from "../stores/store.ts"
import { arrive } from "./arrive.ts"
import { answerCall, readCall } from "./call.ts"
import { type Gate, throughGate } from "./gate.ts"
import { type EntryPart, type Happened, openPlanLog, system } from "./log.ts"

export type TrackerOptions = {
  store: Store
  session: string
  /** @default "main" */
  agent?: string
  /** What is known about the agent, written down as it is when the plan is begun. */
  opened?: Pick<PlanOpened, "agentType" | "project" | "parent" | "title">
  now?: () => Date
  newId?: () => string
  /** How the agent is told of what a person changed; without it changes stay untold. */
  editNotice?: EditNotice
  /** Called before changes count as told, with the text that tells them: a process may be killed before it can pass it on. */
  onTelling?: (notice: { entries: readonly string[]; text: string }) => void
  /** Asked before a call of the agent ticks todos off. A list that is only observed was changed already, and is not held back. */
  gate?: Gate | undefined
  /**
   * Called with what went wrong outside the work itself: lines that could not be read, a list that could not be published.
   * @default the error log of the home the plans are kept in, where they are kept in one
   */
  onProblem?: (problem: Problem) => void
}

/** `Data` follows from the dialect of the call. */
export type Written<Data = unknown> = {
  /** False when the model is told of an error, even if part of the call was done. */
  ok: boolean
  /** What the model is told: the reply, and what a person changed since. */
  text: string
  /** The structured result, in the shape that agents of this dialect know; undefined where they know none. */
  data: Data
  /** What a person changed by hand and the agent is told of with this reply; part of `text`. */
  notice?: string
  /** What really happened. */
  events: readonly PlanEvent[]
  problems: readonly Problem[]
  plan: Plan
}

/** `plan` is how it stands after all that was read together with this entry. */
export type Change = { plan: Plan; events: readonly PlanEvent[]; entry: Entry }

/** `isOurs` says whether the claim was granted; `lease` is who holds the todo now, and `why` the reason for an owner that did not get it. */
export type Claimed = { isOurs: boolean; lease?: Lease; why?: string }

/** A list as it was seen in another program's session, and the id under which the log records it. */
export type Observed = Pick<Plan, "todos" | "phases"> & { callId: string }

/** Decides what to change on the plan as it is when the turn comes. */
export type Decide = (plan: Plan, ledger: Ledger) => readonly PlanEvent[]

export type WriteOptions = {
  /** Asked before the call ticks todos off. @default the one of the tracker */
  gate?: Gate | undefined
}

export interface Tracker {
  readonly key: PlanKey
  readonly plan: Plan
  readonly ledger: Ledger
  /** 0 for an agent of its own, 1 for its sub-agents, and so on. */
  readonly depth: number
  readonly isSubAgent: boolean
  /** The last list call, where it failed and was not made again since: its progress is not seen. */
  readonly failure: FailedCall | undefined
  /** How many changes are only in memory, because the store has no room; see `holdInMemory`. */
  readonly unwritten: number
  /** One tool call through a dialect. Calls are applied strictly in the order they are made. */
  write<Spoken extends Dialect>(
    call: ToolCall,
    dialect: Spoken,
    options?: WriteOptions,
  ): Promise<Written<DataOf<Spoken>>>
  /**
   * A change that does not come from the agent's tools, and what is to be settled after it. Returns what really happened.
   * `entryId` names the entry it becomes, for a caller that may take exactly this one back.
   */
  edit(by: Actor, decide: Decide, settle?: Settle, entryId?: string): Promise<readonly PlanEvent[]>
  /** Makes the list exactly this. */
  set(by: Actor, todos: readonly Wanted[]): Promise<readonly PlanEvent[]>
  /** Takes over the list the agent's own session shows. A call id counts once, so an old list never undoes what came after. */
  mirror(observed: Observed): Promise<readonly PlanEvent[]>
  /** Takes a todo for a while. Of many who ask at once exactly one gets it; the result says which one holds it. */
  claim(todo: string, owner: string, minutes?: number): Promise<Claimed>
  clear(by: Actor): Promise<readonly PlanEvent[]>
  /**
   * Takes back, as a new entry, the change an entry id names; without one the last change of an actor of the same kind, so
   * that a person never takes back what an agent did unasked. Returns undefined when there is none.
   */
  undo(by: Actor, entryId?: string): Promise<{ undone: Entry; events: readonly PlanEvent[] } | undefined>
  /** Everything that was ever written, in log order. */
  entries(): Promise<Entry[]>
  /** What a person changed and the agent does not know yet, as a text for it; from then on it counts as told. */
  tellAgent(): Promise<string | undefined>
  /** The plan is given back to the agent. After `resume` it is paused until `resume()` or the agent's next step. */
  restore(context: "start" | "resume" | "compact"): Promise<void>
  resume(by: Actor): Promise<void>
  /** Copies the plan to a new session and goes on there. False when there was nothing to copy. */
  moveTo(session: string): Promise<boolean>
  /** A sub-agent's own plan, linked to this one. */
  child(agent: string, options?: { agentType?: string; todo?: string; title?: string }): Promise<Tracker>
  /** The plans of the sub-agents, in one line each. */
  children(): Promise<PlanSummary[]>
  /** Reads what others have written since. */
  refresh(): Promise<Plan>
  /** Called after every change, from this process or another. Returns how to stop. */
  subscribe(listener: (change: Change) => void): () => void
  /** Keeps reading what others write, until the returned function is called. */
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

  /** What the host does with a problem must not lose an entry of the plan. */
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
        onProblem(warning("listener-failed", `A listener to the plan failed: ${messageOf(cause)}`))
      }
    }
  }

  const announceAll = (happened: readonly Happened[]): void => {
    const changes = happened.filter(({ events }) => events.some(isPlanChange))
    // One plan for all of them: a log may grow by any number of entries at once.
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
      await catchUp()
      const events = decide(log.fold.plan, readOnlyLedger(log.fold.ledger))
      return events.length > 0 ? frozenEvents(await commit({ ...part, by, events: [...events] })) : []
    })

  const tellNow = async (): Promise<string | undefined> => {
    const untold = [...log.fold.ledger.untold.values()]
    const { editNotice, onTelling } = options
    if (untold.length === 0 || !editNotice) return undefined
    const entries = untold.map(({ entry }) => entry)
    const textOf = (changes: typeof untold) => editNotice(changes, (id) => contentById(log.fold.plan, id))
    const text = onTelling && textOf(untold)
    if (text !== undefined) onTelling?.({ entries, text })
    const events = await commit({ by: system, events: [{ type: "agent-told", entries }] })
    // Another process may have been first: hooks of one answer run side by side.
    const ours = new Set(events.flatMap((event) => (event.type === "agent-told" ? event.entries : [])))
    const own = untold.filter(({ entry }) => ours.has(entry))
    return own.length > 0 ? textOf(own) : undefined
  }

  /** What is found on the way is written down before the call itself. */
  const gateCall = async (
    call: ToolCall,
    decoded: Decoded,
    gate: Gate | undefined,
  ): Promise<{ decoded: Decoded; problems: Problem[] }> => {
    if (!gate || call.observed) return { decoded, problems: [] }
    const gated = await throughGate(gate, decoded, { plan: log.fold.plan, entries: log.entries }, onProblem)
    const { found } = gated
    if (found && found.ran.length > 0) await commit({ by: found.by, events: [...found.ran] })
    return gated
  }

  const writeNow = async <Data>(
    call: ToolCall,
    dialect: Dialect<Data>,
    { gate = options.gate }: WriteOptions,
  ): Promise<Written<Data>> => {
    await log.catchUpQuickly()
    const before = log.fold.plan
    const read = readCall(call, dialect, log.fold, log.key.agent)
    const gated = await gateCall(call, read.decoded, gate)
    const { decoded } = gated
    const part = read.part && { ...read.part, events: [...decoded.events] }
    // That nothing came of a part of the call is among its problems, and is no change.
    const events = part ? (await commit(part)).filter(({ type }) => type !== "todo-refused") : []
    const isHeld = events.length > 0 && log.unwritten > 0
    const outcome = { call, decoded, before, events, isPersistent: store.isPersistent && !isHeld }
    const { reply, problems: met } = answerCall(dialect, outcome, log.fold, isHeld ? [keptInMemory] : [])
    const problems = [...gated.problems, ...met]
    const failed = firstError(met)
    const ok = !firstError(problems)
    const { tool, calledAs = tool } = call
    // What a gate refused is no call that went wrong: all else of it was done.
    failure = failed ? { tool: calledAs, message: reply.text } : undefined
    if (failed) onProblem(warning("call-refused", `A ${calledAs} call failed: ${failed.message}`))
    const notice = await tellNow()
    // Said by us, because most dialects have no words for it.
    const refusals = gated.problems.map(({ message }) => message)
    const text = [...refusals, reply.text, ...(notice === undefined ? [] : [notice])].join("\n\n")
    const latest = log.fold.plan
    return {
      ok,
      ...reply,
      text,
      ...(notice === undefined ? {} : { notice }),
      problems,
      // Made safe to hand out only for those who look: a large plan takes its time.
      get events() {
        return frozenEvents(events)
      },
      get plan() {
        return frozen(latest)
      },
    }
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
      // What a person did holds against an agent's list, not against another person's.
      change(by, (plan, ledger) => diff(plan, todos, by.kind === "agent" ? { ledger } : {}).events),
    mirror: ({ todos, phases, callId }) =>
      inOrder(async () => {
        await catchUp()
        if (log.fold.ledger.calls.has(callId)) return []
        const { events } = diff(log.fold.plan, todos, { phases, ledger: log.fold.ledger })
        const via = { dialect: observedDialect, tool: "session", callId }
        return frozenEvents(await commit({ by: { kind: "agent", id: log.key.agent }, via, events }))
      }),
    claim: async (todo, owner, minutes) => {
      const asked = claim(todo, owner, minutes)
      await change({ kind: "agent", id: owner }, () => asked)
      const [problem] = refusedClaims(asked, log.fold.ledger, (id) => todoById(log.fold.plan, id))
      const lease = log.fold.ledger.todos.get(todo)?.lease
      return { isOurs: !problem, ...(lease ? { lease } : {}), ...(problem ? { why: problem.message } : {}) }
    },
    clear: (by) =>
      change(by, by.kind === "person" ? (plan, ledger) => changeInSight(plan, ledger, clearing) : clearing),
    undo: (by, entryId) =>
      inOrder(async () => {
        await catchUp()
        const which = entryId === undefined ? { by: by.kind, id: by.id } : { entry: entryId }
        const last = lastUndoable(replay(await log.entries()).happenings, which)
        if (!last) return undefined
        const events = await commit({ by, events: undoing(last), undoes: last.entry.id })
        return { undone: last.entry, events: frozenEvents(events) }
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
