/** The registry of one agent's tools: which are offered, and lookup by name (SPEC C29). */
import { z } from "zod"
import type { Plan } from "../plan/index.ts"
import type { Offered } from "./ask.ts"
import type { Permission, Tool, ToolContext, ToolResult } from "./tools/index.ts"

/** A tool as the agent uses it. The agent's own tools receive the call's id and their surroundings. */
export type AgentTool = Offered & {
  isEnabled(): boolean
  isReadOnly(): boolean
  isConcurrencySafe(): boolean
  /** Draws nothing: what it does is seen in the list. @default false */
  isSilent?: boolean
  needsPermission(input: unknown, context: CallContext): Promise<Permission | undefined>
  run(input: unknown, context: CallContext): Promise<ToolResult>
} & ToolRenderers

/**
 * How a call is shown to a person, one line for each moment. Null draws nothing; without a function the agent uses its
 * own wording.
 */
export type ToolRenderers = {
  /** The call begins. */
  renderToolUseMessage?(input: unknown): string | null
  /** It reports progress; `text` is what it passed to `onProgress`. */
  renderToolUseProgressMessage?(text: string): string | null
  /** It is done. */
  renderToolResultMessage?(result: ToolResult): string | null
  /** It failed. */
  renderToolUseErrorMessage?(result: ToolResult): string | null
  /** It was not run: the person or plan mode did not allow it. */
  renderToolUseRejectedMessage?(input: unknown, why: string): string | null
}

/** The context of a tool call. */
export type CallContext = ToolContext & {
  callId: string
  /** Who calls: `main`, or the id of a sub-agent. */
  agentId: string
  isSubAgent: boolean
  /** 0 for the main agent, 1 for one that works for it, and so on. */
  depth: number
  /** The plan of this agent, as it is now. */
  readonly plan: Plan
  /** Shows the person a message. */
  notify(message: string): void
  /** Shown by the spinner instead of the todo in progress, until this call ends or it is reset with undefined. */
  setSpinnerMessage(message: string | undefined): void
}

export type Registry = {
  /** Every tool, enabled or not. */
  readonly all: readonly AgentTool[]
  /** The names of the enabled tools. */
  names(): string[]
  offered(): Offered[]
  /** An enabled tool. */
  find(name: string): AgentTool | undefined
}

/** If several tools have one name, the last counts, so that a host can replace ours. */
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

/** A tool of the machine as one of the agent. */
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
