/** Keeps the last calls of one agent, which may still be confirmed or rewound, and computes the resulting list. */
import type { Decoded, Dialect, ToolCall } from "../dialects/dialect.ts"
import { type DialectId, findDialect } from "../dialects/index.ts"
import {
  apply,
  emptyLedger,
  emptyPlan,
  type Plan,
  type Problem,
  type Said,
  saidAfter,
  saidGone,
  saidWhole,
  warning,
} from "../plan/index.ts"
import { limits } from "../plan/limits.ts"
import { maxComparisons } from "../plan/list/match.ts"
import { noTimes, type Timed, timesAfter } from "./times.ts"

/**
 * The state after a call. `listCount` counts the lists that were started: one ends when it is emptied, or when none of
 * its todos is left in the next. `highestId` is the highest number ever used as an id, so that ids are never reused;
 * absent if there is none.
 */
export type ListState = Timed & { listCount: number; highestId?: number }

export const nothingYet: ListState = { plan: undefined, times: noTimes, listCount: 0 }

/** A call as plain data. `beside`, of a call that only asks: the ids of the calls that ran at the same time. */
export type SeenCall = {
  dialect: DialectId
  call: ToolCall
  state: "open" | "done" | "refused"
  beside?: readonly string[]
}

export type KeptCall = SeenCall & {
  /** The approximate size of the call in characters. */
  size: number
  /** The problems found when the call was applied. */
  problems?: readonly Problem[]
  /** The state after the call. Valid while no earlier call changes. */
  after?: ListState
  effect?: Effect
  /** The call decoded on an empty list, to find out its effect. Kept until the call is applied. */
  decoded?: Decoded
}

/** What a call does to any list before it: nothing, replaces it, or builds on it. */
type Effect = "none" | "replaces" | "builds"

export type CallLogOptions = {
  base: ListState
  /** Whether earlier lists were skipped on the way to the base. */
  hasGaps: boolean
  /**
   * Whether every call is applied, which results in lasting ids and times. Otherwise lists that a later one replaces
   * are skipped.
   */
  readsAll: boolean
  budget: Budget
  onProblem: (problem: Problem) => void
}

/** The most work for computing all lists of a stream, in todos. Comparing two texts counts as one todo. */
export type Budget = { left: number }

type StateAfter = {
  state: ListState
  /** Whether lists were skipped on the way to this state. */
  isShortened: boolean
}

export type CallLog = ReturnType<typeof createCallLog>

/**
 * The calls kept per agent; fewer if the list is very long. Twice as many are collected before the oldest are dropped.
 */
const kept = 200
const keptAtLeast = 20
const keptTodos = 20_000

/**
 * The approximate size of a todo in a call, in characters. Other content counts too, because it must be read as well.
 */
const todoSize = 128

const tooManyChanges = warning(
  "too-many-changes",
  "The session has more changes than Headway reads; the last ones were skipped.",
)

/**
 * The list is computed when it is read, starting after the last call whose state is still valid. So a new call costs
 * one step, and a rewind costs as many steps as there are calls after the rewound ones.
 */
