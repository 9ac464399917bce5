/** Brings together what all files say about each session; a change rebuilds only the sessions it belongs to. */
import { basename } from "node:path"
import { isoTime, type Plan, type TodoSpan } from "../plan/index.ts"
import { groupedBy } from "../streams/grouped.ts"
import { ownOf } from "../streams/line.ts"
import { noTimes, observedSpans, type Timed } from "../streams/times.ts"
import { type Candidate, type CandidateList, type Merged, merge } from "./_merge-sessions.ts"
import type { PlanFacts, PlanSummary } from "./_plan-facts.ts"
import { type AgentFacts, type FileState, type Indexed, planKey, sharedState, stateIn } from "./_session-index.ts"
import type { Found } from "./_walk.ts"
import { isNotAhead, type SessionState, stateOf, stateOfEnded } from "./activity.ts"
import type { LookAtClient } from "./clients.ts"
import type { PlanTool, Source } from "./source.ts"

export type DiscoveredSession = {
  agentType: string
  session: string
  /** Its file has lost the id of its session and says only how that begins. */
  isStart?: true
  /** `main`, or a sub-agent's id. */
  agent: string
  parent?: { session: string; agent: string }
  /** The folder it works in; a label where the agent does not say the folder. */
  project?: string
  path: string
  /** When it was last active, in ISO form. */
  updated: string
  version?: string
  model?: string
  /** Its list in short. Absent when no list was seen. */
  summary?: PlanSummary
  /** The same list has the same fingerprint, another one another. */
  fingerprint?: string
  /** When its list was last said, in ISO form. */
  planned?: string
  /** Its list, read when it is asked for. Its todos may go by other ids than those that `readPlan` gives. */
  readonly plan: Plan | undefined
  /** Whether the todos have the ids they have for ever. */
  readonly isWhole: boolean
  /**
   * Its list, whose todos have the ids they have for ever: they follow from all that the session ever said of its list,
   * so that it may have to be read from its start. From then on `plan` is the same.
   */
  readPlan(): Promise<Plan | undefined>
  /** When the todos of its list were begun and finished, by their ids, as far as that was seen. */
  readonly times: Readonly<Record<string, TodoSpan>>
  /** Whether there is no more to know of these times; if there is, `wantWhole(planPath)` has it read. */
  readonly isTimed: boolean
  /** The file its list is in. */
  planPath: string
  planTool: PlanTool
  state: SessionState
  /** Its process has ended, as far as that can be known. */
  isEnded?: true
  activity?: Indexed["agents"][number]["activity"]
}

/** The folders that labels on paths stand for. */
export type Projects = Map<Source, Record<string, string>>

/** What a file says, by session: a database says something of thousands. */
type JoinedFile = { entry: Indexed; candidates: ReadonlyMap<string, Candidate[]> }

/** All agents of one session, and the files that say something of them. */
type Joined = { paths: Set<string>; agents: { merged: Merged; made: DiscoveredSession }[] }

type MakeOptions = {
  now: Date
  projects: Projects
  isEverything: boolean
  /** Absent where the files are of another machine. */
  lookAtClient?: LookAtClient | undefined
}

/** Reads what was left out of a file, or of one agent's list in a file of many sessions. */
export type WholeReader = {
  file(found: Found): Promise<Indexed | undefined>
  history(found: Found, whose: { session: string; agent: string }): Promise<Timed | undefined>
}

