/** Sessions that are left out of a look and only counted: they are over, and one file is all there is of each of them. */
import type { IndexEntries, Indexed, Rest } from "../session-index.ts"
import type { Found } from "../walk.ts"
import { isNotAhead, waitingFor } from "./activity.ts"
import { candidatesOf, type WholeReader } from "./candidates.ts"
import { merge } from "./merge-sessions.ts"
import { standingIn } from "./standing.ts"

export type LeaveOptions = {
  now: Date
  /** In milliseconds since 1970: those that were last active before it are left out. */
  before: number
  /** Ids of sessions that are not left out. */
  wanted: { has(session: string): boolean }
}

type Left = { found: Found; rest: Rest; entries: IndexEntries }

/** `take` takes over what a file says; `isKnown` says whether anything is known of a session that must be joined with this file. */
export const createLeftSessions = (
  take: (found: Found, entry: Indexed | undefined) => void,
  isKnown: (found: Found, session: string) => boolean,
) => {
  /** By their ids, which no two agents have in common. */
  const left = new Map<string, Left>()

  const takeBack = (session: string): void => {
    const one = left.get(session)
    if (!one) return
    left.delete(session)
    take(one.found, one.entries.get(one.found.path))
  }

  return {
    /** Leaves out the session of a file. Returns false where it may not be left out. */
    leave(found: Found, entries: IndexEntries, { now, before, wanted }: LeaveOptions): boolean {
      const { session } = found.whose
      if (session === undefined || !mayBeAlone(found) || wanted.has(session)) return false
      const rest = entries.restOf(found.path, found.stamp)
      // Time changes the state of a session for as long as it may wait for the person.
      if (!rest || !(rest.time < Math.min(before, now.getTime() - waitingFor))) return false
      if (isKnown(found, session)) return false
      if (left.has(session)) {
        takeBack(session)
        return false
      }
      left.set(session, { found, rest, entries })
      return true
    },
    /** No longer leaves out the session of this id, if it did: something else is said of it. */
    takeBack,
    takeAllBack(): void {
      for (const session of [...left.keys()]) takeBack(session)
    },
    takeNewestBack(count: number): void {
      const newest: [session: string, left: Left][] = []
      for (const one of left) {
        const last = newest[count - 1]
        if (last && !isBefore(one, last)) continue
        const at = newest.findIndex((other) => isBefore(one, other))
        newest.splice(at < 0 ? newest.length : at, 0, one)
        newest.length = Math.min(newest.length, count)
      }
      for (const [session] of newest) takeBack(session)
    },
    clear: () => left.clear(),
    count: () => left.size,
  }
}

/** In the order in which a listing shows them: the newest first, and of equals by their names. */
const isBefore = ([session, { rest }]: [string, Left], [other, { rest: otherRest }]: [string, Left]): boolean => {
  if (rest.updated !== otherRest.updated) return rest.updated > otherRest.updated
  return JSON.stringify(session) < JSON.stringify(other)
}

/** Whether a file is of a kind that is often all there is of its session: the session's own, named after it. */
const mayBeAlone = ({ place, whose, isChilds, isElsewhere }: Found): boolean =>
  place.reading.as === "lines" &&
  whose.session !== undefined &&
  whose.agent === undefined &&
  !(place.isBeside || place.isNote || isChilds || isElsewhere)

const noReader: WholeReader = { file: async () => undefined, history: async () => undefined }

/**
 * When the session of a file was last active, in ISO form, where the file is all there is of it as long as no other names it,
 * and where time alone no longer changes that.
 */
export const restedSince = (found: Found, entry: Indexed, now: Date): string | undefined => {
  if (!mayBeAlone(found)) return undefined
  const candidates = candidatesOf(found, entry, noReader)
  const [merged] = merge(candidates)
  if (!merged || candidates.length > 1 || merged.facts.agent !== "main" || merged.session !== found.whose.session)
    return undefined
  const { facts, confirmed } = merged
  const times = [facts.activity?.at, facts.planned, facts.about.recorded]
  const isOver = times.every((time) => time === undefined || (isNotAhead(time, now) && !Number.isNaN(Date.parse(time))))
  if (!isOver || confirmed || facts.about.sharedList !== undefined) return undefined
  const { updated } = standingIn(merged, undefined, { now, notes: () => [], agents: new Set(["main"]) })
  // What says no time that can be has the beginning of all times.
  return Date.parse(updated) > 0 ? updated : undefined
}
