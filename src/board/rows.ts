/** The rows of the board as plain data, in a stable order, and the plans behind them. */
import type { ReadClientState } from "../sessions/clients.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { AgentNames, SessionPlan, SessionRow } from "../views/board/session.ts"
import type { WhenTold } from "../views/when-told.ts"
import type { BoardEvidence, KnownEvidence } from "./evidence.ts"
import { isOfInterest, type Joined, type JoinedSession, joinSessions, keyOf } from "./joined-session.ts"
import type { KeptPlans } from "./kept-plans.ts"
import { createPlansAtHand } from "./plans-at-hand.ts"
import { createProjectLabels } from "./project.ts"
import { createRank } from "./rank.ts"
import { createRow, hasPlace } from "./row.ts"

/** By key, see `keyOf`. */
export type SeenByKey = ReadonlyMap<string, DiscoveredSession>

/** `state` is what the files of the agent's session say about it. */
export type FindWhenTold = (
  plan: Pick<Tracker, "key" | "ledger">,
  state: DiscoveredSession["state"] | undefined,
) => WhenTold | undefined

export type BoardRowsOptions = {
  kept: Pick<KeptPlans, "summaries" | "tracker" | "revision" | "open">
  seen: SeenByKey
  /** The person's home, left out of the names of folders. */
  home: string
  isShown: (session: JoinedSession) => boolean
  isAll: boolean
  agentNamesOf: (agentType: string) => AgentNames
  readClientState?: ReadClientState | undefined
  /** Titles that people gave to sessions, by key; they replace the sessions' own titles. */
  names: () => ReadonlyMap<string, string> | undefined
  whenToldOf: FindWhenTold
  /** Requests the times of the todos in a file; they arrive with a later change. */
  wantWhole: (path: string) => void
  evidence: Pick<BoardEvidence, "of" | "want">
}

export type BoardRows = {
  /** The current rows; the same array if nothing has changed. */
  make(now: Date): readonly SessionRow[]
  /** The sources of the rows, in the same order. */
  joined(): IterableIterator<readonly [key: string, joined: Joined]>
  /** The sources of a row, even one that is not shown. */
  find(key: string): Joined | undefined
  /** The plan behind a row, if it is in memory. */
  planAtHand(key: string): SessionPlan | undefined
  /** The plan behind a row, read if necessary. */
  read(key: string): Promise<SessionPlan>
  /** Reads the plans of the first rows, so that the first screen is complete. */
  readFirst(): Promise<void>
}

/** The inputs of a row; the same inputs make the same row. */
type Made = { joined: Joined; revision: number | undefined; known: KnownEvidence | undefined; row: SessionRow }

const readAtFirst = 10

export const createBoardRows = (options: BoardRowsOptions): BoardRows => {
  const { kept, seen, home, isShown, isAll, agentNamesOf, readClientState, names, evidence } = options
  const labelOf = createProjectLabels(home)
  const rank = createRank()
  let version = 0
  let all = new Map<string, Joined>()
  let made = new Map<string, Made>()
  let rows: readonly SessionRow[] = []
  const find = (key: string): Joined | undefined => all.get(key)
  const { planAtHand, read, doubted } = createPlansAtHand({ ...options, find })

  /** All sessions, of their sub-agents those of interest, and the agents these work for. */
  const chosen = (now: Date): Map<string, Joined> => {
    const keys = new Set<string>()
    for (const [key, { session }] of all) if (isShown(session) && (isAll || isListed(session, now))) keys.add(key)
    for (const key of keys) {
      const parent = parentIn(all, key)
      if (parent !== undefined) keys.add(parent)
    }
    return new Map([...all].filter(([key]) => keys.has(key)))
  }

  /** The row as it was made last, if nothing that it was made from has changed. */
  const madeFor = (key: string, joined: Joined, parent: string | undefined, name: string | undefined): Made => {
    const known = evidence.of(key, joined)
    const title = name ?? joined.session.title
    const revision = kept.revision(key)
    const last = made.get(key)
    const isPlaced = last?.row.parent === parent && last?.row.title === title
    const isSame =
      isPlaced && last?.revision === revision && last?.known === known && isSameJoined(last?.joined, joined)
    if (last && isSame) return last
    version += 1
    const about = { key, joined, parent, title, doubted: doubted(key, known), version }
    return { joined, revision, known, row: createRow({ ...about, labelOf, agentNamesOf }) }
  }

  return {
    make(now) {
      all = joinSessions(kept.summaries, seen, now, readClientState)
      const joined = chosen(now)
      const given = names()
      const next = new Map<string, Made>()
      for (const key of rank(joined, (one) => made.get(one)?.joined.session)) {
        const one = joined.get(key)
        if (!one) continue
        const name = hasPlace(key, one) ? given?.get(keyOf(one.session)) : undefined
        next.set(key, madeFor(key, one, parentIn(joined, key), name))
      }
      made = next
      const before = rows
      rows = Array.from(next.values(), ({ row }) => row)
      if (rows.length === before.length && rows.every((row, index) => row === before[index])) rows = before
      return rows
    },
    joined: () => madeOf(made),
    find,
    planAtHand,
    read,
    async readFirst() {
      const plans = [...made.values()].slice(0, readAtFirst).flatMap(({ joined }) => joined.plan ?? [])
      await Promise.all(plans.map((plan) => kept.open(plan).catch(() => {})))
    },
  }
}

function* madeOf(made: ReadonlyMap<string, Made>): IterableIterator<readonly [string, Joined]> {
  for (const [key, { joined }] of made) yield [key, joined]
}

/**
 * Every session gets a row, folded when it is old. Sub-agents without a list are left out, because there may be
 * thousands of them.
 */
const isListed = (session: JoinedSession, now: Date): boolean => session.agent === "main" || isOfInterest(session, now)

/** The key of the parent agent, if it is present. */
const parentIn = (all: ReadonlyMap<string, Joined>, key: string): string | undefined => {
  const { session, agent, parent } = all.get(key)?.session ?? {}
  if (session === undefined || !parent || agent === "main") return undefined
  const other = keyOf({ session, agent: parent.agent })
  return all.has(other) ? other : undefined
}

const isSameJoined = (one: Joined | undefined, other: Joined): boolean =>
  one?.plan === other.plan &&
  one?.seen === other.seen &&
  one?.session.state === other.session.state &&
  one?.session.error === other.session.error &&
  JSON.stringify(one?.session.waitsFor) === JSON.stringify(other.session.waitsFor)
