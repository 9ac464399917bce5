/** Whether the process that works on a session is still there, as far as that can be known on this machine. */
import { statSync } from "node:fs"
import { isAbsolute, sep } from "node:path"
import { agentNamed } from "../agents/index.ts"
import { isProcessOf, servesAnyFolder } from "../agents/process.ts"
import { type ClientRecord, clientsIn, isSameProcess, type ServedSession } from "../home/clients.ts"
import { type Processes, processesHere, type RunningProcess } from "../home/processes.ts"
import { addTo } from "../streams/grouped.ts"

export type LookedAt = {
  agentType: string
  session: string
  /** The folder it works in; a label tells nothing. */
  project?: string | undefined
  /** When it was last active, in ISO form. */
  updated: string
}

/** What is not known is left out. */
export type ClientState = {
  /** Its process has ended. */
  isEnded?: true
  /** It has started a process after it was last active, which still runs: a tool is at work. */
  isBusy?: true
  /** When the agent was let go at the end of its turn, in ISO form; it has not gone on since. */
  stopped?: string
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
    const clients = clientsOf(session, now)
    const isThere = ({ process: one }: Serving): boolean =>
      one !== undefined && processes !== undefined && isSameProcess(one, processes)
    const client = clients.find(isThere) ?? clients[0]
    const stopped = client?.stopped === undefined ? {} : { stopped: client.stopped }
    if (!processes) return stopped
    if (client?.process && isThere(client)) return { ...stopped, ...busyness(client.process.pid, session, processes) }
    // No other process goes on with a plan that our server kept for a client it did not know.
    if (client?.isOwnServer) return { ...stopped, isEnded: true }
    const here = running(session, now)
    if (here === "unknown") return stopped
    // Others that were there already when this one was noted serve other sessions; one that came later goes on with it.
    const isNoted = client?.process !== undefined
    const [only, ...others] = isNoted ? here.filter(({ started }) => started > Date.parse(client.at)) : here
    if (only) return others.length === 0 ? { ...stopped, ...busyness(only.pid, session, processes) } : stopped
    const isQuiet = isNoted || now.getTime() - Date.parse(session.updated) >= quiet
    return isQuiet ? { ...stopped, isEnded: true } : stopped
  }
}

/** A process that serves the session, and what is noted of that. */
type Serving = Pick<ClientRecord, "process" | "isOwnServer"> & ServedSession

/** The processes of an agent that have served a session, the latest first. */
const createClientsOf = (home: string) => {
  let known: { at: number; bySession: ReadonlyMap<string, readonly Serving[]> } | undefined
  return ({ agentType, session }: LookedAt, now: Date): readonly Serving[] => {
    if (!known || Math.abs(now.getTime() - known.at) >= freshFor)
      known = { at: now.getTime(), bySession: servedSessions(home) }
    return known.bySession.get(keyOf(agentType, session)) ?? []
  }
}

const servedSessions = (home: string): ReadonlyMap<string, readonly Serving[]> => {
  const found = new Map<string, Serving[]>()
  for (const { agentType, process, isOwnServer, sessions } of clientsIn(home))
    for (const one of sessions) addTo(found, keyOf(agentType, one.session), { process, isOwnServer, ...one })
  for (const all of found.values()) all.sort((one, other) => (one.at < other.at ? 1 : -1))
  return found
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
