/** Whether the process that works on a session is still there, as far as that can be known on this machine. */
import { statSync } from "node:fs"
import { isAbsolute, sep } from "node:path"
import { agentNamed } from "../agents/index.ts"
import { isProcessOf, servesAnyFolder } from "../agents/process.ts"
import { clientOf, isSameProcess } from "../home/client-note.ts"
import { type Processes, processesHere, type RunningProcess } from "../home/processes.ts"

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
  return (session, now) => {
    const note = clientOf(home, session.session)
    const isNoted = note?.agentType === session.agentType
    const stopped = isNoted && note.stopped !== undefined ? { stopped: note.stopped } : {}
    if (!processes) return stopped
    const noted = isNoted ? note.process : undefined
    if (noted && isSameProcess(noted, processes)) return { ...stopped, ...busyness(noted.pid, session, processes) }
    const here = running(session, now)
    if (here === "unknown") return stopped
    // Others that were there already when this one was noted serve other sessions; one that came later goes on with it.
    const [only, ...others] = noted ? here.filter(({ started }) => started > Date.parse(note?.at ?? "")) : here
    if (only) return others.length === 0 ? { ...stopped, ...busyness(only.pid, session, processes) } : stopped
    const isQuiet = noted !== undefined || now.getTime() - Date.parse(session.updated) >= quiet
    return isQuiet ? { ...stopped, isEnded: true } : stopped
  }
}

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
