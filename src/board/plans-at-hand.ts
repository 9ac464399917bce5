/** The plans behind rows as a viewer gets them: with the times of their todos, their evidence, and what the agent does not know yet. */
import { normalise, type Plan, planInSight, spanOf, type TodoSpan } from "../plan/index.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { SessionPlan } from "../views/board/session.ts"
import { contradictedIn } from "../views/plan/evidence-marks.ts"
import { untoldChangesIn } from "../views/when-told.ts"
import { type KnownEvidence, planMarks } from "./evidence.ts"
import type { BoardRows, BoardRowsOptions } from "./rows.ts"

export type PlansAtHandOptions = Pick<BoardRowsOptions, "kept" | "evidence" | "whenToldOf" | "wantWhole"> & {
  find: BoardRows["find"]
}

export type PlansAtHand = Pick<BoardRows, "planAtHand" | "read"> & {
  /** The number of done todos that their evidence contradicts. */
  doubted(key: string, known: KnownEvidence | undefined): number
}

export const createPlansAtHand = (options: PlansAtHandOptions): PlansAtHand => {
  const { kept, evidence, whenToldOf, wantWhole, find } = options

  const marksAt = (key: string, plan: Plan | undefined): Pick<SessionPlan, "marks"> => {
    const joined = find(key)
    if (!joined || !plan) return {}
    evidence.want(key, joined)
    const marks = planMarks(evidence.of(key, joined), plan, joined.session.agent)
    return marks ? { marks } : {}
  }

  const planAtHand: PlansAtHand["planAtHand"] = (key) => {
    const { plan, seen: from } = find(key) ?? {}
    if (from && !plan && !from.isWhole) return undefined
    if (from && !from.isTimed) wantWhole(from.planPath)
    if (!plan) return { plan: from?.plan, times: from?.times ?? {}, ...marksAt(key, from?.plan) }
    const tracker = kept.tracker(key)
    if (!tracker) return undefined
    const shown = planInSight(tracker.plan, tracker.ledger)
    return {
      plan: shown,
      times: timesOf(from, tracker),
      ...marksAt(key, shown),
      ...untoldChangesOf(tracker, shown, from?.state),
    }
  }

  const untoldChangesOf = (
    tracker: Tracker,
    plan: Plan,
    state: DiscoveredSession["state"] | undefined,
  ): Pick<SessionPlan, "untoldChanges"> => {
    const { untold, refused } = tracker.ledger
    const whenTold = untold.size + refused.size > 0 ? whenToldOf(tracker, state) : undefined
    return whenTold ? { untoldChanges: { ...untoldChangesIn(tracker.ledger, plan), whenTold } } : {}
  }

  return {
    planAtHand,
    async read(key) {
      const { plan, seen: from } = find(key) ?? {}
      if (plan) await kept.open(plan)
      else await from?.readPlan()
      return planAtHand(key) ?? { times: {} }
    },
    // If the plan is not in memory, the session's own count of done todos is used.
    doubted(key, known) {
      const { seen: from, session } = find(key) ?? {}
      const plan = kept.tracker(key)?.plan ?? from?.plan
      const marks = plan && session && planMarks(known, plan, session.agent)
      return marks ? contradictedIn(marks) : 0
    },
  }
}

/**
 * Start and end times of the todos of a kept plan. If the session still shows the same todo, its times are better,
 * because our log begins with a person's first edit; a todo that the person finished keeps the start time from the
 * session.
 */
const timesOf = (from: DiscoveredSession | undefined, { plan, ledger }: Tracker): Record<string, TodoSpan> => {
  const times = from?.times ?? {}
  const shown = new Map((from?.plan?.todos ?? []).map((todo) => [normalise(todo.content), todo]))
  const spans = planInSight(plan, ledger).todos.flatMap((todo): [string, TodoSpan][] => {
    const record = ledger.todos.get(todo.id) ?? ledger.removed.get(todo.id)?.record
    if (!record) return []
    const other = shown.get(normalise(todo.content))
    const span = other && times[other.id]
    if (span && other.status === todo.status) return [[todo.id, span]]
    const own = spanOf(todo.status, record.since, record.spent.in_progress)
    const whole = own?.finished && span?.started ? { ...own, started: span.started } : own
    return whole ? [[todo.id, whole]] : []
  })
  return Object.fromEntries(spans)
}
