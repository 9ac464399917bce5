/** The rows of the board as plain data, in an order that stays, and the plans behind them. */
import { normalise, type Plan, planInSight, spanOf, type TodoSpan } from "../plan/index.ts"
import type { LookAtClient } from "../sessions/clients.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { SessionPlan, SessionRow } from "../views/board/session.ts"
import { type Hearing, unheardIn } from "../views/hearing.ts"
import { isOfInterest, type Joined, type JoinedSession, joinSessions, keyOf } from "./joined-session.ts"
import type { KeptPlans } from "./kept-plans.ts"
import { createProjectLabels } from "./project.ts"

export type BoardRowsOptions = {
  kept: Pick<KeptPlans, "summaries" | "tracker" | "revision" | "open">
  /** By key, see `keyOf`. */
  seen: ReadonlyMap<string, DiscoveredSession>
  /** The person's home, left out of the names of folders. */
  home: string
  isShown: (session: JoinedSession) => boolean
  isAll: boolean
  /** What people call an agent, in a word. */
  agentNameOf: (agentType: string) => string | undefined
  lookAtClient?: LookAtClient | undefined
  /** What people call sessions, by key; their own titles count less. */
  names: () => ReadonlyMap<string, string> | undefined
  hearingOf: (tracker: Tracker) => Hearing | undefined
  /** Asks for the times of the todos in a file; they come with a later change. */
  wantWhole: (path: string) => void
}

export type BoardRows = {
  /** The rows as they are now; the very same list when nothing has changed. */
  make(now: Date): readonly SessionRow[]
  /** What a row was joined from, also one that is not shown. */
  find(key: string): Joined | undefined
  /** The plan behind a row, if it is at hand without reading anything. */
  planAtHand(key: string): SessionPlan | undefined
  /** The same, read where it must be. */
  read(key: string): Promise<SessionPlan>
  /** Reads the plans of the first rows, so that the first screen is whole. */
  readFirst(): Promise<void>
}

/** What a row was made of; the same parts make the same row. */
type Made = { joined: Joined; revision: number | undefined; row: SessionRow }

const readAtFirst = 10

