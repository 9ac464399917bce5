/** For the AI SDK (`ai` 6): the tools for `generateText` and `streamText`, and a middleware that reminds the model. */
import { jsonSchema, type LanguageModelMiddleware, type Tool, tool } from "ai"
import type { HostOptions } from "../host/options.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { createReminded } from "./sdk/reminded.ts"
import { toolsForPlan } from "./sdk/toolset.ts"

export type { HostOptions, Overrides } from "../host/options.ts"

export type AiSdkTodos = {
  /** Add them to your own: `tools: { ...own, ...todos.tools }`. */
  tools: Record<string, Tool>
  /** For `wrapLanguageModel({ model, middleware })`. One per conversation. */
  middleware: LanguageModelMiddleware
  /** The text about the tools for the system prompt, combined with your own `system`. */
  system: string
}

export const todoTools = (tracker: Tracker, options: HostOptions = {}): AiSdkTodos => {
  const toolset = toolsForPlan(tracker, options)
  const remind = createReminded<PromptMessage>({
    tracker,
    reminders: toolset.reminders,
    read: readMessage,
    write: (text) => ({ role: "user", content: [{ type: "text", text }] }),
  })
  return {
    tools: Object.fromEntries(
      toolset.definitions.map(({ name, description, inputSchema, inputExamples, strict, loadMode }) => [
        name,
        tool({
          description,
          ...(inputExamples.length > 0 ? { inputExamples: inputExamples.map((input) => ({ input })) } : {}),
          ...(strict ? { strict } : {}),
          ...(loadMode === "discoverable" ? { providerOptions: deferred } : {}),
          // Accepts any input, because we repair it ourselves.
          inputSchema: jsonSchema(inputSchema, { validate: (value) => ({ success: true, value }) }),
          execute: async (input, { toolCallId }) => (await toolset.call(name, input, toolCallId)).text,
        }),
      ]),
    ),
    middleware: {
      specificationVersion: "v3",
      transformParams: async ({ params }) => ({ ...params, prompt: await remind(params.prompt) }),
    },
    system: toolset.system,
  }
}

/** Where the provider has a search for tools. */
const deferred = { anthropic: { deferLoading: true }, openai: { deferLoading: true } }

type Params = Parameters<NonNullable<LanguageModelMiddleware["transformParams"]>>[0]["params"]
type PromptMessage = Params["prompt"][number]

const readMessage = (message: PromptMessage) => {
  if (message.role !== "assistant") return { role: "user" } as const
  return {
    role: "assistant",
    tools: message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolName] : [])),
    isThinkingOnly: message.content.length > 0 && message.content.every(({ type }) => type === "reasoning"),
  } as const
}
