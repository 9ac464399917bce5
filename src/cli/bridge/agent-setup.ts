/** Turns a command line into the input of set-up: the folders, the launcher and the choices. */

import { projectOf } from "../../board/project.ts"
import { isSame } from "../../bridges/config/edit.ts"
import { type Agent, type Scope, scopes, type Where } from "../../bridges/setup/agent-settings.ts"
import { findLauncher, type Launcher, quickWords, shellLine } from "../../bridges/setup/launcher.ts"
import { clearUp } from "../../bridges/setup/run-note.ts"
import type { Calls, Choices, Wish } from "../../bridges/setup/wishes.ts"
import { promptLevels } from "../../dialects/index.ts"
import { loadToken, readToken } from "../../home/serve/token.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { isElsewhere, shownUrl } from "../../stores/index.ts"
import { readAddress } from "../../stores/postgres/address.ts"
import type { Context } from "../command.ts"
import { say } from "../output/say.ts"
import { homeOf } from "../place/place.ts"
import { version } from "../version.ts"
import type { Options } from "../words/option.ts"
import { defaultPort, findDialectWithTools, offeredDialectIds, portOption } from "./mcp-options.ts"
import { ownBin, ownScript } from "./own-bin.ts"

export const setupOptions = {
  "dry-run": { type: "boolean", about: "show the change without making it" },
  undo: { type: "boolean", about: "undo what set-up did" },
  scope: {
    type: "choice",
    of: scopes,
    value: "SCOPE",
    about: `${scopes.join(" or ")}: your own configuration (default), or the one in this repository`,
  },
  mcp: { type: "boolean", about: "give the agent our todo tool, over MCP (default)" },
  "no-mcp": { type: "boolean", about: "remove the tool" },
  http: {
    type: "boolean",
    about: 'connect to the server of "headway serve", with its token, instead of starting one',
  },
  port: { ...portOption, about: `the port of that server (default ${defaultPort})` },
  hooks: {
    type: "boolean",
    about: "use hooks to record the agent's list and restore the plan (default if it has hooks)",
  },
  "no-hooks": { type: "boolean", about: "remove the hooks" },
  "let-stop": { type: "boolean", about: "let the agent stop even when work is left" },
  gate: {
    type: "boolean",
    about: "keep a todo open while one of its allowed checks fails; a second attempt is accepted",
  },
  "status-line": { type: "boolean", about: "show the plan in its status line" },
  "no-status-line": { type: "boolean", about: "remove the status line" },
  native: {
    type: "choice",
    of: ["on", "off", "leave"],
    value: "STATE",
    about: "on, off or leave (default): the agent's own list tool",
  },
  dialect: {
    type: "string",
    value: "D",
    known: offeredDialectIds,
    about: "the vocabulary of our tool (default headway)",
  },
  level: {
    type: "choice",
    of: promptLevels,
    value: "LEVEL",
    about: "how much the model is told: off, quiet (default), full",
  },
  ask: { type: "boolean", about: "let the agent ask before it calls our tool" },
} as const satisfies Options

export type SetupContext = Context<typeof setupOptions>

export const whereOf = ({ io }: Context): Where => ({ env: io.env, home: io.home, project: projectOf(io.cwd) })

/** Removes files left by a killed set-up, and reports that. `agent` is the one being set up now. */
export const clearUpSetup = (context: Context<Pick<typeof setupOptions, "undo">>, agent?: Agent): void => {
  try {
    const left = clearUp(homeOf(context), context.io.now())
    if (!left) return
    if (left.agent === "") {
      say(context.io, "An earlier set-up was interrupted before it changed anything.")
      return
    }
    const command = `headway setup ${left.agent}`
    const next =
      left.agent === agent?.id
        ? `This run ${context.values.undo ? "undoes it" : "completes it"}.`
        : `"${command}" completes it, "${command} --undo" undoes it.`
    say(context.io, `An earlier "${command}" was interrupted; its temporary files are gone. ${next}`)
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause
    say(context.io, `The files of an earlier set-up could not be removed: ${cause.message}.`)
  }
}

export const launcherFor = (context: Context, scope: Scope): Promise<Launcher> =>
  findLauncher({
    ...whereOf(context),
    bin: ownBin(),
    node: process.execPath,
    version,
    platform: process.platform,
    isForOthers: scope === "project",
  })

/** The command line for frequent calls. */
export const quickWordsOf = (launcher: Launcher): readonly string[] =>
  quickWords(launcher, ownScript(), process.platform)

export const scopeOf = (context: SetupContext): Scope => {
  const { scope = "user" } = context.values
  const { project, home } = whereOf(context)
  if (scope === "user" || project !== home) return scope
  throw new HeadwayError("usage", "This is your home, not a project. Go to the project, or leave out --scope.")
}

