/** For LangChain agents: a middleware that brings the tools and reminds the model. */
import { type BaseMessage, createMiddleware, HumanMessage, tool } from "langchain"
import { z } from "zod"
import type { HostOptions } from "../host/options.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { createReminded } from "./sdk/reminded.ts"
import { toolsForPlan } from "./sdk/toolset.ts"

export type { HostOptions, Overrides } from "../host/options.ts"

/** For `createAgent({ middleware: [todoMiddleware(tracker)] })`. One per conversation. */
export const todoMiddleware = (tracker: Tracker, options: HostOptions = {}) => {
  const toolset = toolsForPlan(tracker, options)
  const remind = createReminded<BaseMessage>({
    tracker,
    reminders: toolset.reminders,
    read: readMessage,
    write: (text) => new HumanMessage(text),
  })
  return createMiddleware({
    name: "HeadwayTodos",
    tools: toolset.definitions.map(({ name, description, inputSchema, inputExamples, strict, loadMode }) =>
      tool(async (input, { toolCall } = {}) => (await toolset.call(name, input, toolCall?.id)).text, {
        name,
        description,
        schema: takenAsItComes(inputSchema),
        // For integrations that hand them on to their service.
        extras: {
          ...(inputExamples.length > 0 ? { input_examples: inputExamples } : {}),
          ...(strict ? { strict } : {}),
          ...(loadMode === "discoverable" ? { defer_loading: true } : {}),
        },
      }),
    ),
    wrapModelCall: async (request, handler) =>
      handler({
        ...request,
        systemMessage: request.systemMessage.concat(toolset.system),
        messages: await remind(request.messages),
      }),
  })
}

/** The model is shown the schema, but what it sends is not held against it: we repair it, and say ourselves what is wrong. */
const takenAsItComes = (schema: Record<string, unknown>) =>
  z.unknown().meta(schema) as unknown as z.ZodType<Record<string, unknown>>

const readMessage = (message: BaseMessage) => {
  if (message.getType() !== "ai") return { role: "user" } as const
  const calls = "tool_calls" in message && Array.isArray(message.tool_calls) ? message.tool_calls : []
  return { role: "assistant", tools: calls.map(({ name }: { name: string }) => name) } as const
}
