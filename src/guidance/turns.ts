/** Counts, message by message, the turns since the list was written and since each reminder was sent. */
import { isRecord } from "../plan/log/shape.ts"
import { type GuidanceTools, listToolNames } from "./tools.ts"

/** A message of the conversation, reduced to the facts that are counted. */
export type TurnMessage = { agent?: string | undefined } & (
  | {
      role: "assistant"
      /** The tools that the message calls, in any order. */
      tools?: readonly string[] | undefined
      /** Whether it contains only thinking, which is not a turn. */
      isThinkingOnly?: boolean | undefined
      /**
       * For agents that write each part of an answer as a separate message: parts with the same name count as one turn.
       */
      turn?: string | undefined
    }
  /** A person's message, or the results of tools. */
  | { role: "user" }
  /** One of our reminders: the type of its attachment and, if it contains the list, the plan's revision. */
  | { role: "reminder"; reminder: string; revision?: number | undefined }
  /** The conversation before this was replaced by a summary. */
  | { role: "compaction" }
)

export type CountingOptions = {
  tools: GuidanceTools
  /** The agent whose turns are counted; messages of other agents are ignored. @default "main" */
  agent?: string | undefined
}

/** Plain data, so that a hook can keep it in a file between two events. */
export type TurnCounters = {
  readonly v: 1
  /** Messages since the beginning, or since the last compaction. */
  readonly messages: number
  /** Turns in the same time. */
  readonly turns: number
  /** The number of turns before the one that last wrote the list. Absent if the list was not written in this time. */
  readonly written?: number
  /** Turns of the whole session with a call of a tool other than the list tools. */
  readonly work: number
  /** The value of `work` when the list was last changed. */
  readonly touched: number
  readonly reminders: readonly GivenReminder[]
  /** The turn of the last assistant message, if it has a name. */
  readonly part?: { turn: string; isCounted: boolean; isWork: boolean; isWrite: boolean }
  /** Whether the agent has written the list since it was last read. */
  readonly hasWritten: boolean
  /** The revision of the plan when it was last read. */
  readonly looked?: number
  /** The revision the model knows. */
  readonly known?: number
}

/** How often one type of reminder was sent in this session, and when last. */
export type GivenReminder = {
  readonly type: string
  readonly times: number
  /**
   * The value of `turns` when it was last sent. Absent if it was not sent since the last compaction, or since its
   * reason ended.
   */
  readonly turn?: number
  readonly work: number
}

export const noTurns: TurnCounters = {
  v: 1,
  messages: 0,
  turns: 0,
  work: 0,
  touched: 0,
  reminders: [],
  hasWritten: false,
}

/** Returns the counters after one more message, in constant time. */
export const counted = (counters: TurnCounters, message: TurnMessage, options: CountingOptions): TurnCounters => {
  const { agent = "main" } = options
  if (message.agent !== undefined && message.agent !== agent) return counters
  switch (message.role) {
    case "assistant":
      return countedAnswer(counters, message, options.tools)
    case "reminder":
      return countedReminder(counters, message)
    case "compaction":
      return compacted(counters)
    default:
      return { ...counters, messages: counters.messages + 1 }
  }
}

/** Turns since the list was last written, including that turn; all turns if it was never written. */
export const turnsSinceWrite = ({ turns, written = 0 }: TurnCounters): number => turns - written

/** Turns since a reminder of this type was last sent; all turns if it was never sent. */
export const turnsSinceReminder = (counters: TurnCounters, type: string): number =>
  counters.turns - (reminderGiven(counters, type)?.turn ?? 0)

/** Turns of tool work since the list was last changed. */
export const workSinceTouched = ({ work, touched }: TurnCounters): number => work - touched

export const reminderGiven = ({ reminders }: TurnCounters, type: string): GivenReminder | undefined =>
  reminders.find((one) => one.type === type)

export const timesGiven = (counters: TurnCounters, type: string): number => reminderGiven(counters, type)?.times ?? 0

/** Returns the counters after reading the plan. An agent that wrote the list knows it; any new revision is a change. */
export const looked = (counters: TurnCounters, { revision }: { revision: number }): TurnCounters => ({
  ...counters,
  looked: revision,
  hasWritten: false,
  ...(counters.hasWritten ? { known: revision } : {}),
  ...(counters.looked === revision ? {} : { touched: counters.work }),
})

