/** Finds the process that is working on a session now, as far as this machine can tell. */
import { agentNamed } from "../agents/index.ts"
import { isProcessOf, servesAnyFolder } from "../agents/process.ts"
import { clientsIn, isSameProcess } from "../home/processes/clients.ts"
import { type Processes, processesHere } from "../home/processes/processes.ts"
import { isNoteOf, type ProcessNote } from "./clients.ts"

export type Served = {
  agentType: string
  session: string
  /** The folder it works in; a label does not help. */
  project?: string | undefined
  /** When it was last active, in ISO form. */
  updated: string
}

export type ServingProcess = {
  pid: number
  /** True if the process said so itself; otherwise it is the only candidate. */
  isCertain: boolean
}

export type ServingOptions = {
  /** Headway's own home, where clients are noted. */
  home: string
  /** All sessions of this machine. */
  all: readonly Served[]
  /** What the agent's processes themselves have noted: which session each is in. @default nothing */
  notes?: readonly ProcessNote[]
  /** Undefined if the system does not list processes. */
  processes?: Processes | undefined
}

export const findServingProcess = (
  wanted: Served,
  { home, all, notes = [], processes = processesHere() }: ServingOptions,
): ServingProcess | undefined => {
  if (!processes) return undefined
  const own = notes.filter((note) => isNoteOf(wanted.agentType, note, processes))
  const fromHooks = clientsIn(home).flatMap(({ agentType, process: one, isOwnServer, session, sessions }) => {
    const isThere = one !== undefined && !isOwnServer && isSameProcess(one, processes)
    const isOther = agentType !== wanted.agentType || own.some(({ pid }) => pid === one?.pid)
    return isThere && !isOther
      ? [{ pid: one.pid, session: session ?? sessions[0]?.session, isTold: session !== undefined }]
      : []
  })
  const noted = [...own.map(({ pid, session }) => ({ pid, session, isTold: true })), ...fromHooks]
  const serving = noted.find(({ session }) => session === wanted.session)
  if (serving) return { pid: serving.pid, isCertain: true }
  const agent = agentNamed(wanted.agentType)
  if (!agent?.program) return undefined
  // A process that reported another session is not in this one, whatever its arguments say.
  const elsewhere = new Set(noted.flatMap(({ pid, isTold }) => (isTold ? [pid] : [])))
  const running = processes.withWords((words) => isProcessOf(agent, words)).filter(({ pid }) => !elsewhere.has(pid))
  // As a person, or "headway open", resumes it.
  const isElsewhere = (pid: number): boolean => (processes.folderOf(pid) ?? wanted.project) !== wanted.project
  const named = running.find(({ pid, words }) => words.includes(wanted.session) && !isElsewhere(pid))
  if (named) return { pid: named.pid, isCertain: true }
  const here = running.filter(({ pid }) => processes.folderOf(pid) === wanted.project)
  const [only, ...others] = here
  if (!only || others.length > 0 || servesAnyFolder(agent, only.words)) return undefined
  const since = all.filter(
    ({ agentType, project, updated }) =>
      agentType === wanted.agentType && project === wanted.project && Date.parse(updated) >= only.started,
  )
  const isOnly = since.length > 0 && since.every(({ session }) => session === wanted.session)
  return isOnly ? { pid: only.pid, isCertain: false } : undefined
}