export const createBoardRows = (options: BoardRowsOptions): BoardRows => {
  const { kept, seen, home, isShown, isAll, agentNameOf, lookAtClient, names, hearingOf, wantWhole } = options
  const labelOf = createProjectLabels(home)
  const ranks = new Map<string, number>()
  let highest = 0
  let version = 0
  let all = new Map<string, Joined>()
  let made = new Map<string, Made>()
  let rows: readonly SessionRow[] = []

  /** All sessions, of their sub-agents those of interest, and the agents these work for. */
  const chosen = (now: Date): Map<string, Joined> => {
    const keys = new Set<string>()
    for (const [key, { session }] of all) if (isShown(session) && (isAll || isListed(session, now))) keys.add(key)
    for (const key of keys) {
      const parent = parentIn(all, key)
      if (parent !== undefined) keys.add(parent)
    }
    return new Map([...all].filter(([key]) => keys.has(key)))
  }

  /** Rows keep their places while agents work side by side; what is new, or begins again, comes first. */
  const rank = (joined: Map<string, Joined>): string[] => {
    const risen = [...joined].filter(([key, { session }]) => {
      const before = made.get(key)?.joined.session
      return !ranks.has(key) || (before && isAsleep(before) && session.state === "working")
    })
    for (const [key] of risen.sort(([, one], [, other]) => (one.session.updated > other.session.updated ? 1 : -1))) {
      highest += 1
      ranks.set(key, highest)
    }
    return [...joined.keys()].sort((one, other) => (ranks.get(other) ?? 0) - (ranks.get(one) ?? 0))
  }

  type Place = { parent: string | undefined; title: string | undefined }

  const rowOf = (key: string, { plan, seen: from, session: one }: Joined, { parent, title }: Place): SessionRow => {
    const { agentType, session, agent, project, state, planTool, progress, todos, current, updated } = one
    const { role, waitsFor, error } = one
    const name = agentNameOf(agentType)
    version += 1
    return {
      key,
      agentType,
      ...(name === undefined ? {} : { agentName: name }),
      session,
      agent,
      ...(parent === undefined ? {} : { parent }),
      project: labelOf(project),
      ...(title === undefined ? {} : { title }),
      ...(role === undefined ? {} : { role }),
      ...(waitsFor ? { waitsFor } : {}),
      ...(error === undefined ? {} : { error }),
      state,
      planTool,
      // A person's edit is nothing the agent did: it waits as long as before.
      updated: from?.updated ?? updated,
      progress,
      todos,
      ...(current === undefined ? {} : { current }),
      // Where another agent's plan has its id, there is no place to keep a change.
      isEditable: plan !== undefined || key === keyOf(one),
      version,
    }
  }

  const planAtHand: BoardRows["planAtHand"] = (key) => {
    const { plan, seen: from } = all.get(key) ?? {}
    if (from && !plan && !from.isWhole) return undefined
    if (from && !from.isTimed) wantWhole(from.planPath)
    if (!plan) return { plan: from?.plan, times: from?.times ?? {} }
    const tracker = kept.tracker(key)
    if (!tracker) return undefined
    const shown = planInSight(tracker.plan, tracker.ledger)
    return { plan: shown, times: timesOf(from, tracker), ...unheardOf(tracker, shown) }
  }

  const unheardOf = (tracker: Tracker, plan: Plan): Pick<SessionPlan, "unheard"> => {
    const { untold, refused } = tracker.ledger
    const hearing = untold.size + refused.size > 0 ? hearingOf(tracker) : undefined
    return hearing ? { unheard: { ...unheardIn(tracker.ledger, plan), hearing } } : {}
  }

  return {
    make(now) {
      all = joinSessions(kept.summaries, seen, now, lookAtClient)
      const joined = chosen(now)
      const given = names()
      const next = new Map<string, Made>()
      for (const key of rank(joined)) {
        const one = joined.get(key)
        if (!one) continue
        const place = { parent: parentIn(joined, key), title: given?.get(keyOf(one.session)) ?? one.session.title }
        const revision = kept.revision(key)
        const known = made.get(key)
        const isPlaced = known?.row.parent === place.parent && known?.row.title === place.title
        const isSame = isPlaced && known?.revision === revision && isSameJoined(known?.joined, one)
        next.set(key, known && isSame ? known : { joined: one, revision, row: rowOf(key, one, place) })
      }
      made = next
      const before = rows
      rows = Array.from(next.values(), ({ row }) => row)
      if (rows.length === before.length && rows.every((row, index) => row === before[index])) rows = before
      return rows
    },
    find: (key) => all.get(key),
    planAtHand,
    async read(key) {
      const { plan, seen: from } = all.get(key) ?? {}
      if (plan) await kept.open(plan)
      else await from?.readPlan()
      return planAtHand(key) ?? { times: {} }
    },
    async readFirst() {
      const plans = [...made.values()].slice(0, readAtFirst).flatMap(({ joined }) => joined.plan ?? [])
      await Promise.all(plans.map((plan) => kept.open(plan).catch(() => {})))
    },
  }
}

/** Every session is worth a row, and is folded when it is old. Of sub-agents there may be thousands that had no list. */
const isListed = (session: JoinedSession, now: Date): boolean => session.agent === "main" || isOfInterest(session, now)

const isAsleep = ({ state }: JoinedSession): boolean => asleep.includes(state)

const asleep: readonly JoinedSession["state"][] = ["idle", "finished", "ended", "failed"]

/** The key of the agent this one works for, if it is there. */
const parentIn = (all: ReadonlyMap<string, Joined>, key: string): string | undefined => {
  const { session, agent, parent } = all.get(key)?.session ?? {}
  if (session === undefined || !parent || agent === "main") return undefined
  const other = keyOf({ session, agent: parent.agent })
  return all.has(other) ? other : undefined
}

const isSameJoined = (one: Joined | undefined, other: Joined): boolean =>
  one?.plan === other.plan &&
  one?.seen === other.seen &&
  one?.session.state === other.session.state &&
  one?.session.error === other.session.error &&
  JSON.stringify(one?.session.waitsFor) === JSON.stringify(other.session.waitsFor)

/**
 * When the todos of a plan we keep were begun and finished. Of a todo that the session still shows as we do the session
 * knows better, because our own log begins with a person's first edit; one that the person finished was begun when the
 * agent says.
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
