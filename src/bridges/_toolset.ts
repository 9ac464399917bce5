/** The list tools of one agent, ready for any model API: their definitions, what a call does, what is said besides them. */
import { toolDefinitions } from "../dialects/definition.ts"
import type { Dialect, PromptLevel } from "../dialects/dialect.ts"
import { headway } from "../dialects/headway.ts"
import type { Profile } from "../guidance/reminders/index.ts"
import { systemPrompt } from "../guidance/system-prompt.ts"
import { toolsOf } from "../guidance/tools.ts"
import { lineForModel } from "../plan/index.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { callIdOf } from "./call-id.ts"

export type TodoToolsOptions = {
  /** The vocabulary of the tools. @default our own */
  dialect?: Dialect | undefined
  /** How much the model is told of them. @default "quiet" */
  level?: PromptLevel | undefined
  /** When the model is reminded of the list. @default "quiet" */
  profile?: Profile | undefined
}

export type ToolAnswer = { text: string; isError: boolean; data?: unknown }

export type Toolset = {
  definitions: readonly { name: string; description: string; inputSchema: Record<string, unknown> }[]
  /** Whether a call is one of ours. */
  has(name: string): boolean
  /** Never rejects for what a model sent; input may be a value or raw text. */
  call(name: string, input: unknown, callId?: string): Promise<ToolAnswer>
  /** What to say about the tools in the system prompt. */
  system: string
  /** The tools as guidance knows them. */
  tools: { list: string[]; reading: string[] }
}

export const createToolset = (
  tracker: Tracker,
  { dialect = headway, level = "quiet" }: TodoToolsOptions = {},
): Toolset => {
  const definitions = toolDefinitions(dialect, { level })
  const names = definitions.map(({ name }) => name)
  const tools = toolsOf(definitions)
  return {
    definitions: definitions.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    has: (name) => names.includes(name),
    async call(tool, input, callId) {
      if (!names.includes(tool))
        return { text: `There is no tool "${lineForModel(tool)}". There are: ${names.join(", ")}.`, isError: true }
      const { ok, text, data } = await tracker.write(
        { tool, input, ...(callId === undefined ? {} : { callId: callIdOf(callId, input) }) },
        dialect,
      )
      return { text, isError: !ok, ...(data === undefined ? {} : { data }) }
    },
    system: systemPrompt({ tools: { list: tools.list }, level }),
    tools,
  }
}
