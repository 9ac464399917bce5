/** For the OpenAI SDK: tools for chat completions and responses, what a call does, and reminders between turns. */
import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
  ChatCompletionToolMessageParam,
} from "openai/resources/chat/completions"
import type { FunctionTool, ResponseFunctionToolCall, ResponseInputItem } from "openai/resources/responses/responses"
import type { HostOptions } from "../host/options.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { createReminded, type Remind } from "./sdk/reminded.ts"
import { toolsForPlan } from "./sdk/toolset.ts"

export type { HostOptions, Overrides } from "../host/options.ts"

export type OpenAiTodos = {
  /** Whether a call is one of ours. */
  has(name: string): boolean
  /** The text about the tools for the system prompt, combined with your own `system`. */
  system: string
  /** For `chat.completions.create`. */
  chat: {
    tools: ChatCompletionFunctionTool[]
    execute(
      call: Pick<ChatCompletionMessageFunctionToolCall, "id" | "function">,
    ): Promise<ChatCompletionToolMessageParam>
    /** The messages to send: yours, with due reminders. Call it before every request. */
    remind: Remind<ChatCompletionMessageParam>
  }
  /** For `responses.create`, where the whole conversation is sent as `input`. */
  responses: {
    tools: FunctionTool[]
    execute(
      call: Pick<ResponseFunctionToolCall, "call_id" | "name" | "arguments">,
    ): Promise<ResponseInputItem.FunctionCallOutput>
    remind: Remind<ResponseInputItem>
  }
}

export const todoTools = (tracker: Tracker, options: HostOptions = {}): OpenAiTodos => {
  const toolset = toolsForPlan(tracker, options)
  const { has, system, definitions, reminders } = toolset
  return {
    has,
    system,
    chat: {
      tools: definitions.map(({ name, description, inputSchema, strict }) => ({
        type: "function",
        function: { name, description, parameters: inputSchema, ...(strict ? { strict } : {}) },
      })),
      async execute({ id, function: { name, arguments: input } }) {
        const { text } = await toolset.call(name, input, id)
        return { role: "tool", tool_call_id: id, content: text }
      },
      remind: createReminded<ChatCompletionMessageParam>({
        tracker,
        reminders,
        read: readMessage,
        write: (content) => ({ role: "user", content }),
      }),
    },
    responses: {
      tools: definitions.map(({ name, description, inputSchema, strict, loadMode }) => ({
        type: "function",
        name,
        description,
        parameters: inputSchema,
        strict,
        ...(loadMode === "discoverable" ? { defer_loading: true } : {}),
      })),
      async execute({ call_id, name, arguments: input }) {
        const { text } = await toolset.call(name, input, call_id)
        return { type: "function_call_output", call_id, output: text }
      },
      remind: createReminded<ResponseInputItem>({
        tracker,
        reminders,
        read: readItem,
        write: (content) => ({ role: "user", content }),
      }),
    },
  }
}

const readMessage = (message: ChatCompletionMessageParam) =>
  message.role === "assistant"
    ? ({
        role: "assistant",
        tools: (message.tool_calls ?? []).flatMap((call) => (call.type === "function" ? [call.function.name] : [])),
      } as const)
    : ({ role: "user" } as const)

/** Parts of one answer stand as items side by side; each that the model said counts. */
const readItem = (item: ResponseInputItem) => {
  if (item.type === "function_call") return { role: "assistant", tools: [item.name] } as const
  if (item.type === "reasoning") return { role: "assistant", isThinkingOnly: true } as const
  return "role" in item && item.role === "assistant" ? ({ role: "assistant" } as const) : ({ role: "user" } as const)
}
