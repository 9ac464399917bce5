/** The registry of an agent's tools: which are enabled, and lookup by name (behaviour C29). */
import { z } from "zod"
import type { Plan } from "../plan/index.ts"
import type { Offered } from "./ask-model.ts"
import type { Permission, Tool, ToolContext, ToolResult } from "./tools/index.ts"

/** A tool as the agent uses it. Calls get the call's id and context. */
export type AgentTool = Offered & {
  isEnabled(): boolean
  isReadOnly(): boolean
  isConcurrencySafe(): boolean
  /** Whether its calls are not shown, because their effect is visible in the list. @default false */
  isSilent?: boolean
  needsPermission(input: unknown, context: CallContext): Promise<Permission | undefined>
  run(input: unknown, context: CallContext): Promise<ToolResult>
} & ToolRenderers

/**
 * How a call is shown to a person, one line for each moment. Null shows nothing. Without a function, the agent uses its
 * own text.
 */
export type ToolRenderers = {
  /** The line when the call begins. */
  renderToolUseMessage?(input: unknown): string | null
  /** The line for progress. `text` is what the call passed to `onProgress`. */
  renderToolUseProgressMessage?(text: string): string | null
  /** The line when the call is done. */
  renderToolResultMessage?(result: ToolResult): string | null
  /** The line when the call has failed. */
  renderToolUseErrorMessage?(result: ToolResult): string | null
  /** The line when the person or plan mode has refused the call. */
  renderToolUseRejectedMessage?(input: unknown, why: string): string | null
}

/** The context of a tool call. */
export type CallContext = ToolContext & {
  callId: string
  /** The calling agent: `main`, or the id of a sub-agent. */
  agentId: string
  isSubAgent: boolean
  /** 0 for the main agent, 1 for its sub-agents, and so on. */
  depth: number
  /** The agent's current plan. */
  readonly plan: Plan
  /** Shows the person a message. */
  notify(message: string): void
  /** Sets the spinner's text instead of the todo in progress, until this call ends or passes undefined. */
  setSpinnerMessage(message: string | undefined): void
}

export type Registry = {
  /** Every tool, enabled or not. */
  readonly all: readonly AgentTool[]
  /** The names of the enabled tools. */
  names(): string[]
  offered(): Offered[]
  /** Returns an enabled tool. */
  find(name: string): AgentTool | undefined
}

/** If several tools have the same name, the last one counts, so that a host can replace ours. */
export const createRegistry = (tools: readonly AgentTool[]): Registry => {
  const all = [...new Map(tools.map((tool) => [tool.name, tool])).values()]
  const enabled = (): AgentTool[] => all.filter((tool) => tool.isEnabled())
  return {
    all,
    names: () => enabled().map(({ name }) => name),
    offered: enabled,
    find: (name) => enabled().find((tool) => tool.name === name),
  }
}

/** Makes a tool of this machine a tool of the agent. */
export const agentTool = (tool: Tool): AgentTool => {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: "input" })
  return {
    name: tool.name,
    description: tool.description,
    schema,
    isEnabled: () => tool.isEnabled(),
    isReadOnly: () => tool.isReadOnly(),
    isConcurrencySafe: () => tool.isConcurrencySafe(),
    needsPermission: (input, context) => tool.needsPermission(input, context),
    run: (input, context) => tool.run(input, context),
  }
}
