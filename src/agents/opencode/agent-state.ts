/** Reads opencode's state from our plugin in it. */
import type { ReadStand } from "../../bridges/hooks/hook.ts"
import { forReply } from "../asked.ts"
import { asStand, standWith } from "../hook-stand.ts"

const readCommon = standWith({})

export const readStand: ReadStand = (given) => {
  if (given.hook_event_name === "QuestionAsked") return asStand(forReply({ questions: given.questions }))
  return given.hook_event_name === "Replied" ? { kind: "goes-on" } : readCommon(given)
}
