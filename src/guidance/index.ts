/** The public door of this room: what the model is told, and when. */

export {
  type Attachment,
  type AttachmentBody,
  type AttachmentOptions,
  createAttachment,
  type ReminderMessage,
  type ReminderTag,
  reminderMessage,
  tagged,
  type UserEntry,
  userEntry,
} from "./attachment.ts"
export {
  attachmentMessage,
  attachmentText,
  changedFileAttachment,
  queuedMessageAttachment,
  todoAttachment,
  todoReminderAttachment,
} from "./attachments.ts"
export {
  type ChangedFileBody,
  type ChangedFiles,
  type ChangedFilesOptions,
  createChangedFiles,
} from "./changed-files.ts"
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
export { createQueuedMessages, type QueuedMessageBody, type QueuedMessages } from "./queued-messages.ts"
export {
  type BeforeTurn,
  beforeTurn,
  createReminders,
  type DueReminder,
  type Generated,
  type ReminderGenerator,
  type ReminderOverride,
  type Reminders,
  type RemindersOptions,
} from "./remind.ts"
export {
  defaultPace,
  findProfile,
  findReminder,
  type ListBody,
  type ListedTodo,
  type Profile,
  profileNames,
  profiles,
  type ReminderId,
  reminderIds,
  reminders,
  type TodoBody,
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
