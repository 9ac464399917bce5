/** The door of the room: what is said to the model, and when. */

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
