/** Works on a prompt turn after turn, until it is done, is interrupted, or cannot continue. */
import { isHeadwayError } from "../plan/index.ts"
import type { Answer, Call } from "./ask-model.ts"
import type { Compaction } from "./compaction.ts"
import { resultsOf } from "./conversation.ts"
import type { Emit, Ending } from "./event.ts"
import type { PlanMode } from "./plan-mode.ts"
import type { Registry } from "./registry.ts"
import type { CallRunner } from "./run-call.ts"
import { createStopping, type StoppingOptions } from "./stopping.ts"
import { runQueue } from "./tool-queue.ts"
import type { TakeTurn } from "./turn.ts"

export type Worked = { ending: Ending; text: string }

export type WorkOptions = StoppingOptions & {
  planMode: PlanMode
  registry: Registry
  compaction: Compaction
  takeTurn: TakeTurn
  runCall: CallRunner
  mostTurns: number
  emit: Emit
}

export const work = async (prompt: string, signal: AbortSignal, options: WorkOptions): Promise<Worked> => {
  const { talk, planMode, compaction, mostTurns, emit } = options
  const stopping = createStopping(options)
  const words = createFinalText()
  const end = (ending: Ending, notice?: string): Worked => {
    if (notice !== undefined) emit({ type: "notice-given", message: notice })
    return { ending, text: words.text }
  }
  try {
    // Before the new prompt is added, so that it is not summarised.
    await compaction.makeRoom(signal)
    await talk.say({ type: "user", text: prompt })
    for (let turns = 0; turns < mostTurns; turns += 1) {
      if (turns > 0) await compaction.makeRoom(signal)
      await talk.remind(planMode)
      const answer = await turnThatFits(options, signal)
      if ("failure" in answer) return end("failed", `${sentence(answer.failure)} ${whatIsKept(options)}`)
      words.add(answer)
      if (answer.calls.length > 0) {
        await runCalls(answer, signal, options)
        signal.throwIfAborted()
        continue
      }
      const more = stopping.push(answer)
      if (more === undefined) return words.isEmpty ? end("failed", "The model gave no answer.") : end("done")
      emit({ type: "push-said", text: more })
      await talk.say({ type: "push", text: more })
    }
    return end("too-many-turns", `Stopped after ${mostTurns} turns. Say "go on" to let it continue.`)
  } catch (cause) {
    if (signal.aborted) return end("interrupted")
    if (!isHeadwayError(cause)) throw cause
    return end("failed", `${sentence(cause.message)} ${whatIsKept(options)}`)
  }
}

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

const whatIsKept = ({ talk, tracker }: WorkOptions): string =>
  talk.unkept === 0 && tracker.unwritten === 0
    ? "The plan and the conversation are saved; you can continue later."
    : "Part of it is only in memory, because it could not be written yet."

/** Takes a turn. If the conversation is too long for the model, compacts it and tries once more. */
const turnThatFits = async ({ takeTurn, compaction, talk, planMode }: WorkOptions, signal: AbortSignal) => {
  const answer = await takeTurn(signal)
  if (!("failure" in answer) || !answer.isTooLong) return answer
  if (!(await compaction.compact(signal))) return answer
  await talk.remind(planMode)
  return takeTurn(signal)
}

const runCalls = async (
  { calls, cut }: Answer,
  signal: AbortSignal,
  { registry, runCall, talk }: WorkOptions,
): Promise<void> => {
  const isCut = ({ isBroken }: Call): boolean => isBroken && cut === "length"
  const results = await runQueue(
    calls.map((call) => ({
      isConcurrencySafe: registry.find(call.tool)?.isConcurrencySafe() ?? true,
      run: () => runCall({ ...call, isCut: isCut(call) }, signal),
    })),
  )
  await talk.say({ type: "results", message: resultsOf(results) })
}

/** Collects the final text: the last answer with text, complete even if it came in pieces. */
const createFinalText = () => {
  let text = ""
  let isOpen = false
  let hasWorked = false
  return {
    get text() {
      return text
    },
    get isEmpty() {
      return text.trim() === "" && !hasWorked
    },
    add(answer: Answer): void {
      hasWorked ||= answer.calls.length > 0
      if (answer.text.trim() !== "") text = isOpen ? text + answer.text : answer.text
      isOpen = answer.cut === "length" && answer.calls.length === 0
    },
  }
}
