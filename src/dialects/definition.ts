/** Tool definitions for model APIs and hosts: name, prompt at a level, JSON schemas, and a function for calls. */
import { z } from "zod"
import { HeadwayError } from "../plan/index.ts"
import { type JsonSchema, strictExample, strictSchema, withoutWords, withWords } from "./_json-schema.ts"
import {
  assertDialect,
  type DataOf,
  type Dialect,
  type PromptLevel,
  promptLevels,
  type Tool,
  type ToolCall,
} from "./dialect.ts"

/** Whether a model sees the tool from the start, or must search for it. */
const loadModes = ["essential", "discoverable"] as const
export type LoadMode = (typeof loadModes)[number]

export type ToolDefinition<Data = unknown> = {
  /** The host's name for the tool. */
  name: string
  /** Our own name for the tool, which `tracker.write` expects. */
  tool: string
  /** The short description. */
  summary: string
  /** The prompt at the chosen level. */
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  inputExamples: Record<string, unknown>[]
  /** Whether the model service must enforce the schema. */
  strict: boolean
  loadMode: LoadMode
  isEnabled: () => boolean
  isReadOnly: () => boolean
  isConcurrencySafe: () => boolean
  /** Always allows the call, with the input unchanged. */
  checkPermissions: <Input>(input: Input) => { behavior: "allow"; updatedInput: Input }
  /** Empty: calls are not shown, because the list shows their effect. */
  userFacingName: () => string
  renderToolUseMessage: () => null
  renderToolUseProgressMessage: () => null
  renderToolResultMessage: () => null
  renderToolUseErrorMessage: () => null
  renderToolUseRejectedMessage: () => null
  /** Makes the call. `context` has a tracker and, if there is one, the call's id. */
  call: (input: unknown, context: CallMaker) => Promise<CallMade<Data>>
}

/** What a call needs: the tracker of its plan. */
export type CallMaker = {
  tracker: { write(call: ToolCall, dialect: Dialect): Promise<{ ok: boolean; text: string; data: unknown }> }
  callId?: string | undefined
}

export type CallMade<Data = unknown> = {
  /** The structured result, for the host. */
  data: Data
  /** The text to return to the model. */
  text: string
  isError: boolean
}

/** A host's own texts for one tool. Ours are used for the rest. */
export type ToolWording = {
  description?: string
  summary?: string
  /** For fields of the input, by path: `{ "todos.content": "…" }`. */
  fields?: Readonly<Record<string, string>>
  /** Example inputs instead of ours. An empty list shows none. */
  examples?: readonly Record<string, unknown>[]
}

export type DefinitionOptions = {
  /** @default "quiet" */
  level?: PromptLevel | undefined
  /** The tool to offer, or several, by our names. @default all but former ones, such as `todo_write` */
  tool?: string | readonly string[] | undefined
  /** The host's names for tools, by our names; descriptions use them too. */
  names?: Partial<Record<string, string>> | undefined
  /** The host's own texts by our name for the tool: a description, or several texts. */
  overrides?: Partial<Record<string, string | ToolWording>> | undefined
  /** Schemas that a model service can enforce. @default false */
  strict?: boolean | undefined
  /** @default "essential" */
  loadMode?: LoadMode | undefined
}

export const toolDefinitions = <Spoken extends Dialect>(
  dialect: Spoken,
  options: DefinitionOptions = {},
): ToolDefinition<DataOf<Spoken>>[] => {
  assertDialect(dialect, "toolDefinitions")
  if (dialect.tools.length === 0) {
    throw new HeadwayError(
      "dialect-not-offered",
      `The dialect "${dialect.id}" can only be read; it offers no tools to models.`,
    )
  }
  assertOneOf("unknown-level", "level", options.level ?? "quiet", promptLevels)
  assertOneOf("unknown-load-mode", "load mode", options.loadMode ?? "essential", loadModes)
  const names = dialect.tools.map(({ name }) => name)
  const { tool: asked, names: given = {}, overrides = {} } = options
  const wanted = asked === undefined ? undefined : typeof asked === "string" ? [asked] : asked
  for (const name of [...(wanted ?? []), ...Object.keys(given), ...Object.keys(overrides)]) {
    if (!names.includes(name))
      throw new HeadwayError(
        "unknown-tool",
        `The dialect "${dialect.id}" has no tool "${name}". Its tools are: ${names.join(", ")}.`,
      )
  }
  const isAsked = ({ name, isFormer }: Tool): boolean => (wanted ? wanted.includes(name) : !isFormer)
  return dialect.tools.filter(isAsked).map((tool) => define(tool, dialect, options))
}

