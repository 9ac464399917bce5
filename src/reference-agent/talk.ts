/** The conversation of a running agent: saves and counts every line, and adds due reminders before a turn. */
import type { ModelMessage } from "ai"
import { beforeTurn, type Reminders } from "../guidance/index.ts"
import { messageOf } from "../plan/headway-error.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { messagesOf, readSpoken, type Spoken, type Transcript, turnMessageOf } from "./conversation.ts"
import type { Emit } from "./event.ts"
import { exitPlanMode, type PlanMode } from "./plan-mode.ts"
import { createStorageNews } from "./plan-news.ts"

export type Talk = {
  readonly spoken: readonly Spoken[]
  /** The number of turns with tool calls so far. */
  readonly work: number
  /** Approximately how much of the model's context is used, in tokens. */
  readonly filled: number
  /** How many lines wait in memory because they could not be saved yet. */
  readonly unkept: number
  messages(): ModelMessage[]
  say(one: Spoken): Promise<void>
  /** Adds the due reminders before the next turn. */
  remind(planMode: PlanMode): Promise<void>
}

export type TalkOptions = {
  kept: readonly Spoken[]
  transcript: Transcript
  tracker: Tracker
  reminders: Reminders
  isSubAgent: boolean
  emit: Emit
}

export const createTalk = ({ kept, transcript, tracker, reminders, isSubAgent, emit }: TalkOptions): Talk => {
  const spoken: Spoken[] = []
  let filled = 0
  /** Why the model no longer sees the list, which is repeated before the next turn. */
  let lost: "resume" | "compact" | undefined
  let writing: Promise<void> = Promise.resolve()
  const tellStorage = createStorageNews(tracker, emit)
  /** Lines that could not be saved yet, in order. */
  const unkept: Spoken[] = []

  const add = (one: Spoken): void => {
    spoken.push(one)
    filled = filledAfter(filled, one)
    if (one.type === "compaction") lost = "compact"
  }

  for (const one of kept) {
    add(one)
    const message = turnMessageOf(one)
    if (message) reminders.saw(message)
  }
  if (kept.length > 0 || tracker.plan.todos.length > 0) lost = "resume"

  /**
   * Saves lines in order. A line that could not be saved is tried again before the next one, so that no line is missing
   * in the middle.
   */
  const keep = async (one: Spoken): Promise<void> => {
    const wasKept = unkept.length === 0
    unkept.push(one)
    try {
      while (unkept[0]) {
        await transcript.append(unkept[0])
        unkept.shift()
      }
      if (!wasKept)
        emit({ type: "notice-given", message: "The conversation can be saved again, and all of it has been." })
    } catch (cause) {
      const message = `The conversation cannot be saved for now and stays in memory; Headway keeps trying: ${messageOf(cause)}`
      if (wasKept) emit({ type: "notice-given", message })
    }
  }

  const say = (one: Spoken): Promise<void> => {
    add(one)
    // Reminders are counted when they become due.
    const message = one.type === "reminder" ? undefined : turnMessageOf(one)
    if (message) reminders.saw(message)
    writing = writing.then(() => keep(one))
    return writing
  }

  const modeOf = ({ file }: PlanMode) => (isSubAgent ? {} : { file, exitTool: exitPlanMode })

  return {
    spoken,
    get work() {
      return reminders.state.work
    },
    get filled() {
      return filled
    },
    get unkept() {
      return unkept.length
    },
    messages: () => messagesOf(spoken),
    say,
    async remind(planMode) {
      tellStorage()
      const situation = await beforeTurn(tracker, {
        restored: lost,
        ...(planMode.isOn ? { planMode: modeOf(planMode) } : {}),
      })
      const due = await reminders.due(situation)
      lost = undefined
      for (const { attachment, message } of due) {
        emit({ type: "reminder-said", attachment, text: message.content })
        await say({ type: "reminder", attachment, text: message.content })
      }
    },
  }
}

/** The size that an answer reports is exact; later messages, and answers without a size, are estimated by their length. */
const filledAfter = (filled: number, one: Spoken): number => {
  if (one.type === "assistant" && one.usage && one.usage.input > 0) return one.usage.input + one.usage.output
  const length = JSON.stringify(one).length
  return one.type === "compaction" ? tokensIn(length) : filled + tokensIn(length)
}

/** A rough estimate: four letters per token. */
const tokensIn = (letters: number): number => Math.ceil(letters / 4)

/** Whether a stored conversation ended in plan mode. */
export const wasInPlanMode = (kept: readonly Spoken[]): boolean => {
  const last = kept.findLast((one) => one.type === "mode")
  return last?.type === "mode" && last.isPlanMode
}

export const loadKept = async (transcript: Transcript): Promise<Spoken[]> => readSpoken(await transcript.load())
