/** Replaces a conversation that fills the model's context with a summary. */
import type { LanguageModel, ModelMessage } from "ai"
import type { Tracker } from "../tracker/tracker.ts"
import { type AskFailure, askModel, type Offered, type Pause } from "./ask-model.ts"
import { messagesOf, type Spoken } from "./conversation.ts"
import type { Emit } from "./event.ts"
import type { Talk } from "./talk.ts"

export type Compaction = {
  /** Compacts the conversation if the next turns may not fit. */
  makeRoom(signal: AbortSignal): Promise<void>
  /**
   * Resolves with false if there is nothing to summarise, or if it failed; the person is told why. Rejects if
   * interrupted.
   */
  compact(signal: AbortSignal): Promise<boolean>
}

export type CompactionOptions = {
  model: LanguageModel
  contextWindow: number
  talk: Talk
  tracker: Tracker
  /** The tools of the conversation, because a provider refuses calls of unknown tools. */
  tools: () => readonly Offered[]
  emit: Emit
  pause?: Pause
}

/** The share of the context from which on the next turns may not fit. */
const share = 0.8

/** The turns between two tries, so that a failing compaction is not repeated constantly. */
const rest = 3

export const createCompaction = (options: CompactionOptions): Compaction => {
  const { contextWindow, talk, tracker, emit } = options
  let turns = rest

  const compact = async (signal: AbortSignal): Promise<boolean> => {
    turns = 0
    if (talk.messages().length < 2) return false
    const done = await summarise(options, signal)
    if ("failure" in done) {
      emit({ type: "notice-given", message: `The conversation could not be summarised: ${done.failure}` })
      return false
    }
    const { summary } = done
    await talk.say({ type: "compaction", summary, ...lastRequest(talk.spoken) })
    await tracker.restore("compact")
    emit({ type: "compacted", summary })
    return true
  }

  return {
    async makeRoom(signal) {
      turns += 1
      if (turns > rest && talk.filled >= contextWindow * share) await compact(signal)
    },
    compact,
  }
}

/** In characters. A longer request is not kept in the person's words, but summarised. */
const longestRequest = 8000

const lastRequest = (spoken: readonly Spoken[]): { request?: string } => {
  const last = spoken.findLast((one) => one.type === "user" || (one.type === "compaction" && one.request !== undefined))
  const request = last?.type === "user" ? last.text : last?.type === "compaction" ? last.request : undefined
  return request === undefined || request.length > longestRequest ? {} : { request }
}

const summaryPrompt = [
  "Write a summary of this conversation for an agent that continues the work and sees nothing else of it. Say, as far as",
  "it matters: what the user asked for, in their own words where the wording counts; what was decided and why; which",
  "files were read or changed and what is in them that is needed; what was tried and failed; commands that work; what",
  "is being done right now and what comes next. The todo list is kept elsewhere and comes back by itself: leave it out.",
  "No greeting, no opinion, nothing new, no tools.",
].join("\n")

/** Summarises the conversation. If it is too long for that, tries again with shorter and shorter parts. */
const summarise = async (
  { model, talk, tools, pause }: CompactionOptions,
  signal: AbortSignal,
): Promise<{ summary: string } | AskFailure> => {
  let failure: AskFailure = { failure: "The conversation is too long.", isTooLong: true }
  for (const messages of shorterAndShorter(talk.spoken)) {
    const answer = await askModel({
      model,
      system: "You write summaries of working sessions.",
      messages: [...messages, { role: "user", content: summaryPrompt }],
      tools: tools(),
      signal,
      ...(pause ? { pause } : {}),
    })
    if (!("failure" in answer)) {
      const summary = answer.text.trim()
      return summary === "" ? { failure: "The model gave no summary.", isTooLong: false } : { summary }
    }
    if (!answer.isTooLong) return answer
    failure = answer
  }
  return failure
}

function* shorterAndShorter(spoken: readonly Spoken[]): Generator<ModelMessage[]> {
  yield messagesOf(spoken)
  for (const [part, longest] of [
    [1, 2000],
    [0.5, 1000],
    [0.2, 500],
  ] as const) {
    yield messagesOf(spoken.slice(Math.floor(spoken.length * (1 - part)))).map((message) => shortened(message, longest))
  }
}

/** Cuts the middle of long results and texts. Calls stay whole, because they show what was done. */
const shortened = (message: ModelMessage, longest: number): ModelMessage => {
  if (message.role === "user" && typeof message.content === "string")
    return { ...message, content: withoutMiddle(message.content, 4 * longest) }
  if (message.role !== "tool") return message
  return {
    ...message,
    content: message.content.map((part) =>
      part.type === "tool-result" && (part.output.type === "text" || part.output.type === "error-text")
        ? { ...part, output: { ...part.output, value: withoutMiddle(part.output.value, longest) } }
        : part,
    ),
  }
}

const withoutMiddle = (text: string, longest: number): string => {
  const half = Math.floor(longest / 2)
  return text.length <= longest ? text : `${text.slice(0, half).toWellFormed()}\n…\n${text.slice(-half).toWellFormed()}`
}