/** `--name` wants a part, `--no-name` does not; without either it is as it is by default. */
const wishOf = ({ values }: SetupContext, name: "mcp" | "hooks" | "status-line", standard: Wish): Wish => {
  if (values[name] && values[`no-${name}`]) {
    throw new HeadwayError("usage", `Give --${name} or --no-${name}, not both.`)
  }
  if (values[name]) return "set"
  return values[`no-${name}`] ? "remove" : standard
}

export const choicesOf = (context: SetupContext, agent: Agent): Choices => {
  const { values } = context
  const hooks = wishOf(context, "hooks", agent.hooks ? "set" : "leave")
  const statusLine = wishOf(context, "status-line", "leave")
  if (values["let-stop"] && (!agent.hooks || agent.isNeverHeld))
    throw missing(agent, "hooks that could send it back to work")
  if (values["let-stop"] && hooks !== "set")
    throw new HeadwayError("usage", "--let-stop only affects hooks: add --hooks, or leave it out.")
  const { native = "leave" } = values
  if (values.hooks && !agent.hooks) throw missing(agent, "hooks that call a command")
  if (values.ask && !canAsk(agent, whereOf(context), scopeOf(context)))
    throw missing(agent, "setting for that: it decides itself whether to ask")
  if (values["status-line"] && !agent.statusLine) throw missing(agent, "status line that calls a command")
  if (native !== "leave" && !agent.native[native]) {
    const typed = agent.native.byHand?.[native]
    throw new HeadwayError("usage", `${agent.title} has its own switch for its list${typed ? `: ${typed}` : ""}.`)
  }
  const [letsStop, isGated] = [values["let-stop"] === true, values.gate === true]
  const mcp = wishOf(context, "mcp", "set")
  return { mcp, hooks, letsStop, isGated, statusLine, native, isTrusted: values.ask !== true }
}

/** Whether our configuration decides if the agent asks before it calls our tool. */
export const canAsk = (agent: Agent, where: Where, scope: Scope): boolean => {
  const server = (isTrusted: boolean) => agent.server({ words: [], isTrusted }, where, scope)
  return !isSame(server(true), server(false))
}

const missing = (agent: Agent, what: string): HeadwayError =>
  new HeadwayError("usage", `${agent.title} has no ${what}.`)

/** Where the agent asks a server that runs, if that is wanted. The token in it is the person's: no file of a project gets it. */
const httpOf = (context: SetupContext): Calls["http"] => {
  const { values } = context
  if (values.http !== true) {
    if (values.port === undefined) return undefined
    throw new HeadwayError("usage", "--port only works with --http.")
  }
  if (scopeOf(context) === "project") {
    throw new HeadwayError(
      "usage",
      "--http writes your token into the configuration, and a project's configuration is shared: leave out --scope project.",
    )
  }
  if (values["no-mcp"]) throw new HeadwayError("usage", "--http connects the tool: leave out --no-mcp.")
  const served = (["dialect", "level", "gate"] as const).find((name) => values[name] !== undefined)
  if (served) throw new HeadwayError("usage", `With --http, give --${served} to "headway serve".`)
  const { port = defaultPort } = values
  if (port === 0)
    throw new HeadwayError(
      "usage",
      '--port 0 picks another port each time: choose a fixed one, also for "headway serve".',
    )
  const home = homeOf(context)
  const token = values["dry-run"] === true ? (readToken(home) ?? "") : loadToken(home)
  return { url: `http://127.0.0.1:${port}/mcp`, token }
}

/** The calls as they are written down, with the options that make them find the same plans as this call does. */
export const callsOf = (context: SetupContext, agent: Agent, launcher: Launcher): Calls => {
  const { io, values } = context
  const { level, dialect, store } = values
  if (dialect) findDialectWithTools(dialect)
  if (store && isElsewhere(store)) readAddress(store)
  const isMoved = Boolean(values.home || io.env.HEADWAY_HOME)
  const common = [
    ...(isMoved ? ["--home", homeOf(context)] : []),
    ...(values.project ? ["--project"] : []),
    // Without a password: the configuration of an agent is copied and shared.
    ...(store ? ["--store", shownUrl(store)] : []),
  ]
  const gate = values.gate ? ["--gate"] : []
  const server = [...(dialect ? ["--dialect", dialect] : []), ...(level ? ["--level", level] : []), ...gate]
  const quick = quickWordsOf(launcher)
  const line = (...words: string[]): string => shellLine([...quick, ...words, ...common], process.platform)
  return {
    server: [...launcher.words, "mcp", ...server, ...common],
    http: httpOf(context),
    hook: line("hook", agent.id, ...(values["let-stop"] ? ["--let-stop"] : []), ...(agent.gateHooks ? gate : [])),
    statusLine: line("statusline"),
  }
}