export const createSessionJoin = (whole: WholeReader) => {
  const files = new Map<string, JoinedFile>()
  const joined = new Map<string, Joined>()
  const stale = new Set<string>()
  const owners = new Map<string, string>()
  /** The keys of sessions known by how their ids begin, and the keys of the sessions that some of them are. */
  const starts = new Set<string>()
  const startOf = new Map<string, string>()

  /** Ids of two agents are never the same by chance; what takes another's keeps its own name in front. */
  const ownedBy = (name: string, owned: string, candidate: Candidate): Candidate => {
    const owner = owners.get(owned) ?? name
    owners.set(owned, owner)
    return owner === name ? candidate : { ...candidate, session: `${name}:${candidate.session}` }
  }

  /** The same goes for two projects or databases of one agent whose files are not named after their sessions. */
  const unique = (candidate: Candidate): Candidate => {
    const { source, whose, place, path } = candidate.found
    const one = ownedBy(source.agentType, candidate.session, candidate)
    const from = place.reading.as === "database" ? basename(path) : whose.project
    const isOnlyClaimed = whose.session === undefined && whose.agent === undefined
    return isOnlyClaimed && from !== undefined ? ownedBy(from, keyOf(one), one) : one
  }

  const touch = (path: string, keys: Iterable<string>, isThere: boolean): void => {
    for (const key of keys) {
      const session = joined.get(key) ?? { paths: new Set(), agents: [] }
      joined.set(key, session)
      if (isThere) session.paths.add(path)
      else session.paths.delete(path)
      stale.add(key)
    }
  }

  const forget = (path: string): void => {
    touch(path, files.get(path)?.candidates.keys() ?? [], false)
    files.delete(path)
  }

  const candidatesIn = (key: string): Candidate[] =>
    [...(joined.get(key)?.paths ?? [])].flatMap((path) => files.get(path)?.candidates.get(key) ?? [])

  /** A file that only says how its session's id begins belongs to the one session that begins so, if there is one. */
  const findWholeIds = (): void => {
    for (const key of starts) {
      if (!candidatesIn(key)[0]?.isStart) continue
      const [owner, ...others] = [...joined.keys()].filter((one) => one !== key && one.startsWith(key))
      const found = others.length === 0 ? owner : undefined
      const before = startOf.get(key)
      if (found === before) continue
      if (found === undefined) startOf.delete(key)
      else startOf.set(key, found)
      for (const one of [key, before, found]) if (one !== undefined) stale.add(one)
    }
  }

  const candidatesBegun = (key: string): Candidate[] =>
    [...startOf].flatMap(([start, owner]) =>
      owner === key ? candidatesIn(start).map((one) => ({ ...one, session: sessionIn(key), isStart: false })) : [],
    )

  /** Rebuilt from all of its files. */
  const join = (key: string, { projects, ...how }: MakeOptions): void => {
    const session = joined.get(key)
    if (!session) return
    const candidates = startOf.has(key) ? [] : [...candidatesIn(key), ...candidatesBegun(key)]
    session.agents = inProjectOfMain(merge(candidates)).map((merged) => ({
      merged,
      made: sessionOf(merged, projectFor(merged, projects), how),
    }))
    if (session.paths.size === 0) {
      joined.delete(key)
      starts.delete(key)
      startOf.delete(key)
    }
  }

  /** Time alone changes what an agent seems to be doing. */
  const bringUpToDate = ({ agents }: Joined, { projects, ...how }: MakeOptions): void => {
    for (const one of agents) {
      const project = projectFor(one.merged, projects)
      const { state, isEnded } = standingOf(one.merged, project, how)
      const { made } = one
      if (made.project !== project || made.state !== state || made.isEnded !== isEnded)
        one.made = sessionOf(one.merged, project, how)
    }
  }

  return {
    /** What a file says now; undefined when it cannot be read. */
    set(found: Found, entry: Indexed | undefined): void {
      if (entry && files.get(found.path)?.entry === entry) return
      const candidates = groupedBy(entry ? candidatesOf(found, entry, whole).map(unique) : [], keyOf)
      const gone = [...(files.get(found.path)?.candidates.keys() ?? [])].filter((key) => !candidates.has(key))
      if (entry) files.set(found.path, { entry, candidates })
      else files.delete(found.path)
      touch(found.path, gone, false)
      touch(found.path, candidates.keys(), true)
      for (const [key, [first]] of candidates) if (first?.isStart) starts.add(key)
    },
    /** Forgets all other files. */
    keepOnly(paths: { has(path: string): boolean }): void {
      for (const path of files.keys()) if (!paths.has(path)) forget(path)
    },
    /** All sessions. Those of which nothing has changed are the very same as the last time. */
    sessions(options: MakeOptions): DiscoveredSession[] {
      if (stale.size > 0) findWholeIds()
      for (const key of stale) join(key, options)
      stale.clear()
      for (const session of joined.values())
        if (options.isEverything || session.agents.some(isLive)) bringUpToDate(session, options)
      return [...joined.values()].flatMap(({ agents }) => agents.map(({ made }) => made))
    },
  }
}

