/** Finds out whether the process that works on a session still runs, as far as this machine can tell. */
import { statSync } from "node:fs"
import { dirname, isAbsolute } from "node:path"
import { agentNamed } from "../agents/index.ts"
import { isProcessOf, servesAnyFolder } from "../agents/process.ts"
import {
  type ClientRecord,
  type ClientReport,
  clientsIn,
  isSameProcess,
  type ServedSession,
} from "../home/processes/clients.ts"
import { type Processes, processesHere, type RunningProcess } from "../home/processes/processes.ts"
import { isRunning } from "../home/writing/write-file.ts"
import { addTo } from "../plan/grouped.ts"
import type { Activity, SessionSignal } from "../streams/stream.ts"
import { areRelated, assignedProcesses, type OpenSession, type PlacedProcess } from "./assigned-processes.ts"
import type { Whose } from "./source.ts"

export type ClientQuery = {
  agentType: string
  session: string
  /** The folder it works in; a label does not help. */
  project?: string | undefined
  /** When it was last active, in ISO form. */
  updated: string
  /** The notes that the agent's own processes left on disk: which session each is in. @default none */
  notes?: readonly ProcessNote[]
  /** All sessions of the agent that are not over, of which a process is in one. @default this one */
  open?: () => readonly OpenSession[]
}

/** A process of an agent, the session it is in, and when that was noted first, in ISO form. */
export type ProcessNote = { session: string; pid: number; noted: string }

/** The content of a note; undefined if it neither names a session nor is in a session's folder. */
export const processNoteIn = (
  { session, process }: Pick<SessionSignal, "session" | "process">,
  whose: Pick<Whose, "session">,
): ProcessNote | undefined => {
  const id = session ?? whose.session
  return id === undefined || !process ? undefined : { session: id, ...process }
}

/** Unknown facts are left out. */
export type ClientState = {
  /** Its process has ended. */
  isEnded?: true
  /** A process known to be in this session is running. */
  isThere?: true
  /** The same, by the agent's own note, whose other contents are current. */
  isNoteTrue?: true
  /** It started a process after its last activity that still runs: a tool is working. */
  isBusy?: true
  /** The last state that its hooks reported. */
  told?: ClientReport
}

export type ReadClientState = (session: ClientQuery, now: Date) => ClientState

export type ClientsOptions = {
  /** Headway's own home, where clients are noted. */
  home: string
  /** Undefined if the system does not list processes. */
  processes?: Processes | undefined
}

