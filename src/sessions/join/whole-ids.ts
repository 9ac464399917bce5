/**
 * Finds the sessions of files that only have the beginning of a session id. Such a file belongs to the one session with that
 * beginning, if there is exactly one.
 */
import { groupedBy } from "../../plan/grouped.ts"
import { type Candidate, ofSession } from "./merge-sessions.ts"
import { sessionIn } from "./session-key.ts"

export type WholeIds = {
  /** The session of this key may be known only by how its id begins. */
  add(key: string): void
  isEmpty(): boolean
  forget(key: string): void
  /** Looks all of them up among the keys of all sessions. Returns the keys of the sessions that changed by it. */
  find(keys: Iterable<string>): string[]
  /** Whether the session of this key is another one, which has a whole id. */
  isOther(key: string): boolean
  /** What files with the beginning of its id say of a session. */
  candidatesBegun(key: string): Candidate[]
}

export const createWholeIds = (candidatesIn: (key: string) => Candidate[]): WholeIds => {
  const starts = new Set<string>()
  /** The keys of the sessions that some of them are. */
  const wholeOf = new Map<string, string>()
  /** The same the other way round. */
  let begun: ReadonlyMap<string, string[]> = new Map()

  /** In sorted order, sessions with a common beginning are adjacent. */
  const wholeIn = (keys: readonly string[], after: number, start: Candidate, key: string): string | undefined => {
    const owners: string[] = []
    for (let at = after; keys[at]?.startsWith(key) && owners.length < 2; at += 1)
      if (isMissing(start, candidatesIn(keys[at] ?? ""))) owners.push(keys[at] ?? "")
    return owners.length === 1 ? owners[0] : undefined
  }

  return {
    add: (key) => void starts.add(key),
    isEmpty: () => starts.size === 0,
    forget(key) {
      starts.delete(key)
      wholeOf.delete(key)
    },
    find(all) {
      const changed: string[] = []
      const keys = starts.size > 0 ? [...all].sort() : []
      const places = new Map(keys.map((key, index) => [key, index]))
      for (const key of starts) {
        const [start] = candidatesIn(key)
        if (!start?.isStart) continue
        const found = wholeIn(keys, (places.get(key) ?? 0) + 1, start, key)
        const before = wholeOf.get(key)
        if (found === before) continue
        if (found === undefined) wholeOf.delete(key)
        else wholeOf.set(key, found)
        for (const one of [key, before, found]) if (one !== undefined) changed.push(one)
      }
      begun = groupedBy(wholeOf.keys(), (start) => wholeOf.get(start) ?? "")
      return changed
    },
    isOther: (key) => wholeOf.has(key),
    candidatesBegun: (key) =>
      (begun.get(key) ?? [])
        .flatMap(candidatesIn)
        .map((one) => ofSession(one, { session: sessionIn(key), isStart: false })),
  }
}

/** Whether a file may be what a session lacks: one of the same project that has no file of its own, which another could replace. */
const isMissing = (file: Candidate, session: readonly Candidate[]): boolean =>
  session.length > 0 &&
  session.every(
    ({ found, facts, isLines, isPartial }) =>
      found.whose.project === file.found.whose.project && !(isLines && !isPartial && facts.agent === "main"),
  )
