/** Sub-agents (behaviour C27): a tool that gives a piece of work to another agent with its own list. */
import { z } from "zod"
import type { Tracker } from "../tracker/tracker.ts"
import { createMemoryTranscript, type Transcript } from "./conversation.ts"
import type { Ending } from "./event.ts"
import { type AgentTool, agentTool } from "./registry.ts"
import { defineTool } from "./tools/define.ts"

export const subAgentTool = "Task"

/** How deeply sub-agents may be nested. */
export const deepest = 2

export type SubAgentWork = { description: string; prompt: string; todo?: string | undefined; signal: AbortSignal }

/** The sub-agent's last message is the call's result. Nothing else reaches the agent that started it. */
export const createSubAgentTool = (
  work: (given: SubAgentWork) => Promise<{ ending: Ending; text: string }>,
): AgentTool =>
  agentTool(
    defineTool({
      name: subAgentTool,
      description:
        "Gives a piece of work to another agent, which sees only your prompt and replies once. Good for searches and self-contained parts; several may run at once. It cannot see this conversation or change your list.",
      input: z.object({
        description: z.string().describe("three to six words"),
        prompt: z.string().min(1).describe("everything it needs to know, and what to answer"),
        todo: z.string().optional().describe("the id of the todo this is for"),
      }),
      example: { description: "Find the callers", prompt: "List every file that calls parseDate, with line numbers." },
      // The tool itself changes nothing. Each call of the sub-agent needs its own permission.
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

export type SubAgentParts = { name: string; tracker: Tracker; transcript: Transcript }

/** Runs a sub-agent with these parts. */
export type RunBelow = (parts: SubAgentParts, work: SubAgentWork) => Promise<{ ending: Ending; text: string }>

export type SubAgentOptions = { tracker: Tracker; transcript: Transcript; newId: () => string; run: RunBelow }

/** Gives a sub-agent its own id, plan and transcript, and closes its plan at the end. */
export const runSubAgent =
  ({ tracker, transcript, newId, run }: SubAgentOptions) =>
  async (work: SubAgentWork): Promise<{ ending: Ending; text: string }> => {
    const name = newId().slice(0, 8)
    const { todo, description: title } = work
    const about = { agentType: "headway-agent", title }
    const own = await tracker.child(name, { ...about, ...(todo === undefined ? {} : { todo }) })
    try {
      const parts = { name, tracker: own, transcript: transcript.child?.(name) ?? createMemoryTranscript() }
      return await run(parts, work)
    } finally {
      await own.close()
    }
  }