export const createCallLog = ({ base: start, readsAll, budget, onProblem, ...options }: CallLogOptions) => {
  let { hasGaps } = options
  let base = start
  let calls: KeptCall[] = []
  /** How many calls, from the first one, have a valid `after`. */
  let applied = 0
  /** The cached state after this many calls, if not all of them have an `after`. */
  let last: (StateAfter & { count: number }) | undefined
  /** Whether a dropped call built on skipped lists. */
  let wasGuessed = false

  /**
   * The index of the last accepted whole list among the first calls. Applying calls from there gives the same result.
   */
  const lastReplacing = (count: number): number => {
    for (let index = count - 1; index > 0; index -= 1) {
      const made = calls[index]
      if (made && effectOf(made) === "builds") return 0
      if (isAcceptedList(made)) return index
    }
    return 0
  }

  const stateAfter = (count: number): StateAfter => {
    if (count <= applied) return { state: calls[count - 1]?.after ?? base, isShortened: false }
    if (last?.count === count) return last
    let state = calls[applied - 1]?.after ?? base
    const callOf = callFinder(calls)
    let index = readsAll ? applied : Math.max(applied, lastReplacing(count))
    let isShortened = index > applied
    for (; index < count; index += 1) {
      if (budget.left < 0) {
        const whole = lastReplacing(count)
        // The budget is used up. Only a whole list is still read, because other calls would cost as much as all they
        // build on.
        if (index > whole || !isAcceptedList(calls[whole])) {
          onProblem(tooManyChanges)
          break
        }
        if (index < whole) state = startedOver(state, whole - index)
        isShortened ||= index < whole
        index = whole
      }
      const made = calls[index]
      if (!made) break
      const { plan: before = emptyPlan } = state
      state = step(state, made, { isTimed: readsAll, callOf })
      budget.left -= 1 + Math.max(costOf(before, state.plan ?? emptyPlan), made.size / todoSize)
      if (isShortened) continue
      made.after = state
      applied = index + 1
    }
    if (applied < count) last = { count, state, isShortened }
    return { state, isShortened }
  }

  /** Whether a call builds on skipped lists, so that its effect is only known if all calls are applied. */
  const needsAll = (): boolean => wasGuessed || (hasGaps && buildsOnEarlier())

  /**
   * Whether a call since the last accepted whole list builds on earlier lists. Calls before that list have no effect.
   */
  const buildsOnEarlier = (): boolean => {
    for (const made of calls.toReversed()) {
      if (effectOf(made) === "builds") return true
      if (isAcceptedList(made)) return false
    }
    return false
  }

  return {
    calls: (): readonly KeptCall[] => calls,
    current: (): ListState => stateAfter(calls.length).state,
    add(made: KeptCall): void {
      for (const other of calls.slice(-mostBeside)) if (isBeside(other, made)) noteBeside(other, made)
      calls.push(made)
    },
    /** Call this when a call was answered or rewound. Does nothing if the call was applied as it is now accepted. */
    changed(made: KeptCall): void {
      const index = calls.indexOf(made)
      if (index < 0 || (index < applied && isConfirmed(made))) return
      delete made.effect
      delete made.decoded
      const asked = calls.findIndex(({ beside }) => beside?.includes(made.call.callId ?? ""))
      applied = Math.min(applied, index, asked < 0 ? index : asked)
      last = undefined
    },
    /** The state without calls whose results are pending; undefined if no result is pending. */
    confirmed(): ListState | undefined {
      const first = calls.findIndex(({ state }) => state === "open")
      if (first < 0) return undefined
      const answered = calls.slice(first).filter(({ state }) => state !== "open")
      const how = { isTimed: readsAll, callOf: callFinder(calls) }
      return answered.reduce((state, made) => step(state, { ...made }, how), stateAfter(first).state)
    },
    /** How many of the oldest calls must be dropped. */
    surplus(): number {
      const { plan } = calls[applied - 1]?.after ?? base
      const most = Math.floor(Math.max(keptAtLeast, Math.min(kept, keptTodos / (plan?.todos.length ?? 1))))
      return calls.length > 2 * most ? calls.length - most : 0
    },
    /** Makes the oldest calls part of the base, so that they can no longer be rewound, and returns them. */
    drop(count: number): KeptCall[] {
      wasGuessed = needsAll()
      const { state, isShortened } = stateAfter(count)
      hasGaps ||= isShortened
      base = state
      const dropped = calls.slice(0, count)
      calls = calls.slice(count)
      last = undefined
      applied = Math.max(0, applied - count)
      return dropped
    },
    /** Records that lists before the first call are missing. */
    addGap(): void {
      hasGaps = true
    },
    /** Whether all lists were applied, so that the todos have the ids that result from the whole session. */
    isWhole: (): boolean => !hasGaps && !stateAfter(calls.length).isShortened,
    /** Whether a call other than these was accepted and replaces the list. */
    isReplaced: (known: ReadonlySet<unknown>): boolean =>
      calls.some((made) => !known.has(made) && isAcceptedList(made)),
    needsAll,
    /**
     * The log as plain data: the calls from the first open one on, if it is among the last few, and the state before
     * them.
     */
    compacted(recent: number): { base: ListState; calls: SeenCall[]; hasGaps: boolean } {
      const from = Math.max(0, calls.length - recent)
      const needed = neededWithOpen(calls.slice(from))
      const firstNeeded = calls.findIndex((made, index) => index >= from && needed.has(made))
      const count = firstNeeded < 0 ? calls.length : firstNeeded
      const { state, isShortened } = stateAfter(count)
      const open = calls.slice(count).map(({ dialect, call, state, beside }): SeenCall => {
        return { dialect, call, state, ...(beside ? { beside } : {}) }
      })
      return { base: state, calls: open, hasGaps: hasGaps || isShortened }
    },
  }
}

