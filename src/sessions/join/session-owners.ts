/** Keeps sessions of equal ids apart: one that uses the id of another agent, project or database gets a prefix. */
import { basename } from "node:path"
import { type Candidate, ofSession } from "./merge-sessions.ts"
import { candidateKey } from "./session-key.ts"

export type SessionOwners = {
  /** What a file says, under an id that only its session has. */
  unique(candidate: Candidate): Candidate
  /** Whether any agent has a session of this id. */
  has(session: string): boolean
}

export const createSessionOwners = (): SessionOwners => {
  const owners = new Map<string, string>()
  /** The projects in which a session has files of its own. */
  const projectsOf = new Map<string, Set<string>>()

  /** Two agents never have the same id by chance. */
  const ownedBy = (name: string, owned: string, candidate: Candidate): Candidate => {
    const owner = owners.get(owned) ?? name
    owners.set(owned, owner)
    return owner === name ? candidate : ofSession(candidate, { session: `${name}:${candidate.session}` })
  }

  /** A sub-agent may be in another project than the session that it says it works for. */
  const inItsProject = (one: Candidate): Candidate => {
    const { whose, isChilds } = one.found
    const { project } = whose
    if (project === undefined || !one.isLines || isChilds) return one
    const known = projectsOf.get(candidateKey(one))
    if (whose.agent === undefined) projectsOf.set(candidateKey(one), (known ?? new Set()).add(project))
    else if (known && !known.has(project)) return ofSession(one, { session: `${project}:${one.session}` })
    return one
  }

  return {
    unique(candidate) {
      const { source, whose, place, path } = candidate.found
      const one = ownedBy(source.agentType, candidate.session, candidate)
      // The same applies to two projects or databases of one agent whose files are not named after their sessions.
      const from = place.reading.as === "database" ? basename(path) : whose.project
      const isOnlyClaimed = whose.session === undefined && whose.agent === undefined
      return inItsProject(isOnlyClaimed && from !== undefined ? ownedBy(from, candidateKey(one), one) : one)
    },
    has: (session) => owners.has(session),
  }
}
