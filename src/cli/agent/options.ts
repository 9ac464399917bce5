/** The options of `headway agent`, parsed and validated. */
import { type PromptLevel, promptLevels } from "../../dialects/dialect.ts"
import { type Profile, profileNames } from "../../guidance/index.ts"
import { HeadwayError } from "../../plan/index.ts"
import { findDialectWithTools, offeredDialectIds, readTools } from "../bridge/mcp-options.ts"
import { newOption } from "../choose/target.ts"
import type { Context } from "../command.ts"
import type { Options } from "../words/option.ts"
import { usualDialect } from "./session.ts"

const outputFormats = ["text", "stream-json"] as const
export type OutputFormat = (typeof outputFormats)[number]

export const agentOptions = {
  model: { type: "string", short: "m", value: "MODEL", about: "provider/name, script:FILE or script:demo" },
  yes: {
    type: "boolean",
    short: "y",
    about: "trust this folder: write and run commands in it without asking; outside it, still ask",
  },
  print: { type: "boolean", short: "p", about: "no screen: work on TASK, print the answer, exit" },
  "output-format": {
    type: "choice",
    of: outputFormats,
    about: "what --print prints (default text; with --json stream-json)",
  },
  resume: {
    type: "string",
    value: "SESSION",
    about: "continue an earlier session; the start of its name is enough",
  },
  new: newOption,
  dialect: {
    type: "string",
    short: "d",
    value: "D",
    known: offeredDialectIds,
    about: "the vocabulary of the todo tools (default claude-todos)",
  },
  tool: {
    type: "string",
    value: "T,…",
    about: "which of its tools to offer, such as todo_write of oh-my-pi (default the current ones)",
  },
  level: { type: "choice", of: promptLevels, about: "how much the model is told about them (default quiet)" },
  profile: { type: "choice", of: profileNames, about: "how often the model is reminded of the list (default quiet)" },
  gate: { type: "boolean", about: "keep a todo open while one of its allowed checks fails" },
  "max-turns": { type: "number", value: "N", from: 1, about: "the most turns for one task (default 200)" },
  context: {
    type: "number",
    value: "TOKENS",
    from: 1,
    takesThousands: true,
    about: "the size of the model's context, such as 200000 or 32k",
  },
  "allow-env": {
    type: "string",
    value: "NAME,…",
    about: "environment variables with keys that commands may read, such as GEMINI_API_KEY (default none)",
  },
} as const satisfies Options

export type AgentSettings = {
  model: string | undefined
  isTrusted: boolean
  isPrinting: boolean
  format: OutputFormat
  resume: string | undefined
  dialect: string | undefined
  tool: string | undefined
  level: PromptLevel
  profile: Profile
  mostTurns: number | undefined
  contextWindow: number | undefined
  allowedVariables: readonly string[]
}

export type AgentContext = Context<typeof agentOptions>

export const readAgentSettings = ({ values }: AgentContext): AgentSettings => {
  const { resume, dialect } = values
  if (resume === "") throw new HeadwayError("usage", '--resume takes a session; "headway list --own" lists them.')
  if (resume !== undefined && values.session)
    throw new HeadwayError("usage", "--resume already names the session; leave out --session.")
  // The dialect of an earlier session is known when it is found.
  if (dialect || resume === undefined) readTools(values.tool, findDialectWithTools(dialect || usualDialect))
  return {
    model: values.model || undefined,
    isTrusted: values.yes === true,
    isPrinting: values.print === true || values.json === true || values["output-format"] !== undefined,
    format: values["output-format"] ?? (values.json ? "stream-json" : "text"),
    resume,
    dialect: dialect || undefined,
    tool: values.tool,
    level: values.level ?? "quiet",
    profile: values.profile ?? "quiet",
    mostTurns: values["max-turns"],
    contextWindow: values.context,
    allowedVariables: variableNames(values["allow-env"] ?? ""),
  }
}

const variableNames = (value: string): string[] => {
  const names = value.split(",").flatMap((name) => name.trim() || [])
  const wrong = names.find((name) => !/^[A-Z_][A-Z\d_]*$/i.test(name))
  if (wrong === undefined) return names
  throw new HeadwayError("usage", `--allow-env takes names of variables, such as GEMINI_API_KEY, not "${wrong}".`)
}
