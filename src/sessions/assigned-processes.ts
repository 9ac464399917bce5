/** Assigns processes that did not say which session they are in: each is in at most one. */
import { sep } from "node:path"
import type { RunningProcess } from "../home/processes/processes.ts"

/** A session that a process may be in. */
export type OpenSession = {
  session: string
  /** The folder it works in; a label does not help. */
  project?: string | undefined
  /** When any of its agents was last active, in ISO form. */
  updated: string
}

export type PlacedProcess = RunningProcess & { folder: string }

export type MayServe = (process: PlacedProcess, session: OpenSession) => boolean

/**
 * The newest session comes first and takes the latest process that may serve it, because an earlier one may also serve
 * older sessions. A session in exactly the folder of a process comes before those above or below it.
 */
export const assignedProcesses = (
  processes: readonly PlacedProcess[],
  sessions: readonly OpenSession[],
  mayServe: MayServe,
): ReadonlyMap<string, PlacedProcess> => {
  const assigned = new Map<string, PlacedProcess>()
  const free = new Set(processes.toSorted((one, other) => other.started - one.started))
  const newestFirst = sessions.toSorted((one, other) => Date.parse(other.updated) - Date.parse(one.updated))
  for (const isNear of [isSameFolder, areRelated])
    for (const one of newestFirst) {
      if (free.size === 0) return assigned
      if (assigned.has(one.session)) continue
      const process = [...free].find((each) => isNear(each.folder, one.project) && mayServe(each, one))
      if (!process) continue
      assigned.set(one.session, process)
      free.delete(process)
    }
  return assigned
}

const isSameFolder = (one: string, other: string | undefined): boolean => one === other

/** An agent may have been started above or below the folder that its session names. */
export const areRelated = (one: string, other: string | undefined): boolean =>
  other !== undefined && (one === other || one.startsWith(`${other}${sep}`) || other.startsWith(`${one}${sep}`))
