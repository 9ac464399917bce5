/** One turn of a model: sends the conversation and saves the answer, including a partial one after an interruption. */
import type { LanguageModel } from "ai"
import { type Answer, type AskFailure, askModel, type Offered, type Pause } from "./ask-model.ts"
import type { Emit } from "./event.ts"
import type { Talk } from "./talk.ts"

export type TurnOptions = {
  model: LanguageModel
  talk: Talk
  /** Called for every turn, because the date may have changed. */
  system: () => string
  tools: () => readonly Offered[]
  emit: Emit
  pause?: Pause
}

export type TakeTurn = (signal: AbortSignal) => Promise<Answer | AskFailure>

/** Rejects only if it is interrupted. */
export const createTurn = ({ model, talk, system, tools, emit, pause }: TurnOptions): TakeTurn => {
  const keep = async (text: string): Promise<void> => {
    if (text.trim() === "") return
    await talk.say({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } })
  }

  return async (signal) => {
    let reply = ""
    emit({ type: "turn-started" })
    const answer = await askModel({
      model,
      system: system(),
      messages: talk.messages(),
      tools: tools(),
      signal,
      onText: (text) => {
        reply += text
        emit({ type: "text-said", text })
      },
      onThought: (text) => emit({ type: "thought-said", text }),
      onFailure: (message, willRetry) => {
        reply = ""
        emit({ type: "turn-failed", message, willRetry })
      },
      ...(pause ? { pause } : {}),
    }).catch(async (cause: unknown) => {
      await keep(reply)
      throw cause
    })
    if ("failure" in answer) return answer
    const { message, usage } = answer
    emit({ type: "turn-ended", usage })
    if (message.content.length > 0) await talk.say({ type: "assistant", message, usage })
    return answer
  }
}
