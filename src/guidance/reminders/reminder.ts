/** The contract of a reminder: one reason to send the model a message between turns. Read this first. */
import type { Ledger, Plan } from "../../plan/index.ts"
import type { AttachmentBody } from "../attachment.ts"
import type { FailedCall } from "../failed-call.ts"
import type { GuidanceTools } from "../tools.ts"
import type { TurnCounters } from "../turns.ts"

/** The only input of a rule. The same situation always leads to the same decision. */
export type Situation = {
  plan: Plan
  /** The agent whose turn begins: `main`, or a sub-agent. */
  agent: string
  /** Facts about the plan besides the list: when it was last changed, whether it is paused. */
  ledger?: Ledger | undefined
  turns: TurnCounters
  now: Date
  tools: GuidanceTools
  pace: Pace
  /** The last list call, if it failed and was not repeated: `tracker.failure`. */
  failure?: FailedCall | undefined
  /** The text from `tracker.tellAgent()` about a person's changes that the agent has not been told about. */
  edits?: string | undefined
  /** Why the list must be repeated before this turn: the conversation was compacted, or a session was resumed. */
  restored?: "compact" | "resume" | undefined
  /** Present while the agent is in plan mode. */
  planMode?: PlanMode | undefined
}

export type PlanMode = {
  /** The only file that it may write. */
  file?: string | undefined
  /** The tool that asks the person to end plan mode. */
  exitTool?: string | undefined
}

/** How many turns must pass before each rule applies. */
export type Pace = {
  /** `todo-reminder`: turns since the list was written. @default 7 */
  turnsSinceWrite: number
  /** `todo-reminder`: turns since this reminder was last sent. @default 3 */
  turnsSinceReminder: number
  /** `stale-todo`: turns of tool work with a todo in progress and an unchanged list. @default 10 */
  staleAfter: number
  /** `stale-todo`: the most such reminders in a session. @default 3 */
  mostStale: number
  /** `gencode-nag`: turns since the list was written, and since this reminder was last sent. @default 10 */
  nagAfter: number
  /** `plan-mode`: turns between two reminders. @default 5 */
  planModeEvery: number
}

export interface ReminderRule<Body extends AttachmentBody = AttachmentBody> {
  /** Equals the file name. */
  id: string
  /** The `type` of its attachments. Rules with the same type have the same text. */
  type: Body["type"]
  /** When it is sent, for the docs. */
  about: string
  /** Whether it applies to an empty list. @default false */
  speaksOfEmptyPlan?: boolean
  /** Whether it asks for a call, and so is left out if no list tool is offered. @default false */
  needsListTool?: boolean
  /** Whether it contains the current list. @default false */
  tellsList?: boolean
  /** Returns the facts if the reminder is due. Pure; never throws. */
  due(situation: Situation): Body | undefined
  /** Makes the text from the facts alone. Untrusted text in it must be safe and limited in length. */
  text(body: Body, tools: GuidanceTools): string
}
