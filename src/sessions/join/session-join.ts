/** Joins what all files say about each session; a change rebuilds only the affected sessions. */
import { basename } from "node:path"
import { groupedBy } from "../../plan/grouped.ts"
import type { Plan, Said, TodoSpan } from "../../plan/index.ts"
import { ownOf } from "../../streams/line.ts"
import { observedSpans } from "../../streams/times.ts"
import { type ProcessNote, processNoteIn, type ReadClientState } from "../clients.ts"
import type { Indexed } from "../session-index.ts"
import type { PlanTool, Source } from "../source.ts"
import { titleFrom } from "../title.ts"
import type { Found } from "../walk.ts"
import { type SessionState, type WaitsFor, workingFor } from "./activity.ts"
import { candidatesOf, type WholeReader } from "./candidates.ts"
import { createLeftSessions } from "./left-sessions.ts"
import { type Candidate, type CandidateList, type Merged, merge, ofSession } from "./merge-sessions.ts"
import { createOpenSessions, type OpenSessions } from "./open-sessions.ts"
import type { PlanFacts, PlanSummary } from "./plan-facts.ts"
import { isLiveState, latest, type SessionStateDetails, type StateFacts, sessionStateIn } from "./session-state.ts"
import { createSharedLists, sessionIn, sessionKey } from "./shared-lists.ts"
import { type AgentState, withSubAgentStates } from "./sub-agent-states.ts"

export type DiscoveredSession = {
  agentType: string
  session: string
  /** Its file only has the beginning of its session id. */
  isStart?: true
  /** It comes from a file outside the agent's own folders on this machine, so it is read-only. */
  isElsewhere?: true
  /** `main`, or a sub-agent's id. */
  agent: string
  parent?: { session: string; agent: string }
  /** The folder it works in, or a label if the agent does not name the folder. */
  project?: string
  /** The branch of the repository, as last recorded in the session. */
  branch?: string
  path: string
  /** The title for people: the agent's title, otherwise the first request. */
  title?: string
  /** What kind of sub-agent it is. */
  role?: string
  /** When it was last active, in ISO form. */
  updated: string
  version?: string
  model?: string
  /** The summary of its list. Absent if no list was seen. */
  summary?: PlanSummary
  /** Equal lists have equal fingerprints. */
  fingerprint?: string
  /** When its list was last written, in ISO form. */
  planned?: string
  /** Its list, read on demand. Its todos may have other ids than those from `readPlan`. */
  readonly plan: Plan | undefined
  /** Whether the todos have their permanent ids. */
  readonly isWhole: boolean
  /**
   * Its list with permanent ids. They follow from the whole history of the list, so the session may have to be read
   * from its start. From then on `plan` is the same.
   */
  readPlan(): Promise<Plan | undefined>
  /** The known start and end times of its todos, by id. */
  readonly times: Readonly<Record<string, TodoSpan>>
  /** When its agent last said what the list says. Undefined if its calls were not seen. */
  readonly said?: Said | undefined
  /** Whether these times are complete; if not, `wantWhole(planPath)` requests the rest. */
  readonly isTimed: boolean
  /** The file its list is in. */
  planPath: string
  planTool: PlanTool
  state: SessionState
  /** With `waiting`: what for. */
  waitsFor?: WaitsFor
  /** With `failed`: what went wrong, in the agent's words. */
  error?: string
  /** The inputs of its state, besides its list and the time. */
  facts: StateFacts
}

/** Agents' own tables: folders by label, and titles of sessions. */
export type AgentTables = { projects: SourceTable; titles: SourceTable }

type SourceTable = ReadonlyMap<Source, Readonly<Record<string, string>>>

/** The content of a file by session: a database may have thousands. */
type JoinedFile = { entry: Indexed; candidates: ReadonlyMap<string, Candidate[]> }

/** All agents of one session, and the files that say something of them. */
type Joined = {
  paths: Set<string>
  merged: readonly Merged[]
  /** The same in the same order, each with its state. */
  agents: DiscoveredSession[]
  /** When a call without a result is accepted anyway, in milliseconds. */
  waitsUntil: number
}

type MakeOptions = {
  now: Date
  tables: AgentTables
  isEverything: boolean
  /** Absent if the files come from another machine. */
  readClientState?: ReadClientState | undefined
}

/** With what all sessions together say. */
type PlaceOptions = MakeOptions & { open: OpenSessions }