/** With how many calls before it a call may run at the same time, and how many milliseconds apart they may be made. */
const mostBeside = 50
const longestBeside = 60_000

/** Whether the second call was made before the first was answered. A call without an answer counts only for a minute. */
const isBeside = ({ state, call }: KeptCall, { call: { at } }: KeptCall): boolean =>
  state === "open" && !(Math.abs(Date.parse(at ?? "") - Date.parse(call.at ?? "")) > longestBeside)

const noteBeside = (one: KeptCall, other: KeptCall): void => {
  const pairs = [
    [one, other],
    [other, one],
  ] as const
  for (const [asking, changing] of pairs) {
    const { callId } = changing.call
    if (callId !== undefined && onlyAsks(asking) && !onlyAsks(changing))
      asking.beside = [...(asking.beside ?? []), callId]
  }
}

const onlyAsks = ({ dialect, call }: KeptCall): boolean =>
  findDialect(dialect).tools.some(({ name, isReadOnly }) => name === call.tool && isReadOnly)

type CallOf = (callId: string) => ToolCall | undefined

const callFinder = (calls: readonly KeptCall[]): CallOf => {
  let found: ReadonlyMap<string | undefined, ToolCall> | undefined
  return (callId) => {
    found ??= new Map(calls.flatMap(({ call, state }) => (state === "refused" ? [] : [[call.callId, call]])))
    return found.get(callId)
  }
}

/** The open calls, and the others whose effect depends on one of them or on what happened at the same time. */
const neededWithOpen = (calls: readonly KeptCall[]): ReadonlySet<KeptCall> => {
  const needed = new Set(calls.filter(({ state }) => state === "open"))
  const idsOf = (some: Iterable<KeptCall>) => new Set([...some].flatMap(({ call }) => call.callId ?? []))
  const open = idsOf(needed)
  for (const made of calls) if (made.beside?.some((id) => open.has(id))) needed.add(made)
  const beside = new Set([...needed].flatMap((made) => made.beside ?? []))
  for (const made of calls) if (beside.has(made.call.callId ?? "")) needed.add(made)
  return needed
}

/**
 * The state after skipped lists. Their todos are unknown, so as many ids are skipped as the lists may have used: an id
 * that a person has seen must not come to mean another todo.
 */
const startedOver = ({ listCount, highestId = 0 }: ListState, skipped: number): ListState => ({
  plan: emptyPlan,
  times: noTimes,
  listCount,
  highestId: highestId + skipped * limits.todos,
})

/** The cost of a step: each todo with a new text is compared with all todos whose text is gone. */
const costOf = (before: Plan, after: Plan): number => {
  const size = after.todos.length
  if (before === after) return size
  const [old, now] = [contentsOf(before), contentsOf(after)]
  const kept = [...old].filter((content) => now.has(content)).length
  return size + Math.min((old.size - kept) * (now.size - kept), maxComparisons)
}

const contentsOf = ({ todos }: Plan): Set<string> => new Set(todos.map(({ content }) => content))

