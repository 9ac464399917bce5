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
  /** What the host calls a tool, by our name for it; descriptions that mention it say so too. */
  names?: Partial<Record<string, string>>
}

export const toolDefinitions = (dialect: Dialect, options: DefinitionOptions = {}): ToolDefinition[] => {
  if (dialect.tools.length === 0) {
    throw new HeadwayError(
      "dialect-not-offered",
      `The dialect "${dialect.id}" is only read; it offers no tools to models.`,
    )
  }
  const isAsked = ({ name, isFormer }: Tool): boolean => (options.tools ? options.tools.includes(name) : !isFormer)
  return dialect.tools.filter(isAsked).map((tool) => define(tool, dialect.tools, options))
}

const define = (tool: Tool, siblings: readonly Tool[], options: DefinitionOptions): ToolDefinition => ({
  name: options.names?.[tool.name] ?? tool.name,
  summary: renamed(tool.summary, siblings, options.names),
  description:
    options.overrides?.[tool.name] ?? renamed(tool.prompts[options.level ?? "quiet"], siblings, options.names),
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

const renamed = (text: string, tools: readonly Tool[], names: DefinitionOptions["names"] = {}): string => {
  const mentions = new RegExp(tools.map(({ name }) => mentionOf(name)).join("|"), "g")
  return text.replace(mentions, (name) => names[name] ?? name)
}

/** A name that is also an English word, such as "todo", is in backquotes where the tool is meant. */
const mentionOf = (name: string): string => (/[A-Z_]/.test(name) ? `\\b${name}\\b` : `(?<=\`)${name}(?=\`)`)

const schemaOf = (schema: z.ZodType): Record<string, unknown> => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input" })
  return json
}
