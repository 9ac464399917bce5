/** The door of the room: what is said to the model, and when. */

export {
  type Attachment,
  type AttachmentBody,
  type ReminderMessage,
  type ReminderTag,
  reminderMessage,
  tagged,
} from "./attachment.ts"
export { collect, type Generator } from "./collect.ts"
export {
  actionableTodos,
  type ContinuationState,
  continuationFrom,
  type MayStop,
  mayStop,
  noPushes,
  type Stopping,
  type StopReason,
} from "./continuation.ts"
export { type EditNotice, editNotice } from "./edit-notice.ts"
export { type FailedCall, failedCallReminder } from "./failed-call.ts"
export {
  type BeforeTurn,
  beforeTurn,
  createReminders,
  type DueReminder,
  type ReminderGenerator,
  type ReminderOverride,
  type Reminders,
  type RemindersOptions,
} from "./remind.ts"
export {
  defaultPace,
  findProfile,
  findReminder,
  type Profile,
  profileNames,
  profiles,
  type ReminderId,
  reminderIds,
  reminders,
} from "./reminders/index.ts"
export type { Pace, PlanMode, ReminderRule, Situation } from "./reminders/reminder.ts"
export {
  type GuidanceLevel,
  guidanceLevels,
  type SystemPromptOptions,
  type SystemPromptOverride,
  type SystemPromptSectionName,
  type SystemPromptSections,
  type SystemPromptTools,
  systemPrompt,
  systemPromptSectionNames,
  systemPromptSections,
} from "./system-prompt.ts"
export { type GuidanceTools, toolsOf } from "./tools.ts"
export {
  type CountingOptions,
  counted,
  countersFrom,
  type GivenReminder,
  noTurns,
  type TurnCounters,
  type TurnMessage,
  timesGiven,
  turnsSinceReminder,
  turnsSinceWrite,
  workSinceTouched,
} from "./turns.ts"
