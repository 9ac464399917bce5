/** What `headway agent` can be told, read and checked. */
import { type PromptLevel, promptLevels } from "../../dialects/dialect.ts"
import { findDialect } from "../../dialects/index.ts"
import { type Profile, profileNames } from "../../guidance/index.ts"
import { HeadwayError } from "../../plan/index.ts"
import type { Command, Context } from "../command.ts"

export const outputFormats = ["text", "stream-json"] as const
export type OutputFormat = (typeof outputFormats)[number]

export const agentOptions = {
  model: { type: "string", short: "m", value: "MODEL", about: "provider/name, script:FILE or script:demo" },
  yes: {
    type: "boolean",
    short: "y",
    about: "trust this folder: write and run without asking; what lies outside still asks",
  },
  print: { type: "boolean", short: "p", about: "no screen: work on TASK, print the answer, end" },
  "output-format": {
    type: "string",
    value: outputFormats.join("|"),
    about: "what --print prints (default text; with --json stream-json)",
  },
  resume: {
    type: "string",
    value: "SESSION",
    about: "go on with an earlier session; the beginning of its name is enough",
  },
  dialect: { type: "string", short: "d", value: "D", about: "the vocabulary of the todo tools (default claude-todos)" },
  level: { type: "string", value: promptLevels.join("|"), about: "how much the model is told of them (default quiet)" },
  profile: { type: "string", value: profileNames.join("|"), about: "when it is reminded of the list (default quiet)" },
  "max-turns": { type: "string", value: "N", about: "turns for one task (default 200)" },
  context: { type: "string", value: "TOKENS", about: "how much the model can hold, such as 200000 or 32k" },
  "allow-env": {
    type: "string",
    value: "NAME,…",
    about: "variables with keys that commands may see, such as GEMINI_API_KEY (default none)",
  },
} as const satisfies Command["options"]

export type AgentSettings = {
  model: string | undefined
  isTrusted: boolean
  isPrinting: boolean
  format: OutputFormat
  resume: string | undefined
  dialect: string | undefined
  level: PromptLevel
  profile: Profile
  mostTurns: number | undefined
  contextWindow: number | undefined
  allowedVariables: readonly string[]
}

export const readAgentSettings = ({ values }: Context): AgentSettings => {
  const text = (name: string): string | undefined => {
    const value = values[name]
    return typeof value === "string" && value !== "" ? value : undefined
  }
  if (values.resume === "")
    throw new HeadwayError("usage", '--resume wants a session, as "headway list --own" names them.')
  if (text("resume") !== undefined && text("session") !== undefined)
    throw new HeadwayError("usage", "--resume names the session already; leave out --session.")
  const dialect = text("dialect")
  if (dialect !== undefined && findDialect(dialect).tools.length === 0)
    throw new HeadwayError("usage", `The dialect "${dialect}" is only read; it has no tools to offer.`)
  return {
    model: text("model"),
    isTrusted: values.yes === true,
    isPrinting: values.print === true || values.json === true || values["output-format"] !== undefined,
    format: oneOf("output-format", text("output-format") ?? (values.json ? "stream-json" : "text"), outputFormats),
    resume: text("resume"),
    dialect,
    level: oneOf("level", text("level") ?? "quiet", promptLevels),
    profile: oneOf("profile", text("profile") ?? "quiet", profileNames),
    mostTurns: count("max-turns", text("max-turns")),
    contextWindow: count("context", text("context")),
    allowedVariables: variableNames(text("allow-env") ?? ""),
  }
}

const oneOf = <Name extends string>(option: string, value: string, names: readonly Name[]): Name => {
  const found = names.find((name) => name === value)
  if (found !== undefined) return found
  throw new HeadwayError("usage", `--${option} takes one of ${names.join(", ")}, not "${value}".`)
}

const count = (option: string, value: string | undefined): number | undefined => {
  if (value === undefined) return undefined
  const [, digits = "", thousands] = /^(\d{1,9})(k?)$/i.exec(value) ?? []
  const number = Number(digits) * (thousands ? 1000 : 1)
  if (number > 0) return number
  throw new HeadwayError("usage", `--${option} takes a number from 1, not "${value}".`)
}

const variableNames = (value: string): string[] => {
  const names = value.split(",").flatMap((name) => name.trim() || [])
  const wrong = names.find((name) => !/^[A-Z_][A-Z\d_]*$/i.test(name))
  if (wrong === undefined) return names
  throw new HeadwayError("usage", `--allow-env takes names of variables, such as GEMINI_API_KEY, not "${wrong}".`)
}