/** Lists the processes of this machine at most once a second, and only when asked about a session. */
export const createClientStateReader = ({ home, processes = processesHere() }: ClientsOptions): ReadClientState => {
  const running = createRunning(processes)
  const clientsOf = createClientsOf(home)
  /** All sessions of an agent share one assignment. */
  const known = new WeakMap<readonly OpenSession[], ReturnType<typeof assignedProcesses>>()
  return (session, now) => {
    const { clients, sessionOf } = clientsOf(session, now)
    const notes = (session.notes ?? []).filter((note) => isNoteOf(session.agentType, note, processes))
    /** The process still runs and is not known to be in another session by now, as it is after `/clear`. */
    const isThere = ({ process: one, session: served }: Serving): boolean =>
      one !== undefined &&
      processes !== undefined &&
      isSameProcess(one, processes) &&
      (sessionOf(one) ?? served) === served &&
      !notes.some(({ pid, session: noted }) => pid === one.pid && noted !== served)
    const client = clients.find(isThere) ?? clients[0]
    const told = client?.told ? { told: client.told } : {}
    const noted = notes.find((note) => note.session === session.session)
    const isNoteTrue = noted ? ({ isThere: true, isNoteTrue: true } as const) : {}
    if (!processes) return { ...told, ...isNoteTrue }
    if (noted) return { ...told, ...isNoteTrue, ...busyness(noted.pid, session, processes) }
    if (client?.process && isThere(client))
      return { ...told, isThere: true, ...busyness(client.process.pid, session, processes) }
    // No other process continues a plan that our server kept for an unknown client, or that of an agent known only by
    // its own notes.
    const isAlone = client?.isOwnServer || (client?.process && agentNamed(session.agentType)?.program === undefined)
    if (isAlone) return { ...told, isEnded: true }
    const found = running(session, now)
    if (found === "unknown") return told
    const elsewhere = new Set(notes.map(({ pid }) => pid))
    const mayServe = (one: PlacedProcess, open: OpenSession): boolean => {
      const { clients: noted, sessionOf } = clientsOf({ ...session, session: open.session }, now)
      if (noted.some((client) => isThere(client) || hasLeft(client, open))) return false
      // Processes known to be in other sessions do not work on this one.
      const isKnownElsewhere = elsewhere.has(one.pid) || (sessionOf(one) ?? open.session) !== open.session
      return !isKnownElsewhere && areRelated(one.folder, open.project) && isOfItsTime(one, open, noted[0])
    }
    const isAssigned = (): boolean => {
      const open = session.open?.() ?? [session]
      const assigned = known.get(open) ?? assignedProcesses(found, open, mayServe)
      known.set(open, assigned)
      return assigned.has(session.session)
    }
    const [only, ...others] = found.filter((one) => mayServe(one, session))
    if (only && isAssigned()) return others.length === 0 ? { ...told, ...busyness(only.pid, session, processes) } : told
    const isQuiet = client?.process !== undefined || now.getTime() - Date.parse(session.updated) >= quiet
    return isQuiet ? { ...told, isEnded: true } : told
  }
}

/** The last report of the hooks as activity; undefined if it is about another agent or outdated. */
export const activityReportedBy = (
  { told, isBusy }: ClientState,
  seen: Activity | undefined,
  isMeant: (agent: string) => boolean,
): Activity | "ended" | undefined => {
  if (!told || told.at < (seen?.at ?? "")) return undefined
  const { kind, agent, text, at } = told
  if (kind === "ended") return "ended"
  if (kind === "stopped") return seen && isOver(seen) ? seen : { kind: "turn-ended", at }
  if (!isMeant(agent)) return undefined
  if (kind === "failed") return { kind: "turn-ended", at, error: text ?? "The agent gave no reason." }
  // A running tool has been permitted.
  if (isBusy) return undefined
  return { kind: "waiting", at, waitsFor: { kind, ...(text === undefined ? {} : { text }) } }
}

export const isOver = ({ kind }: Activity): boolean => kind === "turn-ended" || kind === "ended"

/** Whether the process in an agent's note still runs: a killed one leaves its note, and its pid may be reused. */
export const isNoteOf = (agentType: string, { pid, noted }: ProcessNote, processes: Processes | undefined): boolean => {
  if (!processes) return isRunning(pid)
  const [found, agent] = [processes.find(pid), agentNamed(agentType)]
  return (
    found !== undefined &&
    agent !== undefined &&
    found.started <= Date.parse(noted) + tolerance &&
    isProcessOf(agent, processes.wordsOf(pid))
  )
}

/** A process that serves the session, and the notes about it. */
type Serving = Pick<ClientRecord, "process" | "isOwnServer"> & ServedSession

type Clients = {
  bySession: ReadonlyMap<string, readonly Serving[]>
  /** The session each process is in now, as its hooks said. */
  current: ReadonlyMap<string, string>
}

/** The processes of an agent that served a session, latest first, and the session each process is in. */
const createClientsOf = (home: string) => {
  let known: (Clients & { at: number }) | undefined
  return ({ agentType, session }: ClientQuery, now: Date) => {
    if (!known || Math.abs(now.getTime() - known.at) >= freshFor) known = { at: now.getTime(), ...readClients(home) }
    const { bySession, current } = known
    return {
      clients: bySession.get(keyOf(agentType, session)) ?? [],
      sessionOf: ({ pid, start }: { pid: number; start: string }) => current.get(`${pid} ${start}`),
    }
  }
}

