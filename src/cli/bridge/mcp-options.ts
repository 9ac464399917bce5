/** What `headway mcp` and `headway serve` can be told: the vocabulary, how much is said, and whose plan it is. */
import type { McpOptions } from "../../bridges/mcp.ts"
import { type PromptLevel, promptLevels } from "../../dialects/dialect.ts"
import { dialects, findDialect } from "../../dialects/index.ts"
import { HeadwayError } from "../../plan/index.ts"
import type { Command, Context } from "../command.ts"
import { version } from "../version.ts"

export const mcpOptions: Command["options"] = {
  dialect: { type: "string", short: "d", value: "D", about: "the vocabulary of the tool (default headway)" },
  level: { type: "string", value: promptLevels.join("|"), about: "how much the model is told (default quiet)" },
  share: { type: "boolean", about: "one plan for all clients of this project, instead of one each" },
}

export const readMcpOptions = ({
  values,
}: Context): Pick<McpOptions, "dialect" | "level" | "version"> & { isShared: boolean } => {
  const dialect = findDialect(typeof values.dialect === "string" ? values.dialect : "headway")
  if (dialect.tools.length === 0) {
    const offered = Object.values(dialects).filter(({ tools }) => tools.length > 0)
    throw new HeadwayError(
      "usage",
      `The dialect "${dialect.id}" is only read. Dialects with tools are: ${offered.map(({ id }) => id).join(", ")}.`,
    )
  }
  const level = typeof values.level === "string" ? values.level : "quiet"
  if (!isLevel(level))
    throw new HeadwayError("usage", `There is no level "${level}". The levels are: ${promptLevels.join(", ")}.`)
  return { dialect, level, version, isShared: values.share === true }
}

export const defaultPort = 4774

export const portOf = ({ values }: Context): number => {
  const port = values.port === undefined ? defaultPort : Number(values.port)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new HeadwayError("usage", `--port wants a number from 0 to 65535, not "${values.port}".`)
}

const isLevel = (level: string): level is PromptLevel => promptLevels.some((one) => one === level)