export const createSessionJoin = (whole: WholeReader) => {
  const files = new Map<string, JoinedFile>()
  const joined = new Map<string, Joined>()
  const stale = new Set<string>()
  const owners = new Map<string, string>()
  /** The projects in which a session has files of its own. */
  const projectsOf = new Map<string, Set<string>>()
  /** The keys of sessions known by how their ids begin, and the keys of the sessions that some of them are. */
  const starts = new Set<string>()
  const startOf = new Map<string, string>()
  /** The same the other way round. */
  let begun: ReadonlyMap<string, string[]> = new Map()
  /** The notes of an agent's processes, by agent and file: one file may cover several. */
  const notes = new Map<string, Map<string, ProcessNote[]>>()

  /** Two agents never have the same id by chance; a session that uses another's id gets a prefix. */
  const ownedBy = (name: string, owned: string, candidate: Candidate): Candidate => {
    const owner = owners.get(owned) ?? name
    owners.set(owned, owner)
    return owner === name ? candidate : ofSession(candidate, { session: `${name}:${candidate.session}` })
  }

  /** The same applies to two projects or databases of one agent whose files are not named after their sessions. */
  const unique = (candidate: Candidate): Candidate => {
    const { source, whose, place, path } = candidate.found
    const one = ownedBy(source.agentType, candidate.session, candidate)
    const from = place.reading.as === "database" ? basename(path) : whose.project
    const isOnlyClaimed = whose.session === undefined && whose.agent === undefined
    return inItsProject(isOnlyClaimed && from !== undefined ? ownedBy(from, keyOf(one), one) : one)
  }

  /** And for a sub-agent in another project than the session that it says it works for. */
  const inItsProject = (one: Candidate): Candidate => {
    const { whose, isChilds } = one.found
    const { project } = whose
    if (project === undefined || !one.isLines || isChilds) return one
    const known = projectsOf.get(keyOf(one))
    if (whose.agent === undefined) projectsOf.set(keyOf(one), (known ?? new Set()).add(project))
    else if (known && !known.has(project)) return ofSession(one, { session: `${project}:${one.session}` })
    return one
  }

  const touch = (path: string, keys: Iterable<string>, isThere: boolean): void => {
    for (const key of keys) {
      const session = joined.get(key) ?? {
        paths: new Set(),
        merged: [],
        agents: [],
        waitsUntil: Number.POSITIVE_INFINITY,
      }
      joined.set(key, session)
      if (isThere) session.paths.add(path)
      else session.paths.delete(path)
      stale.add(key)
    }
  }

  const takeNote = ({ source, place, path, whose }: Found, entry: Indexed | undefined): void => {
    if (!place.isNote) return
    const own = notes.get(source.agentType) ?? new Map<string, ProcessNote[]>()
    notes.set(source.agentType, own)
    own.set(
      path,
      (entry?.agents ?? []).flatMap(({ about }) => processNoteIn(about, whose) ?? []),
    )
  }

  const forget = (path: string): void => {
    for (const own of notes.values()) own.delete(path)
    touch(path, files.get(path)?.candidates.keys() ?? [], false)
    files.delete(path)
  }

  const candidatesIn = (key: string): Candidate[] => {
    left.takeBack(sessionIn(key))
    const all: Candidate[] = []
    for (const path of joined.get(key)?.paths ?? []) all.push(...(files.get(path)?.candidates.get(key) ?? []))
    return all
  }

  const sharedLists = createSharedLists(candidatesIn)

  /**
   * A file that only has the beginning of its session id belongs to the one session with that beginning, if there is
   * exactly one. In sorted order, sessions with a common beginning are adjacent.
   */
  const findWholeIds = (): void => {
    const keys = starts.size > 0 ? [...joined.keys()].sort() : []
    const places = new Map(keys.map((key, index) => [key, index]))
    for (const key of starts) {
      const [start] = candidatesIn(key)
      if (!start?.isStart) continue
      const owners: string[] = []
      for (let at = (places.get(key) ?? 0) + 1; keys[at]?.startsWith(key) && owners.length < 2; at += 1)
        if (isMissing(start, candidatesIn(keys[at] ?? ""))) owners.push(keys[at] ?? "")
      const found = owners.length === 1 ? owners[0] : undefined
      const before = startOf.get(key)
      if (found === before) continue
      if (found === undefined) startOf.delete(key)
      else startOf.set(key, found)
      for (const one of [key, before, found]) if (one !== undefined) stale.add(one)
    }
    begun = groupedBy(startOf.keys(), (start) => startOf.get(start) ?? "")
  }

  const candidatesBegun = (key: string): Candidate[] =>
    (begun.get(key) ?? [])
      .flatMap(candidatesIn)
      .map((one) => ofSession(one, { session: sessionIn(key), isStart: false }))

  /** Merged again from all of its files. */
  const join = (key: string, now: Date): void => {
    const session = joined.get(key)
    if (!session) return
    const candidates = startOf.has(key)
      ? []
      : withoutCopies([...sharedLists.candidatesOf(key), ...candidatesBegun(key)])
    const waiting = candidates.map((one) => answerableUntil(one, now))
    session.waitsUntil = Math.min(...waiting.flatMap((time) => time ?? []))
    const shown = candidates.map((one, index) => (waiting[index] === undefined ? one : (one.confirmed ?? one)))
    session.merged = inProjectOfMain(merge(shown))
    if (session.paths.size === 0) {
      joined.delete(key)
      starts.delete(key)
      startOf.delete(key)
    }
  }

  /** The state of an agent also changes with time alone. */
  const bringUpToDate = ({ merged, agents }: Joined, options: PlaceOptions): void => {
    for (const [index, now] of placed(merged, options).entries()) {
      const made = agents[index]
      if (!made || !isSame(made, now)) agents[index] = sessionOf(now)
    }
  }

  /** The agents of a session, each with its folder, title and state. */
  const placed = (agents: readonly Merged[], { tables, now, readClientState, open }: PlaceOptions): Placed[] => {
    const ids = new Set(agents.map(({ facts }) => facts.agent))
    const all = agents.map((merged): Placed => {
      const names = namesFor(merged, tables)
      const { agentType } = merged.found.source
      const own = (): ProcessNote[] => [...(notes.get(agentType)?.values() ?? [])].flat()
      const how = { now, readClientState, notes: own, open: () => open(agentType), agents: ids }
      return { merged, names, details: sessionStateIn(merged, names.project, how) }
    })
    return withSubAgentStates(all)
  }

  const set = (found: Found, entry: Indexed | undefined): void => {
    if (entry && files.get(found.path)?.entry === entry) return
    takeNote(found, entry)
    const read = entry ? candidatesOf(found, entry, whole) : []
    for (const { session } of read) left.takeBack(session)
    const candidates = groupedBy(read.map(unique), keyOf)
    const gone = [...(files.get(found.path)?.candidates.keys() ?? [])].filter((key) => !candidates.has(key))
    if (entry) files.set(found.path, { entry, candidates })
    else files.delete(found.path)
    touch(found.path, gone, false)
    touch(found.path, candidates.keys(), true)
    for (const [key, [first]] of candidates) if (first?.isStart) starts.add(key)
  }

  /** What comes before a file in the order of a look is taken over before it, as if it had never been left out. */
  const left = createLeftSessions(
    set,
    ({ source, path }, session) =>
      owners.has(session) || joined.has(sessionKey(source.agentType, session)) || files.has(path),
  )

  return {
    /** What a file says now; undefined when it cannot be read. */
    set,
    /** Leaves a session out, see `createLeftSessions`. */
    leave: left.leave,
    /** The newest of those that were left out are not. */
    takeNewest: left.takeNewestBack,
    /** How many are left out. */
    left: left.count,
    /** Forgets all other files. */
    keepOnly(paths: { has(path: string): boolean }): void {
      left.clear()
      for (const path of files.keys()) if (!paths.has(path)) forget(path)
    },
    /** All sessions. Unchanged ones keep their identity. */
    sessions(options: MakeOptions): DiscoveredSession[] {
      if (starts.size > 0) left.takeAllBack()
      if (stale.size > 0) {
        findWholeIds()
        sharedLists.find(stale)
      }
      for (const [key, { waitsUntil }] of joined) if (waitsUntil <= options.now.getTime()) stale.add(key)
      for (const key of stale) join(key, options.now)
      const projectOf = (merged: Merged): string | undefined => namesFor(merged, options.tables).project
      const together = { ...options, open: createOpenSessions(joined.values(), projectOf, options.now) }
      for (const [key, session] of joined)
        if (stale.has(key)) session.agents = placed(session.merged, together).map(sessionOf)
        else if (options.isEverything || session.agents.some(({ state }) => isLiveState(state)))
          bringUpToDate(session, together)
      stale.clear()
      return [...joined.values()].flatMap(({ agents }) => agents)
    },
  }
}

