/** The contract of a reminder: one reason to send the model a message between turns. Read this first. */
import type { Ledger, Plan } from "../../plan/index.ts"
import type { AttachmentBody } from "../attachment.ts"
import type { FailedCall } from "../failed-call.ts"
import type { GuidanceTools } from "../tools.ts"
import type { TurnCounters } from "../turns.ts"

/** Everything a rule may look at. Rules decide from it alone: the same situation, the same answer. */
export type Situation = {
  plan: Plan
  /** Whose turn it is: `main`, or a sub-agent. */
  agent: string
  /** What is known about the plan besides the list: when it was last changed, whether it is paused. */
  ledger?: Ledger | undefined
  turns: TurnCounters
  now: Date
  tools: GuidanceTools
  pace: Pace
  /** The last list call, where it failed and was not made again: `tracker.failure`. */
  failure?: FailedCall | undefined
  /** The text from `tracker.tellAgent()` about a person's changes that the agent does not know yet. */
  edits?: string | undefined
  /** The list has to be given back before this turn: the conversation was compacted, or a session taken up again. */
  restored?: "compact" | "resume" | undefined
  /** The agent only looks and plans; present while that is so. */
  planMode?: PlanMode | undefined
}

export type PlanMode = {
  /** The one file it may write. */
  file?: string | undefined
  /** The tool that asks the person to end it. */
  exitTool?: string | undefined
}

/** How much must pass before each rule applies. */
export type Pace = {
  /** `todo-reminder`: turns since the list was written. @default 7 */
  turnsSinceWrite: number
  /** `todo-reminder`: turns since it was last said. @default 3 */
  turnsSinceReminder: number
  /** `stale-todo`: turns of tool work with a todo in progress and the list untouched. @default 10 */
  staleAfter: number
  /** `stale-todo`: at most so often in a session. @default 3 */
  mostStale: number
  /** `gencode-nag`: turns since the list was written, and since it was last said. @default 10 */
  nagAfter: number
  /** `plan-mode`: turns between two. @default 5 */
  planModeEvery: number
}

export interface ReminderRule<Body extends AttachmentBody = AttachmentBody> {
  /** Equals the file name. */
  id: string
  /** The `type` of its attachments. Rules that share one share the wording. */
  type: Body["type"]
  /** When it is sent, for the docs. */
  about: string
  /** It has something to say about an empty list. @default false */
  speaksOfEmptyPlan?: boolean
  /** It asks for a call, and stays silent where no list tool is offered. @default false */
  needsListTool?: boolean
  /** After it the model knows the list as it is. @default false */
  tellsList?: boolean
  /** Pure; never throws. */
  due(situation: Situation): Body | undefined
  /** The text that follows from the facts alone. Foreign text in it is safe and bounded. */
  text(body: Body, tools: GuidanceTools): string
}
