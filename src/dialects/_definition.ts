/** What a model API wants to know of a tool: name, description at a level, JSON schemas, and how a host may treat it. */
import { z } from "zod"
import { HeadwayError } from "../plan/index.ts"
import type { Dialect, PromptLevel, Tool } from "./dialect.ts"

export type ToolDefinition = {
  name: string
  /** The short line. */
  summary: string
  /** The prompt at the chosen level. */
  description: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  inputExamples: unknown[]
  isEnabled: () => boolean
  isReadOnly: () => boolean
  isConcurrencySafe: () => boolean
  checkPermissions: () => { behavior: "allow" }
  /** Empty: the tool is silent, the list speaks. */
  userFacingName: () => string
  renderCall: () => null
  renderResult: () => null
}

export type DefinitionOptions = {
  /** @default "quiet" */
  level?: PromptLevel
  /** Names of the tools to offer. @default all but an agent's former ones */
  tools?: readonly string[]
  /** The host's own words for a tool's description, by tool name. */
  overrides?: Partial<Record<string, string>>
}

export const toolDefinitions = (dialect: Dialect, options: DefinitionOptions = {}): ToolDefinition[] => {
  if (dialect.tools.length === 0) {
    throw new HeadwayError(
      "dialect-not-offered",
      `The dialect "${dialect.id}" is only read; it offers no tools to models.`,
    )
  }
  const isAsked = ({ name, isFormer }: Tool): boolean => (options.tools ? options.tools.includes(name) : !isFormer)
  return dialect.tools.filter(isAsked).map((tool) => define(tool, options))
}

const define = (tool: Tool, { level = "quiet", overrides = {} }: DefinitionOptions): ToolDefinition => ({
  name: tool.name,
  summary: tool.summary,
  description: overrides[tool.name] ?? tool.prompts[level],
  inputSchema: schemaOf(tool.input(z)),
  ...(tool.output ? { outputSchema: schemaOf(tool.output(z)) } : {}),
  inputExamples: [tool.example],
  isEnabled: () => true,
  isReadOnly: () => tool.isReadOnly ?? false,
  isConcurrencySafe: () => tool.isReadOnly ?? false,
  checkPermissions: () => ({ behavior: "allow" }),
  userFacingName: () => "",
  renderCall: () => null,
  renderResult: () => null,
})

const schemaOf = (schema: z.ZodType): Record<string, unknown> => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input" })
  return json
}
