/** The shared options of `headway mcp` and `headway serve`: dialect, tools, prompt level and sharing. */
import type { McpOptions } from "../../bridges/mcp.ts"
import { type Dialect, promptLevels } from "../../dialects/dialect.ts"
import { dialects, findDialect } from "../../dialects/index.ts"
import { HeadwayError } from "../../plan/index.ts"
import type { Gate } from "../../tracker/gate.ts"
import type { Context } from "../command.ts"
import { version } from "../version.ts"
import type { Option, Options } from "../words/option.ts"

/** The dialects that have tools for a model. */
export const offeredDialectIds: readonly string[] = Object.values(dialects).flatMap(({ id, tools }) =>
  tools.length > 0 ? [id] : [],
)

export const mcpOptions = {
  dialect: {
    type: "string",
    short: "d",
    value: "D",
    known: offeredDialectIds,
    about: "the vocabulary of the tool (default headway)",
  },
  tool: {
    type: "string",
    value: "T,…",
    about: "which of its tools to offer, such as todo_write (default the current ones)",
  },
  level: { type: "choice", of: promptLevels, about: "how much the model is told (default quiet)" },
  gate: { type: "boolean", about: "keep a todo open while one of its allowed checks fails" },
  share: { type: "boolean", about: "one plan for all clients of this project, instead of one each" },
} as const satisfies Options

export const readMcpOptions = ({
  values,
}: Context<typeof mcpOptions>): Pick<McpOptions, "dialect" | "tool" | "level" | "version"> & { isShared: boolean } => {
  const dialect = findDialectWithTools(values.dialect ?? "headway")
  return {
    dialect,
    tool: readTools(values.tool, dialect),
    level: values.level ?? "quiet",
    version,
    isShared: values.share === true,
  }
}

type GatedContext = Context<Pick<typeof mcpOptions, "gate">>

/** Makes the gate of a place. Loaded only where it is wanted. */
export const gatesOf = async ({ values }: GatedContext): Promise<((at: Context) => Gate) | undefined> =>
  values.gate ? (await import("../check/gate.ts")).gateFor : undefined

export const gateOf = async (context: GatedContext): Promise<Gate | undefined> => (await gatesOf(context))?.(context)

/** The tools a person named, with commas between them; undefined where they named none. */
export const readTools = (value: string | undefined, { id, tools }: Dialect): string[] | undefined => {
  const names = value?.split(",").flatMap((name) => name.trim() || []) ?? []
  const unknown = names.find((name) => !tools.some((tool) => tool.name === name))
  if (unknown === undefined) return names.length > 0 ? names : undefined
  const known = tools.map(({ name }) => name).join(", ")
  throw new HeadwayError("usage", `The dialect "${id}" has no tool "${unknown}". Its tools are: ${known}.`)
}

/** A vocabulary that a model can be offered. */
export const findDialectWithTools = (name: string): Dialect => {
  const dialect = findDialect(name)
  if (dialect.tools.length > 0) return dialect
  throw new HeadwayError(
    "usage",
    `The dialect "${dialect.id}" can only be read. Dialects with tools are: ${offeredDialectIds.join(", ")}.`,
  )
}

export const defaultPort = 4774

export const portOption = {
  type: "number",
  value: "N",
  from: 0,
  to: 65_535,
  about: `the port (default ${defaultPort}, 0 picks a free one)`,
} as const satisfies Option
