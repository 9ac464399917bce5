/** The sessions of an agent that are not over: its processes may be in one of them. */
import { addTo } from "../../plan/grouped.ts"
import type { OpenSession } from "../assigned-processes.ts"
import type { Merged } from "./merge-sessions.ts"
import { latest, openSince } from "./session-state.ts"

export type OpenSessions = (agentType: string) => readonly OpenSession[]

/** Worked out only when a process is to be assigned to one of them. */
export const createOpenSessions = (
  sessions: Iterable<{ merged: readonly Merged[] }>,
  projectOf: (merged: Merged) => string | undefined,
  now: Date,
): OpenSessions => {
  let known: ReadonlyMap<string, readonly OpenSession[]> | undefined
  const find = (): ReadonlyMap<string, readonly OpenSession[]> => {
    const found = new Map<string, OpenSession[]>()
    for (const { merged } of sessions) {
      const main = merged.find(({ facts }) => facts.agent === "main") ?? merged[0]
      if (!main || openSince(main, now) === undefined) continue
      const updated = latest(...merged.map((one) => openSince(one, now)))
      const { found: file, session } = main
      if (updated !== undefined) addTo(found, file.source.agentType, { session, project: projectOf(main), updated })
    }
    return found
  }
  return (agentType) => {
    known ??= find()
    return known.get(agentType) ?? none
  }
}

const none: readonly OpenSession[] = []
