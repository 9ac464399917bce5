/** The public door of this room: a small real coding agent to start from, and models for it. */

export type { HostOptions } from "../host/options.ts"
export { type Agent, type AgentOptions, type AgentOverrides, openAgent } from "./agent.ts"
export type { Asker, Permitted } from "./ask-person.ts"
export { createMemoryTranscript, type Spoken, type Transcript } from "./conversation.ts"
export type { AgentEvent, Ending, Usage } from "./event.ts"
export { type FoundModel, findModel, providers } from "./models.ts"
export type { PlanMode } from "./plan-mode.ts"
export type { AgentTool, CallContext, Registry, ToolRenderers } from "./registry.ts"
export type { AgentScreenOptions, OpenAgentScreen, ScreenListeners, SlashAnswer, SlashCommand } from "./screen.ts"
export type { PushWording } from "./stopping.ts"
export type { AgentSystem, SystemPlace } from "./system-text.ts"
export type { Limits, Permission, ToolContext, ToolResult } from "./tools/index.ts"