/** If a session is in its agent's own folders, files elsewhere with its id are copies, or claim to be. */
const withoutCopies = (candidates: readonly Candidate[]): readonly Candidate[] => {
  if (!candidates.some(({ found }) => found.isElsewhere)) return candidates
  const own = candidates.filter(({ found }) => !found.isElsewhere)
  return own.some(({ found, isMention, isPartial }) => !found.place.isNote && !isMention && !isPartial)
    ? own
    : candidates
}

/**
 * Until when the results of its last calls may arrive, in milliseconds; undefined if none is pending. A live session
 * records when a call was made; an excerpt without times is complete as it is.
 */
const answerableUntil = ({ confirmed, facts }: Candidate, now: Date): number | undefined => {
  if (!confirmed || facts.planned === undefined) return undefined
  const time = Date.parse(latest(facts.activity?.at, facts.planned) ?? "")
  return Math.abs(now.getTime() - time) < workingFor ? time + workingFor : undefined
}

/** Whether a file may be what a session lacks: one of the same project that has no file of its own, which another could replace. */
const isMissing = (file: Candidate, session: readonly Candidate[]): boolean =>
  session.length > 0 &&
  session.every(
    ({ found, facts, isLines, isPartial }) =>
      found.whose.project === file.found.whose.project && !(isLines && !isPartial && facts.agent === "main"),
  )

