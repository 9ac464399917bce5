/** Copies the log of one plan to start another: for a forked session, or one identified after work had begun. */
import type { Entry, Problem } from "../plan/index.ts"
import type { PlanKey, Store } from "../stores/store.ts"
import { arrive } from "./arrive.ts"
import { openPlanLog } from "./log.ts"
import { randomId } from "./tracker.ts"

export type CopyPlan = {
  store: Store
  from: PlanKey
  to: PlanKey
  /** The store of the other plan. @default the same */
  into?: Store
  /** The name of the project in the other store. @default the same */
  project?: string | undefined
  /** Copies only the entries before the first one that matches. */
  endsBefore?: (entry: Entry) => boolean
}

/** Copies entry by entry, so that ids, authors, times and untold changes stay. Nothing is copied twice. */
export const copyPlan = async (options: CopyPlan): Promise<void> => {
  const { store, from, to, into = store, project, endsBefore = () => false } = options
  const all = (await store.load(from)).entries
  const end = all.findIndex(endsBefore)
  const entries = end < 0 ? all : all.slice(0, end)
  const before = await into.load(to)
  const there = new Set(before.entries.map(({ id }) => id))
  let { cursor } = before
  let restarts = 0
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at]
    if (!entry || there.has(entry.id)) continue
    const loaded = await into.append(to, renamed(entry, { from, to, project }), cursor)
    cursor = loaded.cursor
    if (loaded.restarted) there.clear()
    for (const { id } of loaded.entries) there.add(id)
    // Entries removed in the meantime are copied again, otherwise only part of the plan would be there.
    if (!loaded.restarted || restarts === mostAttempts) continue
    restarts += 1
    at = -1
  }
}

/** A plan copied to another agent becomes that of a sub-agent. */
const renamed = (entry: Entry, { from, to, project }: Pick<CopyPlan, "from" | "to" | "project">): Entry => {
  const parent = from.agent === to.agent ? {} : { parent: { agent: from.agent } }
  const opened = { ...to, ...parent, ...(project === undefined ? {} : { project }) }
  return {
    ...entry,
    events: entry.events.map((event) => (event.type === "plan-opened" ? { ...event, ...opened } : event)),
  }
}

export type JoinPlan = Pick<CopyPlan, "store" | "from" | "to" | "into" | "project"> & {
  now: () => Date
  onProblem: (problem: Problem) => void
}

/**
 * Merges one plan into another and removes the first. If the other is empty, or only has entries copied before, it gets
 * the log as it is; otherwise the two are merged without duplicates. Returns false if the first could not be removed, so
 * that it has to be joined once more.
 */
export const joinPlan = async (options: JoinPlan): Promise<boolean> => {
  const { store, from, to, into = store } = options
  // Everything is already there, and nothing may be removed.
  if (into === store && isAt(to, from)) return true
  // If a person changes the first plan during the copy, it is kept and copied with the next attempt.
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const { plans } = await store.list({ session: from.session })
    if (!plans.some((plan) => isAt(plan, from))) return true
    // Not the time of the plan: with a clock that was set back, a write does not make it newer.
    const copied = await store.position(from)
    if (await isCopyOf(store, from, to, into)) await copyPlan(options)
    else await merge(options)
    const { removed } = await store.sweep(
      (plan, position) => isAt(plan, from) && position === copied && plan.unread === undefined,
    )
    if (removed.length > 0) return true
  }
  return false
}

const isAt = ({ session, agent }: PlanKey, key: PlanKey): boolean => session === key.session && agent === key.agent

const mostAttempts = 5

/** Whether the other plan only has entries of this one. */
export const isCopyOf = async (store: Store, from: PlanKey, to: PlanKey, into: Store = store): Promise<boolean> => {
  const own = new Set((await store.load(from)).entries.map(({ id }) => id))
  return (await into.load(to)).entries.every(({ id }) => own.has(id))
}

const merge = async ({ store, from, to, into = store, now, onProblem }: JoinPlan): Promise<void> => {
  const { entries } = await store.load(from)
  const log = await openPlanLog({
    store: into,
    key: to,
    opened: undefined,
    now,
    newId: randomId,
    listener: () => undefined,
    onProblem,
    inOrder: (action) => action(),
  })
  await arrive(log, from.session, entries, { keepsLater: true })
  await log.flush()
}