/**
 * Returns the counters after the reason for a reminder has ended, so that it is due immediately if the reason returns.
 */
export const forgotten = (counters: TurnCounters, type: string): TurnCounters => {
  const last = reminderGiven(counters, type)
  if (last?.turn === undefined) return counters
  const { turn: _, ...one } = last
  return { ...counters, reminders: counters.reminders.map((each) => (each === last ? one : each)) }
}

/** Reads the counters from plain data. Invalid parts start over, so a damaged file costs only a few reminders. */
export const countersFrom = (json: unknown): TurnCounters => {
  const given = isRecord(json) && json.v === 1 ? json : {}
  const { messages, turns, work, touched, reminders, part, written, looked: seen, known, hasWritten } = given
  if (![messages, turns, work, touched].every(isCount) || !Array.isArray(reminders)) return noTurns
  const counts = { messages, turns, work, touched } as Pick<TurnCounters, "messages" | "turns" | "work" | "touched">
  return {
    ...noTurns,
    ...counts,
    touched: Math.min(counts.touched, counts.work),
    reminders: reminders
      .filter(isGivenReminder)
      .filter((one) => (one.turn ?? 0) <= counts.turns && one.work <= counts.work)
      .slice(-mostTypes),
    hasWritten: hasWritten === true,
    ...(isCount(written) && written < counts.turns ? { written } : {}),
    ...(isPart(part) ? { part } : {}),
    ...(isCount(seen) ? { looked: seen } : {}),
    ...(isCount(known) ? { known } : {}),
  }
}

const countedAnswer = (
  counters: TurnCounters,
  message: Extract<TurnMessage, { role: "assistant" }>,
  tools: GuidanceTools,
): TurnCounters => {
  const { tools: called = [], isThinkingOnly = false, turn } = message
  const isPart = turn !== undefined && counters.part?.turn === turn
  const before = (isPart ? counters.part : undefined) ?? { isCounted: false, isWork: false, isWrite: false }
  const writing = listToolNames(tools)
  const isWriting = called.some((name) => writing.includes(name))
  const now = {
    isCounted: before.isCounted || !isThinkingOnly || called.length > 0,
    isWrite: before.isWrite || isWriting,
    isWork: before.isWork || called.some((name) => !writing.includes(name) && !tools.reading?.includes(name)),
  }
  const turns = counters.turns + (now.isCounted && !before.isCounted ? 1 : 0)
  const work = counters.work + (now.isWork && !before.isWork ? 1 : 0)
  const { part: _, ...rest } = counters
  return {
    ...rest,
    messages: counters.messages + 1,
    turns,
    work,
    ...(turn === undefined ? {} : { part: { turn, ...now } }),
    // The turn that writes the list is counted itself; its other calls are not work without an update.
    ...(now.isWrite ? { written: turns - 1, touched: work } : {}),
    hasWritten: counters.hasWritten || isWriting,
  }
}

/**
 * The most types of reminders counted. Headway has fewer; the oldest are forgotten to limit the state of a host with
 * many.
 */
const mostTypes = 32

const countedReminder = (
  counters: TurnCounters,
  { reminder: type, revision }: Extract<TurnMessage, { role: "reminder" }>,
): TurnCounters => {
  const times = timesGiven(counters, type) + 1
  const others = counters.reminders.filter((one) => one.type !== type)
  return {
    ...counters,
    messages: counters.messages + 1,
    reminders: [...others, { type, times, turn: counters.turns, work: counters.work }].slice(-mostTypes),
    ...(revision === undefined ? {} : { known: revision }),
  }
}

/**
 * The counters after a compaction: the model no longer sees earlier messages, but the numbers of reminders still count.
 */
const compacted = ({ work, reminders, looked }: TurnCounters): TurnCounters => ({
  ...noTurns,
  work,
  touched: work,
  reminders: reminders.map(({ turn: _, ...one }) => one),
  ...(looked === undefined ? {} : { looked }),
})

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isGivenReminder = (value: unknown): value is GivenReminder =>
  isRecord(value) &&
  typeof value.type === "string" &&
  isCount(value.times) &&
  isCount(value.work) &&
  (value.turn === undefined || isCount(value.turn))

const isPart = (value: unknown): value is NonNullable<TurnCounters["part"]> =>
  isRecord(value) &&
  typeof value.turn === "string" &&
  [value.isCounted, value.isWork, value.isWrite].every((flag) => typeof flag === "boolean")
