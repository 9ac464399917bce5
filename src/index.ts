/** The front door: names only. */
export type { ClaudeTasksData } from "./dialects/claude-tasks.ts"
export type { TodoWriteData, TodoWriteItem } from "./dialects/claude-todos.ts"
export {
  type DefinitionOptions,
  type LoadMode,
  type ToolDefinition,
  type ToolWording,
  toolDefinitions,
} from "./dialects/definition.ts"
export type { GencodeData } from "./dialects/gencode.ts"
export type { HeadwayData } from "./dialects/headway.ts"
export {
  type DataOf,
  type Dialect,
  type DialectId,
  dialectIds,
  dialects,
  findDialect,
  type PromptLevel,
  type ToolCall,
} from "./dialects/index.ts"
export type { OhMyPiData } from "./dialects/oh-my-pi.ts"
export { checkStrictly } from "./dialects/strict.ts"
export { systemPrompt, systemPromptSections } from "./guidance/index.ts"
export type { HostOptions, HostSystem, Overrides } from "./host/options.ts"
export { createTodoManager, type NewTodo, type TodoManager, type TodoManagerOptions } from "./host/todo-manager.ts"
export { createToolset, type ToolAnswer, type Toolset } from "./host/toolset.ts"
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
export { holdInMemory, openStore } from "./stores/open-store.ts"
export type { PlanKey, PlanSummary, Store } from "./stores/store.ts"
export type { Gate, GateAnswer, GateQuestion } from "./tracker/gate.ts"
export { openTracker } from "./tracker/open-tracker.ts"
export type { Change, Tracker, TrackerOptions } from "./tracker/tracker.ts"
export type { Written } from "./tracker/written.ts"
