/** The door of the room: a small real coding agent to start from, models for it, and one that follows a script. */

export { type Agent, type AgentOptions, openAgent } from "./agent.ts"
export type { Asker, Permitted } from "./asking.ts"
export { createMemoryTranscript, type Spoken, type Transcript } from "./conversation.ts"
export { demoScript } from "./demo-script.ts"
export type { AgentEvent, Ending, Usage } from "./event.ts"
export { createLoopback, type Loopback, type LoopbackOptions, type LoopbackRequest } from "./loopback.ts"
export { type FoundModel, findModel, providers } from "./models.ts"
export type { PlanMode } from "./plan-mode.ts"
export type { AgentTool, CallContext, Registry } from "./registry.ts"
export { readScript, type Script, type Turn } from "./script.ts"
export { createScriptModel, openScriptModel, type ScriptModel } from "./script-model.ts"
export type { Limits, Permission, ToolContext, ToolResult } from "./tools/index.ts"