const readClients = (home: string): Clients => {
  const found = new Map<string, Serving[]>()
  const current = new Map<string, string>()
  for (const { agentType, process, isOwnServer, session, sessions } of clientsIn(home)) {
    for (const one of sessions) addTo(found, keyOf(agentType, one.session), { process, isOwnServer, ...one })
    if (process && session !== undefined) current.set(`${process.pid} ${process.start}`, session)
  }
  for (const all of found.values()) all.sort((one, other) => (one.at < other.at ? 1 : -1))
  return { bySession: found, current }
}

const keyOf = (agentType: string, session: string): string => JSON.stringify([agentType, session])

/** In milliseconds: if a file was written this recently, its process is running. */
const quiet = 2_000

/** In milliseconds: the times in files and the start times of processes come from different clocks. */
const tolerance = 1_000

/** Its hooks said that the session was left, and nothing was recorded since. */
const hasLeft = ({ told }: Serving, { updated }: OpenSession): boolean => told?.kind === "ended" && told.at >= updated

/**
 * A process that started after the last record of a session is in another one. One that already existed when the
 * session's own process was noted serves another one too; a later one may continue it.
 */
const isOfItsTime = ({ started }: RunningProcess, { updated }: OpenSession, noted: Serving | undefined): boolean =>
  started <= Date.parse(updated) + tolerance && (!noted?.process || started > Date.parse(noted.at))

/** What a process does that started after the session's last record is not a tool of the session. */
const busyness = (
  pid: number,
  { updated }: ClientQuery,
  processes: Pick<Processes, "find" | "childrenOf">,
): Pick<ClientState, "isBusy"> => {
  const last = Date.parse(updated)
  const found = processes.find(pid)
  const isEarlier = found !== undefined && found.started <= last + tolerance
  return isEarlier && processes.childrenOf(pid).some(({ started }) => started > last - tolerance)
    ? { isBusy: true }
    : {}
}

/**
 * The processes of an agent with their folders, or `unknown` if the folder is not on this machine or a process may work
 * anywhere.
 */
const createRunning = (processes: Processes | undefined) => {
  const known = new Map<string, { at: number; found: (RunningProcess & { words: readonly string[] })[] }>()

  const runningNow = (agentType: string, now: Date) => {
    const before = known.get(agentType)
    if (before && Math.abs(now.getTime() - before.at) < freshFor) return before.found
    const agent = agentNamed(agentType)
    const found = agent && processes ? processes.withWords((words) => isProcessOf(agent, words)) : []
    known.set(agentType, { at: now.getTime(), found })
    return found
  }

  return ({ agentType, project }: ClientQuery, now: Date): "unknown" | PlacedProcess[] => {
    const agent = agentNamed(agentType)
    if (!agent?.program || !processes || project === undefined || !isFolderHere(project)) return "unknown"
    const found = runningNow(agentType, now)
    if (found.some(({ words }) => servesAnyFolder(agent, words))) return "unknown"
    const folders = found.map((one) => ({ one, folder: processes.folderOf(one.pid) }))
    // A process that has just ended has no folder either.
    if (folders.some(({ one, folder }) => folder === undefined && processes.find(one.pid))) return "unknown"
    return folders.flatMap(({ one, folder }) => (folder === undefined ? [] : [{ ...one, folder }]))
  }
}

/** In milliseconds. */
const freshFor = 1_000

/**
 * A session of a container or another machine names a folder that does not exist here; neither do its processes. A folder that
 * was removed or renamed here leaves the one it was in, unless that is the root, which every machine has.
 */
const isFolderHere = (project: string): boolean => {
  const parent = dirname(project)
  return isAbsolute(project) && (isFolder(project) || (parent !== dirname(parent) && isFolder(parent)))
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    // A session file may name anything as its folder, even something that is not a path.
    return false
  }
}
