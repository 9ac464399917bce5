/** The hub: one plan of one agent. Calls and edits go in, in order; the plan and what changed come out. */
import type { Dialect, ToolCall } from "./dialects/dialect.ts"
import {
  type Actor,
  createFold,
  type Entry,
  entryVersion,
  type Fold,
  HeadwayError,
  hasErrors,
  isPlanChange,
  type Ledger,
  type Plan,
  type PlanEvent,
  type PlanOpened,
  type Problem,
  type Settle,
  settleOf,
  warning,
} from "./plan/index.ts"
import type { Cursor, PlanKey, Store } from "./stores/store.ts"

export type TrackerOptions = {
  store: Store
  session: string
  /** @default "main" */
  agent?: string
  /** What is known of the agent, written down when the plan is begun. */
  opened?: Pick<PlanOpened, "agentType" | "project" | "parent">
  now?: () => Date
  newId?: () => string
  /** Told of what went wrong beside the work: lines that could not be read, a list that could not be published. */
  onProblem?: (problem: Problem) => void
}

export type Written = {
  /** False when the model is told of an error, even if part of the call was done. */
  ok: boolean
  /** What the model is told. */
  text: string
  data?: unknown
  /** What really happened. */
  events: readonly PlanEvent[]
  problems: readonly Problem[]
  plan: Plan
}

export type Change = { plan: Plan; events: readonly PlanEvent[]; entry: Entry }

export interface Tracker {
  readonly key: PlanKey
  readonly plan: Plan
  readonly ledger: Ledger
  /** One tool call through a dialect. Calls are applied strictly in the order they are made. */
  write(call: ToolCall, dialect: Dialect): Promise<Written>
  /** A change by somebody else than the agent's tools, decided on the plan as it then stands. */
  edit(by: Actor, decide: (plan: Plan, ledger: Ledger) => readonly PlanEvent[]): Promise<readonly PlanEvent[]>
  /** Reads what others wrote meanwhile. */
  refresh(): Promise<Plan>
  /** Called after every change, one's own and others'. Answers how to stop. */
  subscribe(listener: (change: Change) => void): () => void
  close(): Promise<void>
}

export const openTracker = async (options: TrackerOptions): Promise<Tracker> => {
  const { store, session, agent = "main", now = () => new Date(), newId = randomId, onProblem = () => {} } = options
  const key: PlanKey = { session, agent }
  const listeners = new Set<(change: Change) => void>()
  const acknowledged = new Map<string, PlanEvent[]>()
  let fold: Fold = createFold()
  let cursor: Cursor = 0
  let published = -1
  let queue: Promise<unknown> = Promise.resolve()

  /** Folds what the log holds beyond what was read: everybody's entries, in the one order of the log. */
  const catchUp = async (): Promise<void> => {
    const loaded = await store.load(key, cursor)
    if (loaded.restarted) fold = createFold()
    cursor = loaded.cursor
    for (const problem of loaded.problems) onProblem(problem)
    for (const entry of loaded.entries) {
      const events = fold.add(entry)
      if (acknowledged.has(entry.id)) acknowledged.set(entry.id, events)
      if (events.some(isPlanChange)) for (const listener of listeners) listener({ plan: fold.plan, events, entry })
    }
  }

  /** A write is acknowledged when its own entry was read back, and the answer comes from the fold. */
  const commit = async (
    part: Pick<Entry, "by" | "events"> & { via?: Entry["via"]; settle?: Settle },
  ): Promise<PlanEvent[]> => {
    const { via, settle = {} } = part
    const opening: PlanEvent[] = fold.ledger.opened ? [] : [{ type: "plan-opened", session, agent, ...options.opened }]
    const entry: Entry = {
      v: entryVersion,
      id: newId(),
      at: now().toISOString(),
      by: part.by,
      ...(via ? { via } : {}),
      events: [...opening, ...part.events],
      ...(Object.keys(settle).length > 0 ? { settle } : {}),
    }
    const unseen: PlanEvent[] = []
    acknowledged.set(entry.id, unseen)
    try {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await store.append(key, entry)
        await catchUp()
        const events = acknowledged.get(entry.id)
        if (events !== undefined && events !== unseen) {
          await publish()
          return events.filter(({ type }) => type !== "plan-opened")
        }
      }
    } finally {
      acknowledged.delete(entry.id)
    }
    throw new HeadwayError("not-acknowledged", `The change was written to ${store.name} but could not be read back.`)
  }

  /** Publishes, and again while others wrote meanwhile. The log is the truth, so failing here loses nothing. */
  const publish = async (): Promise<void> => {
    try {
      while (store.publish && published !== fold.plan.revision) {
        published = fold.plan.revision
        await store.publish(key, fold.plan)
        await catchUp()
      }
    } catch (cause) {
      published = -1
      onProblem(warning("not-published", cause instanceof Error ? cause.message : String(cause)))
    }
  }

  const inOrder = <Result>(action: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(action)
    queue = result.catch(() => {})
    return result
  }

  await catchUp()

  return {
    key,
    get plan() {
      return fold.plan
    },
    get ledger() {
      return fold.ledger
    },
    write: (call, dialect) =>
      inOrder(async () => {
        await catchUp()
        const before = fold.plan
        const isRepeated = call.callId !== undefined && fold.ledger.calls.has(call.callId)
        const decoded = isRepeated ? { events: [], problems: [] } : dialect.decode(call, before, fold.ledger)
        const via = {
          dialect: dialect.id,
          tool: call.tool,
          ...(call.callId === undefined ? {} : { callId: call.callId }),
        }
        const by: Actor = { kind: "agent", id: agent }
        const { events: wanted, problems } = decoded
        const events =
          wanted.length > 0 ? await commit({ by, via, events: wanted, settle: settleOf(dialect.rules) }) : []
        const after = fold.plan
        const { isPersistent } = store
        const reply = dialect.reply({ call, decoded, before, after, events, problems, isPersistent })
        return { ok: !hasErrors(problems), ...reply, events, problems, plan: after }
      }),
    edit: (by, decide) =>
      inOrder(async () => {
        await catchUp()
        const events = decide(fold.plan, fold.ledger)
        return events.length > 0 ? commit({ by, events: [...events] }) : []
      }),
    refresh: () =>
      inOrder(async () => {
        await catchUp()
        return fold.plan
      }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () =>
      inOrder(async () => {
        listeners.clear()
      }),
  }
}

/** Unique across processes and in the order of time, roughly. */
const randomId = (): string => {
  const chance = Math.floor(Math.random() * 36 ** 8).toString(36)
  return `${Date.now().toString(36)}${process.pid.toString(36)}${chance.padStart(8, "0")}`
}