const keyOf = ({ found, session }: Candidate): string => sessionKey(found.source.agentType, session)

/** A sub-agent whose lines do not say the folder works where its main agent does. */
const inProjectOfMain = (agents: readonly Merged[]): readonly Merged[] => {
  const project = agents.find(({ facts }) => facts.agent === "main")?.facts.about.project
  if (project === undefined) return agents
  return agents.map((one) =>
    one.facts.about.project === undefined
      ? { ...one, facts: { ...one.facts, about: { ...one.facts.about, project } } }
      : one,
  )
}

type SessionNames = { project: string | undefined; title: string | undefined }

/** Its folder and title. The agent's title takes precedence over the first request. */
const namesFor = ({ found, facts, session }: Merged, { projects, titles }: AgentTables): SessionNames => {
  const { about, agent } = facts
  const label = found.whose.project
  const table = titles.get(found.source)
  const listed = table && ownOf(table, agent === "main" ? session : agent)
  return {
    project: about.project ?? (label === undefined ? undefined : (ownOf(projects.get(found.source), label) ?? label)),
    title: (listed === undefined ? undefined : titleFrom(listed)) ?? about.title ?? about.asked ?? about.command,
  }
}

type Placed = AgentState & { names: SessionNames; details: SessionStateDetails }

/** Whether nothing that time, a process or a hook changes is another than when the session was made. */
const isSame = (made: DiscoveredSession, { names, details }: Placed): boolean =>
  made.project === names.project &&
  made.title === names.title &&
  made.state === details.state &&
  made.error === details.error &&
  JSON.stringify([made.waitsFor, made.facts]) === JSON.stringify([details.waitsFor, details.facts])

const sessionOf = ({
  merged,
  names: { project, title },
  details: { updated, planned, ...details },
}: Placed): DiscoveredSession => {
  const { found, facts, session, isStart, from, isElsewhere } = merged
  const { source } = found
  const { about } = facts
  let read: CandidateList | undefined
  const list = (): CandidateList | undefined => {
    read ??= from?.list()
    return read
  }
  return {
    agentType: source.agentType,
    session,
    ...(isStart ? { isStart } : {}),
    ...(isElsewhere ? { isElsewhere } : {}),
    agent: facts.agent,
    ...(facts.agent !== "main" ? { parent: { session, agent: about.parent?.agent ?? "main" } } : {}),
    ...(project === undefined ? {} : { project }),
    ...(about.branch === undefined ? {} : { branch: about.branch }),
    path: found.path,
    ...(title === undefined ? {} : { title }),
    ...(about.role === undefined ? {} : { role: about.role }),
    updated,
    ...(about.version ? { version: about.version } : {}),
    ...(about.model ? { model: about.model } : {}),
    ...listOf(facts.plan),
    ...(planned === undefined ? {} : { planned }),
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
    get said() {
      return list()?.said
    },
    get isTimed() {
      return list()?.isTimed ?? true
    },
    planTool: facts.plan ? "present" : source.planTool(about),
    ...details,
  }
}

const listOf = (facts: PlanFacts | undefined): Pick<DiscoveredSession, "summary" | "fingerprint"> => {
  if (!facts) return {}
  const { fingerprint, outline: _, ...summary } = facts
  return { summary, fingerprint }
}
