/** Sub-agents (SPEC C27): a tool that hands a piece of work to an agent of its own, with its own list. */
import { z } from "zod"
import type { Ending } from "./event.ts"
import { type AgentTool, agentTool } from "./registry.ts"
import { defineTool } from "./tools/_define.ts"

export const subAgentTool = "Task"

/** How deep agents may hand work on. */
export const deepest = 2

export type SubAgentWork = { description: string; prompt: string; todo?: string | undefined; signal: AbortSignal }

/** Its last words are the result; nothing else of it reaches the one who asked. */
export const createSubAgentTool = (
  work: (given: SubAgentWork) => Promise<{ ending: Ending; text: string }>,
): AgentTool =>
  agentTool(
    defineTool({
      name: subAgentTool,
      description:
        "Hands a piece of work to another agent that starts from nothing but your prompt and answers once. Good for searches and for parts that stand on their own; several may run at once. It cannot see this conversation or change your list.",
      input: z.object({
        description: z.string().describe("three to six words"),
        prompt: z.string().describe("everything it needs to know, and what to answer"),
        todo: z.string().optional().describe("the id of the todo this is for"),
      }),
      example: { description: "Find the callers", prompt: "List every file that calls parseDate, with line numbers." },
      isReadOnly: true,
      isConcurrencySafe: true,
      needsPermission: async () => undefined,
      async run({ description, prompt, todo }, { signal }) {
        const { ending, text } = await work({ description, prompt, todo, signal })
        if (ending === "done") return { text: text || "It ended without an answer.", display: description }
        return {
          text: `It did not finish (${ending}). Its last words: ${text || "none"}`,
          isError: true,
          display: description,
        }
      },
    }),
  )
