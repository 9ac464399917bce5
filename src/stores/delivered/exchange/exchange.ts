/** Exchanges one plan's entries: delivers waiting entries in order, and reads those of others into the mirror. */
import type { Entry, Problem } from "../../../plan/index.ts"
import { keyText } from "../../../plan/plan-key.ts"
import type { FileStore } from "../../file/index.ts"
import type { Cursor, PlanKey, Store } from "../../store.ts"
import { isForbidden } from "../connection/errors.ts"
import type { Answered } from "../connection/within.ts"
import type { Mark, Marks } from "../marks.ts"
import type { Outbox, Waiting } from "../outbox.ts"
import type { OwnEntries } from "../own-entries.ts"
import { createMirrorCopy, type Kept, type Taken } from "./_mirror-copy.ts"
import { createOwedSummaries } from "./_owed-summaries.ts"
import { createReadPlaces } from "./_read-places.ts"
import { createSending, type RemoteLog } from "./_sending.ts"
import { type Claim, isInTime, untilOver } from "./claim.ts"
import type { Unmirrored } from "./unmirrored.ts"

export type ExchangeOptions = {
  /** A home of files. */
  mirror: FileStore
  outbox: Outbox
  marks: Marks
  unmirrored: Unmirrored
  own: Pick<OwnEntries, "withEvents">
  /** Receives an entry that the remote store permanently rejects. */
  refuse: (key: PlanKey, entry: Entry, why: string) => Promise<void>
}

/** What arrived for a plan: entries of others, or a replaced log. */
export type Exchanged = Taken & {
  delivered: number
  /** Why nothing was delivered, where this user may read the plan and not change it. */
  forbidden?: Error
}

export type Exchange = {
  /** Delivers the waiting entries of a plan, then claims, and reads what is new. */
  plan(remote: Store, key: PlanKey, claims: readonly Claim[]): Promise<Exchanged>
  /** Sends the summaries of plans with delivered entries, so that listing there need not fold them, until a time (`performance.now()`). */
  handOver(remote: Store, answered: Answered, until?: number): Promise<void>
  /** The plan was removed here. */
  forget(key: PlanKey): void
}

/**
 * Only one process at a time should do this for a plan. If two do, they deliver the same entries in the same order: the
 * remote store accepts each once, and duplicates in the mirror count once.
 */
export const createExchange = (options: ExchangeOptions): Exchange => {
  const { mirror, outbox, marks, unmirrored } = options
  const sending = createSending(options)
  const copy = createMirrorCopy(options)
  const places = createReadPlaces()
  const summaries = createOwedSummaries(mirror)
  /** Plans that this process has exchanged: what an earlier Headway could not read may be readable for this one. */
  const reread = new Set<string>()

  /** Whether the mirror has everything that was read so far. */
  const isIntact = async (key: PlanKey, mark: Mark | undefined): Promise<boolean> =>
    mark !== undefined && mark.mirror === (await mirror.position(key)) && (!mark.skipped || reread.has(keyText(key)))

  /** Delivers and reads. Where this user may not change the plan, entries go on waiting, and it is read all the same. */
  const ask = async (
    remote: Store,
    { key, entries, from, isClaim }: Request,
  ): Promise<RemoteLog & { forbidden?: Error }> => {
    const read = async (): Promise<RemoteLog> => {
      const loaded = await remote.load(key, from)
      return { loaded, isWhole: !from || loaded.restarted === true }
    }
    if (entries.length === 0) return read()
    try {
      return await sending.deliver(remote, key, entries, from)
    } catch (cause) {
      if (!isForbidden(cause) || isClaim) throw cause
      return { ...(await read()), forbidden: cause }
    }
  }

  const keepHere = async (
    remote: Store,
    key: PlanKey,
    log: RemoteLog,
    known: Pick<Mark, "skipped" | "delivered">,
  ): Promise<Kept> => {
    const kept = await copy.take(remote, key, log)
    const place = places.keep(remote, key, kept.loaded.cursor)
    marks.write({ key, ...place, mirror: await mirror.position(key), ...known })
    unmirrored.forget(key)
    return kept
  }

  /** A plan is read where nothing can be written here, as plans in files are. */
  const readWithoutKeeping = async (remote: Store, key: PlanKey): Promise<Taken> => {
    copy.forget(key)
    const { entries } = await remote.load(key)
    unmirrored.keep(key, entries)
    return { read: entries.length, isRestarted: true }
  }

  const exchange = async (store: Store, key: PlanKey, asking: readonly Claim[]): Promise<Exchanged> => {
    const claims = asking.filter(isInTime)
    const remote = untilOver(store, claims)
    const mark = marks.read(key)
    const from = places.from(remote, key, mark)
    const waiting = await outbox.waiting(key)
    const entries = [...waiting.entries, ...claims.map(({ entry }) => entry)]
    const wasIntact = await isIntact(key, mark)
    const { forbidden, ...asked } = await ask(remote, { key, entries, from, isClaim: claims.length > 0 })
    for (const { decided } of claims) decided()
    // What follows a cursor makes no log of a copy that lacks something before it.
    const log = wasIntact || asked.isWhole ? asked : { loaded: await remote.load(key), isWhole: true }
    const skipped = lastOfEach([...((!log.isWhole && mark?.skipped) || []), ...log.loaded.problems])
    reread.add(keyText(key))
    const delivered = deliveredOf(waiting, mark, forbidden ? [] : waiting.entries)
    const known = { ...(skipped.length === 0 ? {} : { skipped }), ...(delivered ? { delivered } : {}) }
    const kept = await keepHere(remote, key, log, known).catch(() => undefined)
    // Without a mark they are delivered again, and the remote store has each once.
    const taken = kept?.taken ?? (await readWithoutKeeping(remote, key))
    if (forbidden) return { delivered: 0, ...taken, forbidden }
    if (kept && waiting.before + waiting.entries.length > 0) await outbox.delivered(key, waiting)
    if (kept && entries.length > 0) summaries.owe(key, kept.loaded.cursor)
    return { delivered: entries.length, ...taken }
  }

  return {
    plan: exchange,
    handOver: (remote, answered, until = Number.POSITIVE_INFINITY) => summaries.handOver(remote, answered, until),
    forget: (key) => {
      for (const known of [summaries, places, copy]) known.forget(key)
    },
  }
}

/** What the remote store is asked for a plan: to take these entries, and what is new since a cursor. */
type Request = { key: PlanKey; entries: readonly Entry[]; from: Cursor | undefined; isClaim: boolean }

/** How many of the entries that wait are delivered with these. */
const deliveredOf = (
  { before }: Waiting,
  mark: Mark | undefined,
  [first, ...others]: readonly Entry[],
): Mark["delivered"] => {
  const begun = before > 0 ? mark?.delivered?.first : first?.id
  const count = first ? before + 1 + others.length : before
  return begun === undefined ? undefined : { first: begun, count }
}

/** The last ones, because anyone who writes there can make any number of them. */
const lastOfEach = (problems: readonly Problem[]): Problem[] =>
  [...new Map(problems.map((problem) => [problem.message, problem])).values()].slice(-mostProblems)

const mostProblems = 10
