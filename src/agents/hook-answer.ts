/** A hook's reply to an agent, in the format most agents share. */
import type { HookAnswer, HookEvent } from "../bridges/hooks/hook.ts"

/** Returns a text next to the event's name, or a decision with its reason. */
export const answerWith =
  (decision: "block" | "deny") =>
  ({ name, moment }: Pick<HookEvent, "name" | "moment">, { context, holds, message }: HookAnswer): unknown => {
    const beside = message === undefined ? {} : { systemMessage: message }
    if (moment === "stop" && holds !== undefined) return { decision, reason: holds, ...beside }
    if (context === undefined) return message === undefined ? undefined : beside
    return { hookSpecificOutput: { hookEventName: name, additionalContext: context }, ...beside }
  }
