/** The door of the room: what is said to the model, and when. */

export { type EditNotice, editNotice } from "./edit-notice.ts"
export { type FailedCall, failedCallReminder } from "./failed-call.ts"
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
