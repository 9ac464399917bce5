/** Joins what all files say about each session; a change rebuilds only the affected sessions. */
import { groupedBy } from "../../plan/grouped.ts"
import type { ReadClientState } from "../clients.ts"
import type { Indexed } from "../session-index.ts"
import type { Found } from "../walk.ts"
import { workingFor } from "./activity.ts"
import { candidatesOf, type WholeReader } from "./candidates.ts"
import {
  type AgentTables,
  type DiscoveredSession,
  isSame,
  namesFor,
  type PlacedAgent,
  sessionOf,
} from "./discovered-session.ts"
import { createLeftSessions } from "./left-sessions.ts"
import { type Candidate, type Merged, merge } from "./merge-sessions.ts"
import { createOpenSessions, type OpenSessions } from "./open-sessions.ts"
import { createProcessNotes } from "./process-notes.ts"
import { candidateKey, sessionIn, sessionKey } from "./session-key.ts"
import { createSessionOwners } from "./session-owners.ts"
import { isLiveState, latest, sessionStateIn } from "./session-state.ts"
import { createSharedLists } from "./shared-lists.ts"
import { withSubAgentStates } from "./sub-agent-states.ts"
import { createWholeIds } from "./whole-ids.ts"

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
  const owners = createSessionOwners()
  const notes = createProcessNotes()

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

  const forget = (path: string): void => {
    notes.forget(path)
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
  const wholeIds = createWholeIds(candidatesIn)

  /** Merged again from all of its files. */
  const join = (key: string, now: Date): void => {
    const session = joined.get(key)
    if (!session) return
    const candidates = wholeIds.isOther(key)
      ? []
      : withoutCopies([...sharedLists.candidatesOf(key), ...wholeIds.candidatesBegun(key)])
    const waiting = candidates.map((one) => answerableUntil(one, now))
    session.waitsUntil = Math.min(...waiting.flatMap((time) => time ?? []))
    const shown = candidates.map((one, index) => (waiting[index] === undefined ? one : (one.confirmed ?? one)))
    session.merged = inProjectOfMain(merge(shown))
    if (session.paths.size === 0) {
      joined.delete(key)
      wholeIds.forget(key)
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
  const placed = (agents: readonly Merged[], { tables, now, readClientState, open }: PlaceOptions): PlacedAgent[] => {
    const ids = new Set(agents.map(({ facts }) => facts.agent))
    const all = agents.map((merged): PlacedAgent => {
      const names = namesFor(merged, tables)
      const { agentType } = merged.found.source
      const how = { now, readClientState, notes: () => notes.of(agentType), open: () => open(agentType), agents: ids }
      return { merged, names, details: sessionStateIn(merged, names.project, how) }
    })
    return withSubAgentStates(all)
  }

  const set = (found: Found, entry: Indexed | undefined): void => {
    if (entry && files.get(found.path)?.entry === entry) return
    notes.take(found, entry)
    const read = entry ? candidatesOf(found, entry, whole) : []
    for (const { session } of read) left.takeBack(session)
    const candidates = groupedBy(read.map(owners.unique), candidateKey)
    const gone = [...(files.get(found.path)?.candidates.keys() ?? [])].filter((key) => !candidates.has(key))
    if (entry) files.set(found.path, { entry, candidates })
    else files.delete(found.path)
    touch(found.path, gone, false)
    touch(found.path, candidates.keys(), true)
    for (const [key, [first]] of candidates) if (first?.isStart) wholeIds.add(key)
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
      if (!wholeIds.isEmpty()) left.takeAllBack()
      if (stale.size > 0) {
        for (const key of wholeIds.find(joined.keys())) stale.add(key)
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