const keyOf = ({ found, session }: Candidate): string => `${found.source.agentType}\n${session}`

const sessionIn = (key: string): string => key.slice(key.indexOf("\n") + 1)

/** The agents of one file. One that has no file of its own counts when it has a list. */
const candidatesOf = (found: Found, entry: Indexed, whole: WholeReader): Candidate[] => {
  const { agents } = entry
  const { reading } = found.place
  const isLines = reading.as === "lines"
  const isDatabase = reading.as === "database" && !found.place.isState
  const owner = found.whose.agent ?? (agents.some(({ agent }) => agent === "main") ? "main" : agents[0]?.agent)
  return agents.flatMap((said): Candidate[] => {
    const facts = found.isChilds && said.agent === "main" && owner !== undefined ? { ...said, agent: owner } : said
    const isOwn = facts.agent === owner || isDatabase
    const session = sessionFor(found, facts)
    if (session === undefined || (!facts.plan && !(isOwn && (isLines || isDatabase)))) return []
    const key = isDatabase ? planKey(facts.agent, session) : said.agent
    const listIn = (state: FileState | undefined): CandidateList => ({
      plan: ownOf(state?.plans, key),
      now: state?.now,
      times: ownOf(state?.times, key) ?? noTimes,
      isTimed: !isLines || state?.isTimed === true,
      isWhole: isDatabase ? !reading.history || facts.plan?.todos === 0 : !isLines || state?.isWhole === true,
    })
    const list = (): CandidateList => listIn(isDatabase ? sharedState(entry) : stateIn(entry))
    const wholeList = async (): Promise<CandidateList> => {
      const known = list()
      if (known.isWhole) return known
      if (isLines) {
        const read = await whole.file(found)
        return read ? { ...listIn(stateIn(read)), isWhole: true } : known
      }
      const history = await whole.history(found, { session: facts.about.session ?? session, agent: facts.agent })
      // Rows under an id that the database cannot be asked for, such as one with a NUL in it, are not found by it.
      const isFound = history?.plan !== undefined && history.plan.todos.length > 0
      return { ...(isFound ? history : known), isTimed: true, isWhole: true }
    }
    // An agent's own file says of other agents only what it did to their lists.
    const isPartial = isLines && !isOwn && (facts.agent === "main" || found.whose.agent !== undefined)
    const isStart = facts.about.session === undefined && found.whose.session === undefined
    return [{ found, facts, session, isLines: isLines || isDatabase, isPartial, isStart, list, wholeList }]
  })
}

/**
 * A file that is named after its session is that session's, whatever it claims: else anything could take the place of
 * another session. Only an agent that is named so itself may say which session it belongs to. The name of a file that a
 * person names means nothing.
 */
const sessionFor = ({ whose, place }: Found, { agent, about }: AgentFacts): string | undefined => {
  const isNamed = whose.session !== undefined && place.path.length > 0 && agent !== whose.session
  return isNamed ? whose.session : (about.session ?? whose.session ?? whose.sessionStart)
}

/** A sub-agent whose lines do not say the folder works where its main agent does. */
const inProjectOfMain = (agents: readonly Merged[]): readonly Merged[] => {
  const project = agents.find(({ facts }) => facts.agent === "main")?.facts.about.project
  if (project === undefined) return agents
  return agents.map((one) => ({ ...one, facts: { ...one.facts, about: { project, ...one.facts.about } } }))
}

const projectFor = ({ found, facts }: Merged, projects: Projects): string | undefined => {
  const label = found.whose.project
  return facts.about.project ?? (label === undefined ? undefined : (ownOf(projects.get(found.source), label) ?? label))
}

/** A file may hold any date; the time it was written at is the next best. */
const updatedAt = ({ found, facts }: Merged, now: Date): string => {
  const [activity, planned, written] = [facts.activity?.at, facts.planned, isoTime(found.stamp[1])].map((time) =>
    time !== undefined && isNotAhead(time, now) ? time : undefined,
  )
  return latest(activity, planned) ?? written ?? longAgo
}

/** For what says no time at all, or one that cannot be. */
const longAgo = new Date(0).toISOString()

const isLive = ({ made: { state } }: Joined["agents"][number]): boolean => liveStates.includes(state)

