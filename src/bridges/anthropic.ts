/** For the Anthropic SDK: tool definitions for `messages.create`, what a tool use does, and reminders between turns. */
import type {
  MessageParam,
  Tool,
  ToolResultBlockParam,
  ToolUseBlock,
} from "@anthropic-ai/sdk/resources/messages/messages.js"
import type { HostOptions } from "../host/options.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { createReminded, type Remind } from "./sdk/reminded.ts"
import { toolsForPlan } from "./sdk/toolset.ts"

export type { HostOptions, Overrides } from "../host/options.ts"

export type AnthropicTodos = {
  /** Add them to your own. */
  tools: Tool[]
  /** Whether a tool use is one of ours. */
  has(name: string): boolean
  /** The result block for a tool use. */
  execute(use: Pick<ToolUseBlock, "id" | "name" | "input">): Promise<ToolResultBlockParam>
  /** The messages to send: yours, with due reminders. Call it before every request. */
  remind: Remind<MessageParam>
  /** The text about the tools for the system prompt, combined with your own `system`. */
  system: string
}

export const todoTools = (tracker: Tracker, options: HostOptions = {}): AnthropicTodos => {
  const toolset = toolsForPlan(tracker, options)
  return {
    tools: toolset.definitions.map(({ name, description, inputSchema, inputExamples, strict, loadMode }) => ({
      name,
      description,
      input_schema: inputSchema as Tool.InputSchema,
      ...(inputExamples.length > 0 ? { input_examples: inputExamples } : {}),
      ...(strict ? { strict } : {}),
      ...(loadMode === "discoverable" ? { defer_loading: true } : {}),
    })),
    has: toolset.has,
    async execute({ id, name, input }) {
      const { text, isError } = await toolset.call(name, input, id)
      return { type: "tool_result", tool_use_id: id, content: text, ...(isError ? { is_error: true } : {}) }
    },
    remind: createReminded<MessageParam>({
      tracker,
      reminders: toolset.reminders,
      read: readMessage,
      write: (content) => ({ role: "user", content }),
    }),
    system: toolset.system,
  }
}

const readMessage = ({ role, content }: MessageParam) => {
  if (role !== "assistant") return { role: "user" } as const
  const blocks = typeof content === "string" ? [] : content
  return {
    role: "assistant",
    tools: blocks.flatMap((block) => (block.type === "tool_use" ? [block.name] : [])),
    isThinkingOnly: blocks.length > 0 && blocks.every(({ type }) => type.endsWith("thinking")),
  } as const
}
