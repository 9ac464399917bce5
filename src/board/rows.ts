/** The rows of the board as plain data, in a stable order, and the plans behind them. */
import { activeTodo, normalise, type Plan, planInSight, spanOf, type TodoSpan } from "../plan/index.ts"
import type { ReadClientState } from "../sessions/clients.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { AgentNames, SessionPlan, SessionRow } from "../views/board/session.ts"
import { contradictedIn } from "../views/plan/evidence-marks.ts"
import { untoldChangesIn, type WhenTold } from "../views/when-told.ts"
import { type BoardEvidence, type KnownEvidence, planMarks } from "./evidence.ts"
import { isOfInterest, type Joined, type JoinedSession, joinSessions, keyOf } from "./joined-session.ts"
import type { KeptPlans } from "./kept-plans.ts"
import { branchAt, createProjectLabels } from "./project.ts"

/** By key, see `keyOf`. */
export type SeenByKey = ReadonlyMap<string, DiscoveredSession>

/** `state` is what the files of the agent's session say about it. */
export type FindWhenTold = (
  plan: Pick<Tracker, "key" | "ledger">,
  state: DiscoveredSession["state"] | undefined,
) => WhenTold | undefined

export type BoardRowsOptions = {
  kept: Pick<KeptPlans, "summaries" | "tracker" | "revision" | "open">
  seen: SeenByKey
  /** The person's home, left out of the names of folders. */
  home: string
  isShown: (session: JoinedSession) => boolean
  isAll: boolean
  agentNamesOf: (agentType: string) => AgentNames
  readClientState?: ReadClientState | undefined
  /** Titles that people gave to sessions, by key; they replace the sessions' own titles. */
  names: () => ReadonlyMap<string, string> | undefined
  whenToldOf: FindWhenTold
  /** Requests the times of the todos in a file; they arrive with a later change. */
  wantWhole: (path: string) => void
  evidence: Pick<BoardEvidence, "of" | "want">
}

export type BoardRows = {
  /** The current rows; the same array if nothing has changed. */
  make(now: Date): readonly SessionRow[]
  /** The sources of the rows, in the same order. */
  joined(): IterableIterator<readonly [key: string, joined: Joined]>
  /** The sources of a row, even one that is not shown. */
  find(key: string): Joined | undefined
  /** The plan behind a row, if it is in memory. */
  planAtHand(key: string): SessionPlan | undefined
  /** The plan behind a row, read if necessary. */
  read(key: string): Promise<SessionPlan>
  /** Reads the plans of the first rows, so that the first screen is complete. */
  readFirst(): Promise<void>
}

/** The inputs of a row; the same inputs make the same row. */
type Made = { joined: Joined; revision: number | undefined; known: KnownEvidence | undefined; row: SessionRow }

const readAtFirst = 10

