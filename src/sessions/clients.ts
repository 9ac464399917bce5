/** Whether the process that works on a session is still there, as far as that can be known on this machine. */
import { statSync } from "node:fs"
import { isAbsolute, sep } from "node:path"
import { agentNamed } from "../agents/index.ts"
import { isProcessOf, servesAnyFolder } from "../agents/process.ts"
import { type ClientRecord, clientsIn, isSameProcess, type ServedSession, type Told } from "../home/clients.ts"
import { type Processes, processesHere, type RunningProcess } from "../home/processes.ts"
import { isRunning } from "../home/write-file.ts"
import { addTo } from "../plan/grouped.ts"
import type { Activity, SessionSignal } from "../streams/stream.ts"
import type { Whose } from "./source.ts"

export type LookedAt = {
  agentType: string
  session: string
  /** The folder it works in; a label tells nothing. */
  project?: string | undefined
  /** When it was last active, in ISO form. */
  updated: string
  /** What the agent's processes themselves have noted on disk: which session each is in. @default nothing */
  notes?: readonly ProcessNote[]
}

/** A process of an agent, the session it is in, and when that was noted first, in ISO form. */
export type ProcessNote = { session: string; pid: number; noted: string }

/** What a note says of a process; undefined where it names no session, and does not lie in the folder of one. */
export const processNoteIn = (
  { session, process }: Pick<SessionSignal, "session" | "process">,
  whose: Pick<Whose, "session">,
): ProcessNote | undefined => {
  const id = session ?? whose.session
  return id === undefined || !process ? undefined : { session: id, ...process }
}

/** What is not known is left out. */
export type ClientState = {
  /** Its process has ended. */
  isEnded?: true
  /** A process that is known to be in this very session runs. */
  isThere?: true
  /** The same, by the agent's own note: what that says else is as of now. */
  isNoteTrue?: true
  /** It has started a process after it was last active, which still runs: a tool is at work. */
  isBusy?: true
  /** What its hooks said last of how it stands. */
  told?: Told
}

export type LookAtClient = (session: LookedAt, now: Date) => ClientState

export type ClientsOptions = {
  /** Headway's own home, where clients are noted. */
  home: string
  /** Undefined where the system does not show its processes. */
  processes?: Processes | undefined
}

/** Looks at the processes of this machine at most once a second, and only when it is asked about a session. */
export const createClientLook = ({ home, processes = processesHere() }: ClientsOptions): LookAtClient => {
  const running = createRunning(processes)
  const clientsOf = createClientsOf(home)
  return (session, now) => {
    const { clients, sessionOf } = clientsOf(session, now)
    const isThere = ({ process: one }: Serving): boolean =>
      one !== undefined && processes !== undefined && isSameProcess(one, processes)
    const client = clients.find(isThere) ?? clients[0]
    const told = client?.told ? { told: client.told } : {}
    const notes = (session.notes ?? []).filter((note) => isNoteOf(session.agentType, note, processes))
    const noted = notes.find((note) => note.session === session.session)
    const isNoteTrue = noted ? ({ isThere: true, isNoteTrue: true } as const) : {}
    if (!processes) return { ...told, ...isNoteTrue }
    if (noted) return { ...told, ...isNoteTrue, ...busyness(noted.pid, session, processes) }
    if (client?.process && isThere(client))
      return { ...told, isThere: true, ...busyness(client.process.pid, session, processes) }
    // No other process goes on with a plan that our server kept for a client it did not know, or with one of an agent that
    // is known only by what it noted itself.
    const isAlone = client?.isOwnServer || (client?.process && agentNamed(session.agentType)?.program === undefined)
    if (isAlone) return { ...told, isEnded: true }
    const found = running(session, now)
    if (found === "unknown") return told
    // Those that are known to be in other sessions do not work on this one.
    const elsewhere = new Set(notes.map(({ pid }) => pid))
    const here = found.filter(({ pid, start }) => {
      const other = sessionOf({ pid, start })
      return !elsewhere.has(pid) && (other === undefined || other === session.session)
    })
    // Others that were there already when this one was noted serve other sessions; one that came later goes on with it.
    const isNoted = client?.process !== undefined
    const [only, ...others] = isNoted ? here.filter(({ started }) => started > Date.parse(client.at)) : here
    if (only) return others.length === 0 ? { ...told, ...busyness(only.pid, session, processes) } : told
    const isQuiet = isNoted || now.getTime() - Date.parse(session.updated) >= quiet
    return isQuiet ? { ...told, isEnded: true } : told
  }
}

/** What the hooks said last, as activity; undefined where it is about another agent, or the session has gone on since. */
export const toldBy = (
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
  // A tool at work was given leave.
  if (isBusy) return undefined
  return { kind: "waiting", at, waitsFor: { kind, ...(text === undefined ? {} : { text }) } }
}

export const isOver = ({ kind }: Activity): boolean => kind === "turn-ended" || kind === "ended"

/** Whether the process that an agent noted still runs: one that was killed leaves its note, and its number is given again. */
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

/** A process that serves the session, and what is noted of that. */
type Serving = Pick<ClientRecord, "process" | "isOwnServer"> & ServedSession

type Clients = {
  bySession: ReadonlyMap<string, readonly Serving[]>
  /** The session each process is in now, as its hooks said. */
  current: ReadonlyMap<string, string>
}

/** The processes of an agent that have served a session, the latest first, and the session any process is in. */
const createClientsOf = (home: string) => {
  let known: (Clients & { at: number }) | undefined
  return ({ agentType, session }: LookedAt, now: Date) => {
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

/** In milliseconds: what was written a moment ago was written by a process. */
const quiet = 2_000

/** In milliseconds: files say when something happened, processes when they were started, from different clocks. */
const tolerance = 1_000

const busyness = (
  pid: number,
  { updated }: LookedAt,
  processes: Pick<Processes, "childrenOf">,
): Pick<ClientState, "isBusy"> =>
  processes.childrenOf(pid).some(({ started }) => started > Date.parse(updated) - tolerance) ? { isBusy: true } : {}

/** The processes of an agent in a folder, or `unknown`: the folder is not on this machine, or one of them may work anywhere. */
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

  return ({ agentType, project }: LookedAt, now: Date): "unknown" | RunningProcess[] => {
    const agent = agentNamed(agentType)
    if (!agent?.program || !processes || project === undefined || !isFolderHere(project)) return "unknown"
    const found = runningNow(agentType, now)
    if (found.some(({ words }) => servesAnyFolder(agent, words))) return "unknown"
    const folders = found.map((one) => ({ one, folder: processes.folderOf(one.pid) }))
    // One that has ended since has no folder either.
    if (folders.some(({ one, folder }) => folder === undefined && processes.find(one.pid))) return "unknown"
    return folders.flatMap(({ one, folder }) => (folder !== undefined && areRelated(folder, project) ? [one] : []))
  }
}

/** In milliseconds. */
const freshFor = 1_000

/** A session in a container or on another machine names a folder that is not here: its processes are not here either. */
const isFolderHere = (project: string): boolean => {
  try {
    return isAbsolute(project) && statSync(project).isDirectory()
  } catch {
    // A session file may name anything as its folder, also what cannot be a path.
    return false
  }
}

/** An agent may have been started above or below the folder that its session names. */
const areRelated = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}${sep}`) || other.startsWith(`${one}${sep}`)