/** The state after a call. A refused or read-only call does not change it. */
const step = (
  state: ListState,
  made: KeptCall,
  { isTimed, callOf }: { isTimed: boolean; callOf: CallOf },
): ListState => {
  made.problems = []
  if (made.state === "refused") return state
  const was = state.plan ?? emptyPlan
  const { highestId } = state
  // The call decoded on an empty list is only right for the very first list.
  const known = was === emptyPlan && highestId === undefined && !made.beside ? made.decoded : undefined
  const ledger = highestId === undefined ? emptyLedger : { ...emptyLedger, highestId }
  const dialect = findDialect(made.dialect)
  const beside = made.beside?.flatMap((id) => callOf(id) ?? [])
  const decoded = known ?? dialect.decode(beside ? { ...made.call, beside } : made.call, was, ledger)
  delete made.decoded
  made.problems = decoded.problems.filter(({ severity }) => severity !== "repair")
  // The last list decides. If the agent accepted a list that cannot be read, the previous list is no longer valid.
  if (made.state === "done" && decoded.replaces && isUnreadable(decoded))
    return { ...state, plan: emptyPlan, times: noTimes, said: saidWhole(made.call.at) }
  const said = saidBy(decoded, dialect, made.call, decoded.startsOver ? {} : state.said)
  if (decoded.events.length === 0) return { ...state, said, ...(decoded.items ? { plan: was } : {}) }
  const before = decoded.startsOver ? emptyPlan : was
  const { plan } = apply(before, decoded.events, {}, { highestId })
  const times = isTimed ? timesAfter({ ...state, plan: before }, plan, made.call.at) : noTimes
  return {
    plan,
    times,
    said,
    listCount: state.listCount + (isNewList(before, plan) ? 1 : 0),
    highestId: highestIdOf(plan, highestId),
  }
}

/** When the agent last stated each part of its list. A call that only reads the list states nothing. */
const saidBy = (decoded: Decoded, { wholeList }: Dialect, { at }: ToolCall, before: Said = {}): Said => {
  if (decoded.reads) return before
  if (decoded.saysWholeList ?? wholeList) return saidWhole(at)
  const after = saidAfter(before, decoded.events, at)
  return decoded.gone ? saidGone(after, decoded.gone) : after
}

const highestIdOf = ({ todos }: Plan, before = 0): number =>
  todos.reduce((most, { id }) => (/^\d{1,15}$/.test(id) ? Math.max(most, Number(id)) : most), before)

const effectOf = (made: KeptCall): Effect => {
  made.effect ??= readEffect(made)
  return made.effect
}

/** Whether a call replaces the list and its agent accepted it. */
const isAcceptedList = (made: KeptCall | undefined): boolean => made?.state === "done" && effectOf(made) === "replaces"

const readEffect = (made: KeptCall): Effect => {
  const { call, state } = made
  if (state === "refused") return "none"
  const dialect = findDialect(made.dialect)
  const decoded = dialect.decode(call, emptyPlan)
  made.decoded = decoded
  if (decoded.replaces) return isUnreadable(decoded) && state === "open" ? "none" : "replaces"
  return dialect.wholeList && decoded.reads ? "none" : "builds"
}

/** Whether a call that was applied while open has the same effect once it is accepted. Whole lists need no result. */
const isConfirmed = ({ dialect, call, state, problems = [] }: KeptCall): boolean =>
  state === "done" && (call.result === undefined || findDialect(dialect).wholeList) && !isUnreadable({ problems })

const isUnreadable = ({ problems }: { problems: readonly Problem[] }): boolean =>
  problems.some(({ code }) => code === "unreadable")

/** Whether a new list begins with this plan: the previous one was empty, or none of its todos is left. */
const isNewList = (before: Plan, { todos }: Plan): boolean => {
  const ids = new Set(before.todos.map(({ id }) => id))
  return todos.length > 0 && !todos.some(({ id }) => ids.has(id))
}