export const createBoardRows = (options: BoardRowsOptions): BoardRows => {
  const { kept, seen, home, isShown, isAll, agentNamesOf, readClientState, names, whenToldOf, wantWhole, evidence } =
    options
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

  /** Rows keep their places while agents work in parallel; new and restarted ones come first. */
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

  type About = { parent: string | undefined; title: string | undefined; known: KnownEvidence | undefined }

  const rowOf = (key: string, { plan, seen: from, session: one }: Joined, about: About): SessionRow => {
    const { parent, title, known } = about
    const doubted = doubtedIn(key, known)
    const { agentType, session, agent, project, state, planTool, progress, todos, updated } = one
    const { role, waitsFor, error, current, upcoming } = one
    const [branch, since] = [branchFor(one), sinceFor(one, from)]
    version += 1
    return {
      key,
      agentType,
      ...agentNamesOf(agentType),
      session,
      agent,
      ...(parent === undefined ? {} : { parent }),
      project: labelOf(project),
      ...(branch === undefined ? {} : { branch }),
      ...(title === undefined ? {} : { title }),
      ...(role === undefined ? {} : { role }),
      ...(one.machine === undefined ? {} : { who: whoText(one) }),
      ...(waitsFor ? { waitsFor } : {}),
      ...(error === undefined ? {} : { error }),
      state,
      planTool,
      // A person's edit is not activity of the agent, so its waiting time continues.
      updated: from?.updated ?? updated,
      progress,
      todos,
      ...(doubted > 0 ? { contradicted: doubted } : {}),
      ...(current === undefined ? {} : { current }),
      ...(upcoming ? { upcoming } : {}),
      ...(current === undefined || since === undefined ? {} : { currentSince: since }),
      isEditable: hasPlace(key, { plan, seen: from, session: one }),
      version,
    }
  }

  /** If the plan is not in memory, the session's own count of done todos is used. */
  const doubtedIn = (key: string, known: KnownEvidence | undefined): number => {
    const { seen: from, session } = all.get(key) ?? {}
    const plan = kept.tracker(key)?.plan ?? from?.plan
    const marks = plan && session && planMarks(known, plan, session.agent)
    return marks ? contradictedIn(marks) : 0
  }

  const marksAt = (key: string, plan: Plan | undefined): Pick<SessionPlan, "marks"> => {
    const joined = all.get(key)
    if (!joined || !plan) return {}
    evidence.want(key, joined)
    const marks = planMarks(evidence.of(key, joined), plan, joined.session.agent)
    return marks ? { marks } : {}
  }

  const planAtHand: BoardRows["planAtHand"] = (key) => {
    const { plan, seen: from } = all.get(key) ?? {}
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
    make(now) {
      all = joinSessions(kept.summaries, seen, now, readClientState)
      const joined = chosen(now)
      const given = names()
      const next = new Map<string, Made>()
      for (const key of rank(joined)) {
        const one = joined.get(key)
        if (!one) continue
        const name = hasPlace(key, one) ? given?.get(keyOf(one.session)) : undefined
        const known = evidence.of(key, one)
        const about = { parent: parentIn(joined, key), title: name ?? one.session.title, known }
        const revision = kept.revision(key)
        const last = made.get(key)
        const isPlaced = last?.row.parent === about.parent && last?.row.title === about.title
        const isSame =
          isPlaced && last?.revision === revision && last?.known === known && isSameJoined(last?.joined, one)
        next.set(key, last && isSame ? last : { joined: one, revision, known, row: rowOf(key, one, about) })
      }
      made = next
      const before = rows
      rows = Array.from(next.values(), ({ row }) => row)
      if (rows.length === before.length && rows.every((row, index) => row === before[index])) rows = before
      return rows
    },
    joined: () => madeOf(made),
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

function* madeOf(made: ReadonlyMap<string, Made>): IterableIterator<readonly [string, Joined]> {
  for (const [key, { joined }] of made) yield [key, joined]
}

/**
 * A row is read-only if another agent's plan already has its id, or if its file is a copy: changes and names could not
 * be stored.
 */
const hasPlace = (key: string, { plan, seen, session }: Joined): boolean =>
  plan !== undefined || (key === keyOf(session) && !seen?.isElsewhere)

const whoText = ({ person = "", machine = "" }: JoinedSession): string => `${person}@${machine}`

/**
 * For an active agent the branch is read from the repository; for a stopped one it is the last branch in its session.
 */
const branchFor = ({ state, project, branch }: JoinedSession): string | undefined =>
  (project !== undefined && !isAsleepIn(state) ? branchAt(project) : undefined) ?? branch

/**
 * The start time of the todo in progress, from the session's list or the kept plan. Not read for sessions that are
 * over.
 */
const sinceFor = ({ state, currentSince }: JoinedSession, from: DiscoveredSession | undefined): string | undefined => {
  if (isAsleepIn(state) || !from?.summary) return currentSince
  const active = from.plan && activeTodo(from.plan)
  return (active && from.times[active.id]?.started) ?? currentSince
}

/**
 * Every session gets a row, folded when it is old. Sub-agents without a list are left out, because there may be
 * thousands of them.
 */
const isListed = (session: JoinedSession, now: Date): boolean => session.agent === "main" || isOfInterest(session, now)

const isAsleep = ({ state }: JoinedSession): boolean => isAsleepIn(state)

const isAsleepIn = (state: JoinedSession["state"]): boolean => asleep.includes(state)

const asleep: readonly JoinedSession["state"][] = ["idle", "finished", "ended", "failed"]

/** The key of the parent agent, if it is present. */
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
