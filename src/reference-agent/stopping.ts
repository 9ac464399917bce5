/**
 * Decides whether an agent that makes no more calls is done, or is sent back to work, and with which text (behaviour N6).
 */
import { type Contradiction, contradictedKey, contradictedText } from "../guidance/contradicted.ts"
import { type ContinuationState, mayStop, noPushes } from "../guidance/index.ts"
import { type Todo, textForModel } from "../plan/index.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { Answer } from "./ask-model.ts"
import type { Emit } from "./event.ts"
import type { PlanMode } from "./plan-mode.ts"
import type { Talk } from "./talk.ts"

export type Stopping = {
  /** Returns the message for a model that wants to stop; undefined if it may stop. */
  push(answer: Answer): string | undefined
}

/**
 * A host's own text for a model that stops with unfinished work: `todos` are those it could do, `ours` is the default
 * text.
 */
export type PushWording = (todos: readonly Todo[], ours: string) => string

export type StoppingOptions = {
  tracker: Tracker
  talk: Talk
  planMode: PlanMode
  agent: string
  emit: Emit
  wording?: PushWording | undefined
  /** Returns the todos marked done although the last check failed. Called when everything is done. @default none */
  contradictions?: (() => readonly Contradiction[]) | undefined
}

/** How often in a row a model is asked to continue an answer that was cut off, or to answer at all. */
const mostCuts = 3
const mostSilences = 1

/** For the work on one prompt. The counts start over with the next one. */
export const createStopping = (options: StoppingOptions): Stopping => {
  const { tracker, talk, planMode, agent, emit, wording } = options
  let state: ContinuationState = noPushes
  /** The failed checks that were already reported to the agent. */
  let told: string | undefined
  let [cuts, silences] = [0, 0]

  const withWorkLeft = (text: string): string | undefined => {
    const verdict = mayStop({
      plan: tracker.plan,
      ledger: tracker.ledger,
      state,
      work: talk.work,
      isQuestionOpen: asksSomething(text),
      isPlanMode: planMode.isOn,
      agent,
    })
    state = verdict.state
    if (!verdict.stop) return wording ? textForModel(wording(verdict.todos, verdict.text)) : verdict.text
    if (verdict.why !== undefined) emit({ type: "notice-given", message: verdict.why })
    return verdict.reason === "all-done" && !asksSomething(text) && !planMode.isOn ? contradiction() : undefined
  }

  const contradiction = (): string | undefined => {
    const found = options.contradictions?.() ?? []
    const key = contradictedKey(found)
    if (found.length === 0 || key === told) return undefined
    told = key
    return contradictedText(found)
  }

  return {
    push({ text, cut }) {
      if (cut === "refusal") {
        emit({ type: "notice-given", message: "The model declined to answer." })
        return undefined
      }
      cuts = cut === "length" ? cuts + 1 : 0
      silences = text.trim() === "" ? silences + 1 : 0
      if (cuts > 0 && cuts <= mostCuts) return goOn
      if (silences > 0 && silences <= mostSilences) return speakUp
      return withWorkLeft(text)
    },
  }
}

/** Whether a text ends with a question. It is for the person, who has the next turn then. */
const asksSomething = (text: string): boolean => /\?["'”’)*_`\s]*$/.test(text)

const goOn = "Your answer was cut off at the maximum length. Continue right where it ends, in shorter pieces."

const speakUp =
  "You gave no answer and made no call. Continue the work, or report the result and what you need from the user."
