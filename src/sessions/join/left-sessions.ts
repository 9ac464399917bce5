/** Sessions that a scan counts without reading them: they have ended, and each of them has only one file. */
import type { IndexEntries, Indexed, Rest } from "../session-index.ts"
import type { Found } from "../walk.ts"
import { isNotAhead, waitingFor } from "./activity.ts"
import { candidatesOf, type WholeReader } from "./candidates.ts"
import { merge } from "./merge-sessions.ts"
import { sessionStateIn } from "./session-state.ts"

export type LeaveOptions = {
  now: Date
  /** In milliseconds since 1970: sessions last active before this time are left out. */
  before: number
  /** The ids of sessions that must not be left out. */
  wanted: { has(session: string): boolean }
}

type Left = { found: Found; rest: Rest; entries: IndexEntries }

/** `take` adds a file to the scan; `isKnown` says whether other data of the session must be joined with this file. */
export const createLeftSessions = (
  take: (found: Found, entry: Indexed | undefined) => void,
  isKnown: (found: Found, session: string) => boolean,
) => {
  /** By session id. Ids of different agents never clash. */
  const left = new Map<string, Left>()

  const takeBack = (session: string): void => {
    const one = left.get(session)
    if (!one) return
    left.delete(session)
    take(one.found, one.entries.get(one.found.path))
  }

  return {
    /** Leaves out the session of a file. Returns false if it must not be left out. */
    leave(found: Found, entries: IndexEntries, { now, before, wanted }: LeaveOptions): boolean {
      const { session } = found.whose
      if (session === undefined || !mayBeAlone(found) || wanted.has(session)) return false
      const rest = entries.restOf(found.path, found.stamp)
      // The state of a session changes with time for as long as it may be waiting for the person.
      if (!rest || !(rest.time < Math.min(before, now.getTime() - waitingFor))) return false
      if (isKnown(found, session)) return false
      if (left.has(session)) {
        takeBack(session)
        return false
      }
      left.set(session, { found, rest, entries })
      return true
    },
    /** Adds the session of this id to the scan after all, because other data mentions it. */
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

/** The order of a listing: the newest first, then by id. */
const isBefore = ([session, { rest }]: [string, Left], [other, { rest: otherRest }]: [string, Left]): boolean => {
  if (rest.updated !== otherRest.updated) return rest.updated > otherRest.updated
  if (isPlainId(session) && isPlainId(other)) return session < other
  return JSON.stringify(session) < JSON.stringify(other)
}

/** Such ids are in the same order as texts and in JSON. There may be thousands that rest since the same time. */
const isPlainId = (id: string): boolean => /^[-\w]*$/.test(id)

/** Whether the file may be the only one of its session: the session's own file, named after it. */
const mayBeAlone = ({ place, whose, isChilds, isElsewhere }: Found): boolean =>
  place.reading.as === "lines" &&
  whose.session !== undefined &&
  whose.agent === undefined &&
  !(place.isBeside || place.isNote || isChilds || isElsewhere)

const noReader: WholeReader = { file: async () => undefined, history: async () => undefined }

/**
 * Returns when the session of a file was last active, in ISO form, if the file alone decides that and time no longer changes it.
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
  const alone = { notes: () => [], open: () => [], agents: new Set(["main"]) }
  const { updated } = sessionStateIn(merged, undefined, { now, ...alone })
  // Sessions without a possible time get the year 1970.
  return Date.parse(updated) > 0 ? updated : undefined
}
