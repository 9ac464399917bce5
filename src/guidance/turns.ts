/** Counts the turns since the list was written and each reminder was given, message by message. */
import { isRecord } from "../plan/log/shape.ts"
import { type GuidanceTools, listToolNames } from "./tools.ts"

/** A message of the conversation, reduced to what counts. */
export type TurnMessage = { agent?: string | undefined } & (
  | {
      role: "assistant"
      /** The tools it calls, in any order. */
      tools?: readonly string[] | undefined
      /** It contains only thinking, which is not a turn. */
      isThinkingOnly?: boolean | undefined
      /** Parts of one answer share a name and count as one turn: agents that write each part as its own message. */
      turn?: string | undefined
    }
  /** A person's words or the results of tools. */
  | { role: "user" }
  /** Something of ours: the type of the attachment, and the revision of the plan where it told the list. */
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
  /** Messages since the beginning or the last compaction. */
  readonly messages: number
  /** Turns since then. */
  readonly turns: number
  /** The turns before the one that wrote the list last. Absent: not written since then. */
  readonly written?: number
  /** Turns with a call of another tool than the list's, in the whole session. */
  readonly work: number
  /** `work` when the list was last touched. */
  readonly touched: number
  readonly reminders: readonly GivenReminder[]
  /** The turn the last assistant message belongs to, when it has a name. */
  readonly part?: { turn: string; isCounted: boolean; isWork: boolean; isWrite: boolean }
  /** The agent wrote the list, and it was not read since. */
  readonly hasWritten: boolean
  /** The revision of the plan when it was last read. */
  readonly looked?: number
  /** The revision the model knows. */
  readonly known?: number
}

/** One type of reminder: how often it was said in this session, and when last. */
export type GivenReminder = {
  readonly type: string
  readonly times: number
  /** `turns` then. Absent: not since the last compaction, or not since what it was about ended. */
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

/** The counters after one more message. Costs the same however many there were. */
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

/** Turns since the list was last written, that turn included; all of them when it never was. */
export const turnsSinceWrite = ({ turns, written = 0 }: TurnCounters): number => turns - written

/** Turns since a reminder of this type was last said; all of them when it never was. */
export const turnsSinceReminder = (counters: TurnCounters, type: string): number =>
  counters.turns - (reminderGiven(counters, type)?.turn ?? 0)

/** Turns of tool work since the list was last touched. */
export const workSinceTouched = ({ work, touched }: TurnCounters): number => work - touched

export const reminderGiven = ({ reminders }: TurnCounters, type: string): GivenReminder | undefined =>
  reminders.find((one) => one.type === type)

export const timesGiven = (counters: TurnCounters, type: string): number => reminderGiven(counters, type)?.times ?? 0

/** The counters after a look at the plan: an agent that wrote the list knows it, and any change touches it. */
export const looked = (counters: TurnCounters, { revision }: { revision: number }): TurnCounters => ({
  ...counters,
  looked: revision,
  hasWritten: false,
  ...(counters.hasWritten ? { known: revision } : {}),
  ...(counters.looked === revision ? {} : { touched: counters.work }),
})

/** The reason for a reminder is over: when there is one again, the reminder is due immediately. */
export const forgotten = (counters: TurnCounters, type: string): TurnCounters => {
  const last = reminderGiven(counters, type)
  if (last?.turn === undefined) return counters
  const { turn: _, ...one } = last
  return { ...counters, reminders: counters.reminders.map((each) => (each === last ? one : each)) }
}

/** Counters read back from plain data. What cannot be right starts over: a damaged file costs only a few reminders. */
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
    // The turn that writes the list counts itself, and its other calls do not count as work without an update.
    ...(now.isWrite ? { written: turns - 1, touched: work } : {}),
    hasWritten: counters.hasWritten || isWriting,
  }
}

/** More types than this are not ours; forgetting the oldest keeps the state small whatever a host sends. */
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

/** What was said and written before is out of the model's sight; how often it was said still counts. */
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
