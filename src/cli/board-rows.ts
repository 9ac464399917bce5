/** Rows of the board: what we keep of an agent's plan and what its session shows, as one. */
import { normalise, type Plan, spanOf, type TodoSpan } from "../plan/index.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { PlanSummary } from "../stores/store.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { BoardSession } from "../views/board/session.ts"
import type { KeptPlans } from "./kept-plans.ts"
import { isOfInterest, type Listed, listedBoth, listedFound, listedOwn, nameOf } from "./listed.ts"
import { projectLabel } from "./session-table.ts"

export type BoardRowsOptions = {
  kept: Pick<KeptPlans, "summaries" | "tracker" | "revision" | "open">
  found: ReadonlyMap<string, DiscoveredSession>
  /** The person's home, left out of the names of folders. */
  home: string
  isShown: (listed: Listed) => boolean
  isAll: boolean
  /** Called when a plan has been read that was asked for. */
  onRead: () => void
  /** Told of every plan that is handed out. */
  onShown: (key: string, plan: Plan) => void
  wantTimes: (path: string) => void
}

/** What a row is made of; the same parts are the same row. */
type Parts = { plan: PlanSummary | undefined; found: DiscoveredSession | undefined; listed: Listed; parent?: string }

type Row = { parts: Parts; revision: number | undefined; session: BoardSession }

/** Plans that are read before anybody asks, so that the first screen is whole. */
const readAtFirst = 10

export const createBoardRows = (options: BoardRowsOptions) => {
  const { kept, found, home, isShown, isAll, onRead } = options
  const labels = new Map<string | undefined, string>()
  const ranks = new Map<string, number>()
  let highest = 0
  let rows = new Map<string, Row>()
  let sessions: readonly BoardSession[] = []

  const labelOf = (project: string | undefined): string => {
    const label = labels.get(project) ?? projectLabel(project, home)
    labels.set(project, label)
    return label
  }

  const all = (now: Date): Map<string, Parts> => {
    const parts = new Map<string, Parts>()
    for (const [name, plan] of kept.summaries) {
      const session = found.get(name)
      parts.set(name, { plan, found: session, listed: session ? listedBoth(plan, session, now) : listedOwn(plan, now) })
    }
    for (const [name, session] of found) {
      if (!parts.has(name)) parts.set(name, { plan: undefined, found: session, listed: listedFound(session) })
    }
    return parts
  }

  /** What is of interest, and whom it works for. */
  const chosen = (parts: Map<string, Parts>): Map<string, Parts> => {
    const names = new Set<string>()
    for (const [name, { listed }] of parts) if (isShown(listed) && (isAll || isOfInterest(listed))) names.add(name)
    for (const name of names) {
      const listed = parts.get(name)?.listed
      const parent = listed && parentOf(listed)
      if (parent !== undefined && parts.has(parent)) names.add(parent)
    }
    return new Map([...parts].filter(([name]) => names.has(name)))
  }

  /** Rows keep their places while agents work side by side; what is new, or begins again, comes first. */
  const rank = (parts: Map<string, Parts>): string[] => {
    const isAwake = ({ state }: Listed): boolean => state === "working"
    const risen = [...parts].filter(([name, { listed }]) => {
      const before = rows.get(name)?.parts.listed
      return !ranks.has(name) || (before && isAsleep(before) && isAwake(listed))
    })
    for (const [name] of risen.sort(([, one], [, other]) => (one.listed.updated > other.listed.updated ? 1 : -1))) {
      highest += 1
      ranks.set(name, highest)
    }
    return [...parts.keys()].sort((one, other) => (ranks.get(other) ?? 0) - (ranks.get(one) ?? 0))
  }

  const sessionOf = (name: string, parts: Parts): BoardSession => {
    const { listed, parent } = parts
    const { agentType, session, agent, state, planTool, progress, todos, current } = listed
    /** Undefined also while it is being read; a change follows. */
    const planNow = (): Plan | undefined => {
      if (!parts.plan) return parts.found?.plan
      const tracker = kept.tracker(name)
      if (!tracker) kept.open(parts.plan).then(onRead, () => {})
      return tracker?.plan
    }
    let spans: ((id: string) => TodoSpan | undefined) | undefined
    return {
      key: name,
      agentType,
      session,
      agent,
      ...(parent === undefined ? {} : { parent }),
      project: labelOf(listed.project),
      state,
      planTool,
      // A person's edit is nothing the agent did: it waits as long as before.
      updated: parts.found?.updated ?? listed.updated,
      progress,
      todos,
      ...(current === undefined ? {} : { current }),
      get plan() {
        const plan = planNow()
        if (plan) options.onShown(name, plan)
        return plan
      },
      times(id) {
        const { found: seen } = parts
        if (seen && !seen.isTimed) options.wantTimes(seen.planPath)
        const tracker = parts.plan && kept.tracker(name)
        if (parts.plan && !tracker) return undefined
        spans ??= spansOf(seen, tracker)
        return spans(id)
      },
      isEditable: true,
    }
  }

  return {
    /** The rows as they are now; the very same list when nothing has changed. */
    make(now: Date): readonly BoardSession[] {
      const parts = chosen(all(now))
      const order = rank(parts)
      const next = new Map<string, Row>()
      for (const name of order) {
        const made = parts.get(name)
        if (!made) continue
        const parent = parentOf(made.listed)
        if (parent !== undefined && parts.has(parent)) made.parent = parent
        const revision = kept.revision(name)
        const known = rows.get(name)
        const isSame = known && known.revision === revision && isSameParts(known.parts, made)
        next.set(name, isSame ? known : { parts: made, revision, session: sessionOf(name, made) })
      }
      const before = sessions
      sessions = Array.from(next.values(), ({ session }) => session)
      rows = next
      if (sessions.length === before.length && sessions.every((one, index) => one === before[index])) sessions = before
      return sessions
    },
    /** Reads the plans of the first rows. */
    async readFirst(): Promise<void> {
      const plans = [...rows.values()].slice(0, readAtFirst).flatMap(({ parts }) => parts.plan ?? [])
      await Promise.all(plans.map((plan) => kept.open(plan).catch(() => {})))
    },
  }
}

const isAsleep = ({ state }: Listed): boolean => state === "idle" || state === "finished"

const parentOf = ({ session, agent, parent }: Listed): string | undefined =>
  parent && agent !== "main" ? nameOf({ session, agent: parent.agent }) : undefined

const isSameParts = (one: Parts, other: Parts): boolean =>
  one.plan === other.plan &&
  one.found === other.found &&
  one.parent === other.parent &&
  one.listed.state === other.listed.state

/**
 * When todos were begun and finished. Of one that the session still shows as we do the session knows better, because our
 * own log begins with a person's first edit; one that the person finished was begun when the agent says.
 */
const spansOf = (found: DiscoveredSession | undefined, tracker: Tracker | undefined) => {
  const times = found?.times ?? {}
  if (!tracker) return (id: string): TodoSpan | undefined => times[id]
  const seen = new Map((found?.plan?.todos ?? []).map((todo) => [normalise(todo.content), todo]))
  const todos = new Map(tracker.plan.todos.map((todo) => [todo.id, todo]))
  return (id: string): TodoSpan | undefined => {
    const todo = todos.get(id)
    const record = tracker.ledger.todos.get(id)
    if (!todo || !record) return undefined
    const other = seen.get(normalise(todo.content))
    const span = other && times[other.id]
    if (span && other.status === todo.status) return span
    const own = spanOf(todo.status, record.since, record.spent.in_progress)
    return own?.finished && span?.started ? { ...own, started: span.started } : own
  }
}
