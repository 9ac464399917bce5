/** Makes room in a conversation that fills the model's context: a summary takes the place of what was said. */
import type { LanguageModel, ModelMessage } from "ai"
import { type AskFailure, ask, type Offered } from "./ask.ts"

/** Full enough that the next turns may not fit. */
const share = 0.8

export const isFull = (inputTokens: number, contextWindow: number): boolean => inputTokens >= contextWindow * share

export const summaryPrompt = [
  "Write a summary of this conversation for whoever goes on with the work and sees nothing else of it. Say, as far as",
  "it matters: what the user asked for, in their own words where the wording counts; what was decided and why; which",
  "files were read or changed and what is in them that is needed; what was tried and failed; commands that work; what",
  "is being done right now and what comes next. The todo list is kept elsewhere and comes back by itself: leave it out.",
  "No greeting, no opinion, nothing new.",
].join("\n")

export const summarise = async (
  model: LanguageModel,
  messages: ModelMessage[],
  /** Those of the conversation: a provider refuses calls of tools it does not know. */
  tools: readonly Offered[],
  signal: AbortSignal,
): Promise<{ summary: string } | AskFailure> => {
  const answer = await ask({
    model,
    system: "You write summaries of working sessions.",
    messages: [...messages, { role: "user", content: summaryPrompt }],
    tools,
    signal,
  })
  if ("failure" in answer) return answer
  const summary = answer.text.trim()
  return summary === "" ? { failure: "The model gave no summary." } : { summary }
}
