/** The hub: one plan of one agent. Calls and edits go in, in order; the plan and what changed come out. */
import type { Dialect, ToolCall } from "./dialects/dialect.ts"
import type { EditNotice } from "./guidance/edit-notice.ts"
import type { FailedCall } from "./guidance/failed-call.ts"
import {
  type Actor,
  arrivalOf,
  claim,
  createFold,
  diff,
  type Entry,
  entryVersion,
  type Fold,
  firstError,
  frozen,
  HeadwayError,
  isPlanChange,
  type Lease,
  type Ledger,
  lastUndoable,
  messageOf,
  namesIn,
  type Plan,
  type PlanEvent,
  type PlanOpened,
  type Problem,
  refusedClaims,
  replyForModel,
  type Settle,
  settleOf,
  tell,
  todoById,
  undoing,
  type Wanted,
  warning,
  wrongIn,
} from "./plan/index.ts"
import { createPublisher } from "./publisher.ts"
import type { Cursor, Loaded, PlanKey, PlanSummary, Store } from "./stores/store.ts"

export type TrackerOptions = {
  store: Store
  session: string
  /** @default "main" */
  agent?: string
  /** What is known of the agent, written down when the plan is begun. */
  opened?: Pick<PlanOpened, "agentType" | "project" | "parent">
  now?: () => Date
  newId?: () => string
  /** How the agent is told of what a person changed; without it changes stay untold. */
  editNotice?: EditNotice
  /** Told of what went wrong beside the work: lines that could not be read, a list that could not be published. */
  onProblem?: (problem: Problem) => void
}

export type Written = {
  /** False when the model is told of an error, even if part of the call was done. */
  ok: boolean
  /** What the model is told: the reply, and what a person changed meanwhile. */
  text: string
  data?: unknown
  /** What a person changed by hand and the agent hears of with this reply; part of `text`. */
  notice?: string
  /** What really happened. */
  events: readonly PlanEvent[]
  problems: readonly Problem[]
  plan: Plan
}

export type Change = { plan: Plan; events: readonly PlanEvent[]; entry: Entry }

/** `isOurs` says whether the claim was granted; `lease` is who holds the todo now, and `why` what to tell who does not. */
export type Claimed = { isOurs: boolean; lease?: Lease; why?: string }

/** A list as it was seen in another program's session, and the mark of that look at it. */
export type Observed = Pick<Plan, "todos" | "phases"> & { mark: string }

/** Decides what to change on the plan as it stands when the turn comes. */
export type Decide = (plan: Plan, ledger: Ledger) => readonly PlanEvent[]

export interface Tracker {
  readonly key: PlanKey
  readonly plan: Plan
  readonly ledger: Ledger
  /** 0 for an agent of its own, 1 for its sub-agents, and so on. */
  readonly depth: number
  readonly isSubAgent: boolean
  /** The last list call, where it failed and was not made again since: progress nobody sees. */
  readonly failure: FailedCall | undefined
  /** One tool call through a dialect. Calls are applied strictly in the order they are made. */
  write(call: ToolCall, dialect: Dialect): Promise<Written>
  /** A change by somebody else than the agent's tools. Answers what really happened. */
  edit(by: Actor, decide: Decide): Promise<readonly PlanEvent[]>
  /** Makes the list exactly this. */
  set(by: Actor, todos: readonly Wanted[]): Promise<readonly PlanEvent[]>
  /** Takes over the list the agent's own session shows. A mark counts once, so an old look never undoes what came after. */
  mirror(observed: Observed): Promise<readonly PlanEvent[]>
  /** Takes a todo for a while. Of many who ask at once exactly one gets it; the answer says who holds it, if anybody. */
  claim(todo: string, owner: string, minutes?: number): Promise<Claimed>
  clear(by: Actor): Promise<readonly PlanEvent[]>
  /** Takes back the last change, or the one an entry id names, as a new entry. Answers nothing when there is none. */
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
  child(agent: string, options?: { agentType?: string; todo?: string }): Promise<Tracker>
  /** The plans of the sub-agents, in one line each. */
  children(): Promise<PlanSummary[]>
  /** Reads what others wrote meanwhile. */
  refresh(): Promise<Plan>
  /** Called after every change, one's own and others'. Answers how to stop. */
  subscribe(listener: (change: Change) => void): () => void
  /** Keeps reading what others write, until the answer is called. */
  follow(): Promise<() => Promise<void>>
  close(): Promise<void>
}

