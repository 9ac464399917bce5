/** The tools of one agent: what it is offered, and what a name stands for (SPEC C29). */
import { z } from "zod"
import type { Offered } from "./ask.ts"
import type { Permission, Tool, ToolContext, ToolResult } from "./tools/index.ts"

/** A tool as the agent uses it: its own ones know which call they answer. */
export type AgentTool = {
  name: string
  description: string
  schema: Record<string, unknown>
  isEnabled(): boolean
  isReadOnly(): boolean
  isConcurrencySafe(): boolean
  /** Draws nothing: what it does is seen in the list. @default false */
  isSilent?: boolean
  needsPermission(input: unknown, context: CallContext): Promise<Permission | undefined>
  run(input: unknown, context: CallContext): Promise<ToolResult>
}

export type CallContext = ToolContext & { callId: string }

export type Registry = {
  /** Every tool, enabled or not. */
  readonly all: readonly AgentTool[]
  /** The names of the enabled tools. */
  names(): string[]
  offered(): Offered[]
  /** An enabled tool. */
  find(name: string): AgentTool | undefined
}

/** Of several tools of one name the last counts, so that a host can put its own in place of ours. */
export const createRegistry = (tools: readonly AgentTool[]): Registry => {
  const all = [...new Map(tools.map((tool) => [tool.name, tool])).values()]
  const enabled = (): AgentTool[] => all.filter((tool) => tool.isEnabled())
  return {
    all,
    names: () => enabled().map(({ name }) => name),
    offered: () => enabled().map(({ name, description, schema }) => ({ name, description, schema })),
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
