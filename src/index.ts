/** The front door: names only. */
export { type DefinitionOptions, type ToolDefinition, toolDefinitions } from "./dialects/definition.ts"
export {
  type Dialect,
  type DialectId,
  dialectIds,
  dialects,
  findDialect,
  type PromptLevel,
  type ToolCall,
} from "./dialects/index.ts"
export { checkStrictly } from "./dialects/strict.ts"
export { systemPrompt, systemPromptSections } from "./guidance/index.ts"
export {
  type Actor,
  apply,
  diff,
  type Entry,
  fold,
  HeadwayError,
  isHeadwayError,
  type Plan,
  type PlanEvent,
  type Problem,
  progressOf,
  type Todo,
  type TodoStatus,
} from "./plan/index.ts"
export { holdInMemory, openStore, type PlanKey, type PlanSummary, type Store } from "./stores/index.ts"
export { openTracker } from "./tracker/open-tracker.ts"
export type { Change, Tracker, TrackerOptions, Written } from "./tracker/tracker.ts"