export const openTracker = async (options: TrackerOptions): Promise<Tracker> => openAt(options, [])

const openAt = async (options: TrackerOptions, ancestors: readonly string[]): Promise<Tracker> => {
  const { store, agent = "main", now = () => new Date(), newId = randomId } = options
  const depth = ancestors.length
  let key: PlanKey = { session: options.session, agent }
  const listeners = new Set<(change: Change) => void>()
  const acknowledged = new Map<string, PlanEvent[]>()
  let fold: Fold = createFold()
  let cursor: Cursor | undefined
  let failure: FailedCall | undefined
  let queue: Promise<unknown> = Promise.resolve()

  /** A host whose ear fails must not cost the plan an entry. */
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

  /** Folds what the log holds beyond what was read: everybody's entries, in the one order of the log. */
  const catchUp = async (): Promise<void> => take(await store.load(key, cursor))

  const take = (loaded: Loaded): void => {
    if (loaded.restarted) {
      fold = createFold()
      publisher.reset()
    }
    cursor = loaded.cursor
    for (const problem of loaded.problems) onProblem(problem)
    for (const entry of loaded.entries) {
      const isOurs = acknowledged.has(entry.id) && !fold.has(entry.id)
      const events = addEntry(entry)
      if (isOurs) acknowledged.set(entry.id, events)
      if (listeners.size > 0 && events.some(isPlanChange)) announce({ plan: frozen(fold.plan), events, entry })
    }
  }

  /** The same in a burst of calls, each of which ends with an append that looks at the log more closely. */
  const catchUpQuickly = async (): Promise<void> =>
    cursor && store.hasMore?.(key, cursor) === false ? undefined : catchUp()

  const addEntry = (entry: Entry): PlanEvent[] => {
    const from = fold.revision
    const events = fold.add(entry)
    publisher.saw(from, events)
    return events
  }

  const publisher = createPublisher({
    current: () => fold.plan,
    publish: async (plan, change) => store.publish?.(key, plan, change),
    catchUp: catchUpQuickly,
    inOrder: (action) => inOrder(action),
    onProblem,
  })

  /** Starts from the snapshot where there is one, and from the first entry where it is wrong. */
  const begin = async (): Promise<void> => {
    const snapshot = await store.readSnapshot?.(key)
    try {
      fold = createFold(snapshot?.state)
      cursor = snapshot?.cursor
      for (const problem of snapshot?.problems ?? []) onProblem(problem)
    } catch {
      fold = createFold()
      cursor = undefined
    }
    await catchUp()
    publisher.reset()
    if (fold.ledger.entries > 0) publisher.check()
    else await adopt()
  }

  /** A list that is there before the plan has a log is taken over, so that it is shown and never overwritten. */
  const adopt = async (): Promise<void> => {
    try {
      const found = (await store.readList?.(key)) ?? []
      // Whoever published it from a log wrote that first; and of several who take it over at once only one counts.
      await catchUp()
      if (found.length === 0 || fold.ledger.entries > 0) return
      const via = { dialect: "published", tool: "list", callId: "published-list" }
      await commit({ by: system, via, events: diff(fold.plan, found).events })
    } catch (cause) {
      onProblem(warning("not-adopted", `The list that is already there could not be taken over: ${messageOf(cause)}`))
    }
  }

  /** As it would be read back: what would not is refused before anything is written. */
  const entryOf = ({ by, via, settle = {}, undoes, events }: EntryPart, id: string, at: string): Entry => {
    const opening: PlanEvent[] = fold.ledger.opened ? [] : [{ type: "plan-opened", ...key, ...options.opened }]
    const names = by.kind === "person" ? namesIn(events, fold.plan) : undefined
    const entry: Entry = {
      v: entryVersion,
      id,
      at,
      by,
      ...(via ? { via } : {}),
      events: [...opening, ...events],
      ...(Object.keys(settle).length > 0 ? { settle } : {}),
      ...(undoes === undefined ? {} : { undoes }),
      ...(names ? { names } : {}),
    }
    const wrong = fold.has(id) ? `the plan has an entry "${id}" already` : wrongIn(entry)
    if (wrong === undefined) return entry
    throw new HeadwayError("invalid-change", `The change was not written: ${wrong}.`)
  }

  /** A write is acknowledged when its own entry was read back, and the answer comes from the fold. */
  const commit = async (part: EntryPart): Promise<PlanEvent[]> => {
    const id = newId()
    const at = now().toISOString()
    const unseen: PlanEvent[] = []
    acknowledged.set(id, unseen)
    try {
      // An entry may be glued to a line somebody's crash left open, or its log be removed under it; then it is written
      // once more, on a line of its own.
      for (let attempt = 0; attempt < 5; attempt += 1) {
        take(await store.append(key, entryOf(part, id, at), cursor))
        const events = acknowledged.get(id)
        if (events === undefined || events === unseen) continue
        await publisher.changed()
        if (cursor && store.wantsSnapshot?.(key, cursor)) await saveSnapshot()
        return events.filter(({ type }) => type !== "plan-opened")
      }
    } finally {
      acknowledged.delete(id)
    }
    throw new HeadwayError("not-acknowledged", `The change was written to ${store.name} but could not be read back.`)
  }

  /** Without it opening is slower, and nothing else. */
  const saveSnapshot = async (): Promise<void> => {
    try {
      if (cursor) await store.writeSnapshot?.(key, { cursor, state: fold.snapshot() })
    } catch (cause) {
      onProblem(warning("no-snapshot", messageOf(cause)))
    }
  }

  const inOrder = <Result>(action: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(action)
    queue = result.catch(() => {})
    return result
  }

  const change = (by: Actor, decide: Decide, part: Partial<EntryPart> = {}): Promise<PlanEvent[]> =>
    inOrder(async () => {
      await catchUp()
      const events = decide(fold.plan, fold.ledger)
      return events.length > 0 ? commit({ ...part, by, events: [...events] }) : []
    })

  const nameOf = (id: string): string => todoById(fold.plan, id)?.content ?? id

  const tellNow = async (): Promise<string | undefined> => {
    const untold = [...fold.ledger.untold.values()]
    if (untold.length === 0 || !options.editNotice) return undefined
    const entries = untold.map(({ entry }) => entry)
    const events = await commit({ by: system, events: [{ type: "agent-told", entries }] })
    // Another process may have been first: hooks of one answer run side by side.
    const ours = new Set(events.flatMap((event) => (event.type === "agent-told" ? event.entries : [])))
    const own = untold.filter(({ entry }) => ours.has(entry))
    return own.length > 0 ? options.editNotice(own, nameOf) : undefined
  }

  const writeNow = async (call: ToolCall, dialect: Dialect): Promise<Written> => {
    await catchUpQuickly()
    const before = fold.plan
    const isRepeated = call.callId !== undefined && fold.ledger.calls.has(call.callId)
    const decoded = isRepeated ? { events: [], problems: [] } : dialect.decode(call, before, fold.ledger)
    const via = { dialect: dialect.id, tool: call.tool, ...(call.callId === undefined ? {} : { callId: call.callId }) }
    const { events: wanted, problems: met, reads } = decoded
    const by: Actor = { kind: "agent", id: call.agent ?? key.agent }
    // A call that found nothing to change is done, too: it must not be done later, when it would find something.
    const isKept = call.callId !== undefined && !isRepeated && !reads && !firstError(met) && fold.ledger.opened
    const settle = wanted.length > 0 ? settleOf(dialect.rules) : {}
    const events = wanted.length > 0 || isKept ? await commit({ by, via, events: wanted, settle }) : []
    const after = fold.plan
    const problems = [...met, ...refusedClaims(wanted, fold.ledger, (id) => todoById(after, id))]
    const reply = replyForModel(
      dialect.reply({ call, decoded, before, after, events, problems, isPersistent: store.isPersistent }),
    )
    const failed = firstError(problems)
    const ok = !failed
    failure = ok ? undefined : { tool: call.tool, message: reply.text }
    if (failed) onProblem(warning("call-refused", `A ${call.tool} call failed: ${failed.message}`))
    const notice = await tellNow()
    const text = notice === undefined ? reply.text : `${reply.text}\n\n${notice}`
    const latest = fold.plan
    return {
      ok,
      ...reply,
      text,
      ...(notice === undefined ? {} : { notice }),
      events,
      problems,
      // Made safe to hand out only for those who look at it: a large plan takes its time.
      get plan() {
        return frozen(latest)
      },
    }
  }

  await begin()

  return {
    get key() {
      return key
    },
    get plan() {
      return frozen(fold.plan)
    },
    get ledger() {
      return fold.ledger
    },
    depth,
    get isSubAgent() {
      return depth > 0 || fold.ledger.opened?.parent !== undefined
    },
    get failure() {
      return failure
    },
    write: (call, dialect) => inOrder(() => writeNow(call, dialect)),
    edit: (by, decide) => change(by, decide),
    set: (by, todos) =>
      // What a person did holds against an agent's list, not against another person's.
      change(by, (plan, ledger) => diff(plan, todos, by.kind === "agent" ? { ledger } : {}).events),
    mirror: ({ todos, phases, mark }) =>
      inOrder(async () => {
        await catchUp()
        if (fold.ledger.calls.has(mark)) return []
        const { events } = diff(fold.plan, todos, { phases, ledger: fold.ledger })
        const via = { dialect: "observed", tool: "session", callId: mark }
        return commit({ by: { kind: "agent", id: key.agent }, via, events })
      }),
    claim: async (todo, owner, minutes) => {
      const asked = claim(todo, owner, minutes)
      await change({ kind: "agent", id: owner }, () => asked)
      const [problem] = refusedClaims(asked, fold.ledger, (id) => todoById(fold.plan, id))
      const lease = fold.ledger.todos.get(todo)?.lease
      return { isOurs: !problem, ...(lease ? { lease } : {}), ...(problem ? { why: problem.message } : {}) }
    },
    clear: (by) =>
      change(by, ({ todos, phases }) =>
        todos.length > 0 ? [{ type: "plan-cleared", todos: [...todos], phases: [...phases] }] : [],
      ),
    undo: (by, entryId) =>
      inOrder(async () => {
        await catchUp()
        const { entries } = await store.load(key)
        const last = lastUndoable(tell(entries).happenings, entryId)
        if (!last) return undefined
        return { undone: last.entry, events: await commit({ by, events: undoing(last), undoes: last.entry.id }) }
      }),
    entries: () => inOrder(async () => (await store.load(key)).entries),
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
        if (fold.plan.todos.length === 0 || session === key.session) return false
        const from = key.session
        await commit({ by: system, events: [{ type: "plan-moved", to: session }] })
        const moved = { plan: fold.plan, ledger: fold.ledger }
        await publisher.flush()
        key = { session, agent: key.agent }
        await begin()
        for (let due = arrivalOf(moved, from, fold); due; due = arrivalOf(moved, from, fold)) {
          await commit({ by: system, ...due })
        }
        return true
      }),
    child: async (name, { agentType, todo } = {}) => {
      const above = [...ancestors, key.agent]
      if (above.includes(name)) throw new HeadwayError("not-a-child", `"${name}" is this agent or one above it.`)
      const parent = { agent: key.agent, ...(todo === undefined ? {} : { todo }) }
      const project = fold.ledger.opened?.project ?? options.opened?.project
      const opened = { parent, ...(agentType ? { agentType } : {}), ...(project ? { project } : {}) }
      return openAt({ ...options, session: key.session, agent: name, opened }, above)
    },
    async children() {
      const { plans } = await store.list()
      return plans.filter(({ session, parent }) => session === key.session && parent?.agent === key.agent)
    },
    refresh: () => inOrder(catchUp).then(() => frozen(fold.plan)),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    follow: () =>
      store.watch(({ session, agent: other }) => {
        if (session === key.session && other === key.agent) inOrder(catchUp).catch(() => {})
      }),
    close: () =>
      inOrder(async () => {
        await publisher.flush()
        listeners.clear()
      }),
  }
}

type EntryPart = Pick<Entry, "by" | "events"> & { via?: Entry["via"]; settle?: Settle; undoes?: string }

const system: Actor = { kind: "system", id: "headway" }

/** Unique across processes and in the order of time, roughly. */
const randomId = (): string => {
  const chance = Math.floor(Math.random() * 36 ** 8).toString(36)
  return `${Date.now().toString(36)}${process.pid.toString(36)}${chance.padStart(8, "0")}`
}