/** A check at run time, for callers without a compiler. */
const assertOneOf = (code: string, what: string, given: string, known: readonly string[]): void => {
  if (known.includes(given)) return
  throw new HeadwayError(code, `There is no ${what} "${given}". It is one of: ${known.join(", ")}.`)
}

const define = <Spoken extends Dialect>(
  tool: Tool,
  dialect: Spoken,
  options: DefinitionOptions,
): ToolDefinition<DataOf<Spoken>> => {
  const { level = "quiet", names, overrides = {}, strict = false, loadMode = "essential" } = options
  const given = overrides[tool.name] ?? {}
  const own: ToolWording = typeof given === "string" ? { description: given } : given
  const name = names?.[tool.name] ?? tool.name
  const calledAs = name === tool.name ? {} : { calledAs: name }
  const say = (text: string): string => renamed(text, dialect.tools, names)
  const inputSchema = inputSchemaOf(tool, { level, strict, fields: own.fields ?? {} })
  const examples = own.examples ?? (level === "off" ? [] : [tool.example])
  return {
    name,
    tool: tool.name,
    summary: own.summary ?? say(tool.summary),
    description: own.description ?? say(tool.prompts[level]),
    inputSchema,
    ...(tool.output ? { outputSchema: schemaOf(tool.output(z)) } : {}),
    inputExamples: examples.map((one) => (strict ? (strictExample(one, inputSchema) as typeof one) : one)),
    strict,
    loadMode,
    isEnabled: () => true,
    isReadOnly: () => tool.isReadOnly ?? false,
    isConcurrencySafe: () => tool.isReadOnly ?? false,
    checkPermissions: (input) => ({ behavior: "allow", updatedInput: input }),
    userFacingName: () => "",
    ...silence,
    async call(input, { tracker, callId }) {
      const call = { tool: tool.name, ...calledAs, input, ...(callId === undefined ? {} : { callId }) }
      const { ok, text, data } = await tracker.write(call, dialect)
      return { data: data as DataOf<Spoken>, text, isError: !ok }
    },
  }
}

/** Shows nothing at any moment of a call (SPEC C6). */
const silence = {
  renderToolUseMessage: () => null,
  renderToolUseProgressMessage: () => null,
  renderToolResultMessage: () => null,
  renderToolUseErrorMessage: () => null,
  renderToolUseRejectedMessage: () => null,
}

const renamed = (text: string, tools: readonly Tool[], names: DefinitionOptions["names"] = {}): string => {
  const mentions = new RegExp(tools.map(({ name }) => mentionOf(name)).join("|"), "g")
  return text.replace(mentions, (name) => names[name] ?? name)
}

/**
 * Finds mentions of a tool in a text. A name that is also an English word, such as "todo", is in backquotes if it means
 * the tool.
 */
const mentionOf = (name: string): string => (/[A-Z_]/.test(name) ? `\\b${name}\\b` : `(?<=\`)${name}(?=\`)`)

type SchemaOptions = { level: PromptLevel; strict: boolean; fields: Readonly<Record<string, string>> }

const inputSchemaOf = (tool: Tool, { level, strict, fields }: SchemaOptions): JsonSchema => {
  const shape = schemaOf(tool.input(z))
  const worded = withWords(level === "off" ? withoutWords(shape) : shape, fields)
  return strict ? strictSchema(worded) : worded
}

const schemaOf = (schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input" })
  return json
}