const liveStates: readonly SessionState[] = ["working", "waiting", "stalled"]

type How = Pick<MakeOptions, "now" | "lookAtClient">

type Standing = Pick<DiscoveredSession, "activity" | "state" | "isEnded">

/** What the files say, and what is known of the agent's process while something seems to be going on. */
const standingOf = (merged: Merged, project: string | undefined, { now, lookAtClient }: How): Standing => {
  const { found, facts, session, from } = merged
  const { agentType, settlesAfter } = found.source
  const updated = updatedAt(merged, now)
  const about = { updated, isPlanFinished: facts.plan?.isFinished ?? false, isSubAgent: facts.agent !== "main" }
  const seen = lastSeen(facts.activity, facts.planned, from)
  const settled = settledAt(seen, settlesAfter, now)
  const state = stateOf({ ...about, activity: settled }, now)
  const client = liveStates.includes(state) ? lookAtClient?.({ agentType, session, project, updated }, now) : undefined
  const activity = letGo(client?.stopped, seen) ?? (client?.isBusy ? seen : settled)
  if (client?.isEnded) return { activity, state: stateOfEnded({ ...about, activity }), isEnded: true }
  return { activity, state: activity === settled ? state : stateOf({ ...about, activity }, now) }
}

/** The end of the turn, as a hook was told of it, unless the agent has gone on since. */
const letGo = (at: string | undefined, seen: Standing["activity"]): Standing["activity"] =>
  at !== undefined && at >= (seen?.at ?? "") ? { kind: "turn-ended", at } : undefined

/** Words after which nothing came have ended the turn of an agent that never says so. */
const settledAt = (activity: Standing["activity"], after: number | undefined, now: Date): Standing["activity"] => {
  if (activity?.kind !== "text" || after === undefined || activity.at === undefined) return activity
  return now.getTime() - Date.parse(activity.at) >= after ? { ...activity, kind: "turn-ended" } : activity
}

const sessionOf = (merged: Merged, project: string | undefined, how: How): DiscoveredSession => {
  const { found, facts, session, isStart, from } = merged
  const { source } = found
  const { about } = facts
  const { activity, state, isEnded } = standingOf(merged, project, how)
  let read: CandidateList | undefined
  const list = (): CandidateList | undefined => {
    read ??= from?.list()
    return read
  }
  return {
    agentType: source.agentType,
    session,
    ...(isStart ? { isStart } : {}),
    agent: facts.agent,
    ...(facts.agent !== "main" ? { parent: { session, agent: about.parent?.agent ?? "main" } } : {}),
    ...(project === undefined ? {} : { project }),
    path: found.path,
    updated: updatedAt(merged, how.now),
    ...(about.version ? { version: about.version } : {}),
    ...(about.model ? { model: about.model } : {}),
    ...listOf(facts.plan),
    ...(facts.planned ? { planned: facts.planned } : {}),
    planPath: from?.found.path ?? found.path,
    get plan() {
      return list()?.plan
    },
    get isWhole() {
      return list()?.isWhole ?? true
    },
    async readPlan() {
      if (list()?.isWhole === false) read = (await from?.wholeList()) ?? read
      return list()?.plan
    },
    get times() {
      return observedSpans(list())
    },
    get isTimed() {
      return list()?.isTimed ?? true
    },
    planTool: facts.plan ? "present" : source.planTool(about),
    state,
    ...(isEnded ? { isEnded } : {}),
    ...(activity ? { activity } : {}),
  }
}

const listOf = (facts: PlanFacts | undefined): Pick<DiscoveredSession, "summary" | "fingerprint"> => {
  if (!facts) return {}
  const { fingerprint, outline: _, ...summary } = facts
  return { summary, fingerprint }
}

/** A list that its session says after everything else is work too. One beside it may be written at any time. */
const lastSeen = (
  activity: AgentFacts["activity"],
  planned: string | undefined,
  from: Candidate | undefined,
): AgentFacts["activity"] =>
  planned && activity?.at && from?.isLines && planned > activity.at ? { kind: "tool", at: planned } : activity

const latest = (...times: (string | undefined)[]): string | undefined =>
  times.reduce((one, other) => (Date.parse(other ?? "") > (Date.parse(one ?? "") || 0) ? other : one))
