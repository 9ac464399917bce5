/** `headway setup`: connects an agent through its own configuration, shows every change, and takes it back. */
import { type Agent, type Scope, scopes } from "../../bridges/agents/agent.ts"
import { agents, findAgent } from "../../bridges/agents/index.ts"
import { findInstalled } from "../../bridges/doctor/agent-version.ts"
import { inspectParts, isFound } from "../../bridges/doctor/inspect.ts"
import { commitChanges } from "../../bridges/setup/commit.ts"
import { diffText } from "../../bridges/setup/diff-text.ts"
import type { Launcher } from "../../bridges/setup/launcher.ts"
import { type Prepared, prepareSetup, prepareUndo } from "../../bridges/setup/prepare.ts"
import { loadRecords } from "../../bridges/setup/record.ts"
import { type Choices, wishesFor } from "../../bridges/setup/wishes.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/sanitise.ts"
import { callsOf, canAsk, choicesOf, launcherFor, personalHome, scopeOf, whereOf } from "../agent-setup.ts"
import type { Command, Context } from "../command.ts"
import { printJson } from "../plan-json.ts"
import { say } from "../say.ts"
import { tableText } from "../table.ts"
import { wrap } from "../wrap.ts"

export const setup: Command = {
  usage: "setup [AGENT] [--dry-run] [--undo] [--scope user|project]",
  about:
    "Connects an agent to Headway by changing its own configuration: shows the exact change, keeps a backup, can be undone. Without AGENT it says which are here.",
  maxWords: 1,
  options: {
    "dry-run": { type: "boolean", about: "show the change and make none" },
    undo: { type: "boolean", about: "take back what set-up did" },
    scope: {
      type: "string",
      value: "SCOPE",
      about: `${scopes.join(" or ")}: your own configuration (default), or the one in this repository`,
    },
    mcp: { type: "boolean", about: "give the agent our todo tool, over MCP (default)" },
    "no-mcp": { type: "boolean", about: "take the tool out" },
    hooks: {
      type: "boolean",
      about: "hear its list and give the plan back, through hooks (default where it has them)",
    },
    "no-hooks": { type: "boolean", about: "take the hooks out" },
    "status-line": { type: "boolean", about: "show the plan in its status line" },
    "no-status-line": { type: "boolean", about: "take the status line out" },
    native: { type: "string", value: "STATE", about: "on, off or leave (default): the agent's own list tool" },
    dialect: { type: "string", value: "D", about: "the words our tool speaks (default headway)" },
    level: { type: "string", value: "LEVEL", about: "how much the model is told: off, quiet (default), full" },
    ask: { type: "boolean", about: "let the agent ask before it calls our tool" },
  },
  examples: [
    "headway setup",
    "headway setup claude-code --dry-run",
    "headway setup codex --native on",
    "headway setup gemini --no-hooks --scope project",
    "headway setup claude --undo",
  ],
  async run(context) {
    const [name] = context.words
    if (name === undefined) return listAgents(context)
    const agent = findAgent(name)
    return context.values.undo ? undo(context, agent) : connect(context, agent)
  },
}

const connect = async (context: Context, agent: Agent): Promise<number> => {
  const scope = scopeOf(context)
  const launcher = await launcherFor(context, scope)
  const where = whereOf(context)
  const { version } = (agent.inSight && (await findInstalled(agent, where))) ?? {}
  const choices = { ...choicesOf(context, agent, launcher), ...(version === undefined ? {} : { version }) }
  const calls = callsOf(context, agent, launcher)
  const records = loadRecords(personalHome(context))
  const prepared = prepareSetup({ agent, scope, where, records }, wishesFor(agent, choices, calls, where, scope))
  const rows = explanations(agent, scope, launcher, choices, canAsk(agent, where, scope))
  if (!isFound(agent, where))
    say(context.io, `${agent.title} was not found here; its configuration is made ready for it.`)
  if (!context.values.json) explain(context, `${agent.title}, ${scopeText[scope]}:`, rows)
  const done = finish(context, agent, prepared, "is already set up like this")
  const after = agent.afterwards?.[scope]
  if (done === "changed" && after && !context.values.json) say(context.io, after)
  return 0
}

const undo = (context: Context, agent: Agent): number => {
  const { values } = context
  const other = [
    "mcp",
    "no-mcp",
    "hooks",
    "no-hooks",
    "status-line",
    "no-status-line",
    "native",
    "dialect",
    "level",
    "ask",
  ]
  const given = other.find((name) => values[name] !== undefined)
  if (given) throw new HeadwayError("usage", `--undo takes everything back; leave out --${given}.`)
  const scope = scopeOf(context)
  const records = loadRecords(personalHome(context))
  finish(
    context,
    agent,
    prepareUndo({ agent, scope, where: whereOf(context), records }),
    "has nothing of Headway in it",
  )
  return 0
}

const scopeText: Record<Scope, string> = {
  user: "for you, in every project",
  project: "for everyone who works in this repository",
}

/** Shows the change, makes it unless it is only to be shown, and says what happened. */
const finish = (context: Context, agent: Agent, prepared: Prepared, none: string): "changed" | "unchanged" => {
  const { io, values } = context
  const { files, warnings } = prepared
  const isDry = values["dry-run"] === true
  const isUndo = values.undo === true
  const backups =
    isDry || files.length === 0 ? [] : commitChanges(files, { home: personalHome(context), now: io.now() })
  for (const warning of warnings) say(io, warning)
  if (values.json) {
    const changed = files.map((file) => ({ path: file.content.path, diff: diffText(file) }))
    io.out(printJson({ agent: agent.id, changed, applied: !isDry && files.length > 0, backups, warnings }))
    return files.length > 0 ? "changed" : "unchanged"
  }
  for (const file of files) io.out(diffText(file))
  if (files.length === 0) say(io, `${agent.title} ${none}.`)
  else if (isDry) say(io, "Nothing was changed (--dry-run).")
  else if (isUndo) for (const file of files) say(io, undoneText(file))
  else say(io, `Done. Take it back with "headway setup ${agent.id} --undo"; see how it works with "headway doctor".`)
  return files.length > 0 ? "changed" : "unchanged"
}

const undoneText = ({ content, bytes, isExact }: Prepared["files"][number]): string => {
  if (bytes === undefined) return `Removed ${content.path}, which set-up had made.`
  if (isExact) return `${content.path} is as it was before.`
  return `${content.path} was changed by others since, so only Headway's parts were taken out.`
}

type Row = readonly [what: string, about: string]

const explanations = (agent: Agent, scope: Scope, launcher: Launcher, choices: Choices, mayAsk: boolean): Row[] => [
  ["called", `${launcher.words.join(" ")}: ${launcher.reason}`],
  ["tool", toolText(choices)],
  ...(mayAsk && choices.mcp === "set"
    ? [
        [
          "asking",
          choices.isTrusted ? "the agent may call it without asking (--ask: be asked)" : "the agent asks first",
        ] as Row,
      ]
    : []),
  ["hooks", hooksText(agent, launcher, choices)],
  ...(agent.statusLine ? [["status line", lineText(choices)] as Row] : []),
  ["own list", nativeText(agent, choices)],
  ...(scope === "project" && launcher.kind === "path"
    ? [["others", "everyone here needs headway on their PATH"] as Row]
    : []),
]

const toolText = ({ mcp }: Choices): string =>
  mcp === "set" ? "gives the model a todo tool, as an MCP server (--no-mcp: without)" : "taken out"

const hooksText = (agent: Agent, launcher: Launcher, { hooks }: Choices): string => {
  if (!agent.hooks) return "it has none that call a command"
  if (hooks === "remove") return "taken out"
  if (hooks === "set")
    return "its own list is recorded, the plan comes back after compaction, your edits reach it (--no-hooks: without)"
  return launcher.kind === "npx"
    ? "left out, as npx is too slow for every step: install headway first, or ask with --hooks"
    : "left alone"
}

const lineText = ({ statusLine }: Choices): string => {
  if (statusLine === "set") return "shows the plan; one that was there comes back with --undo"
  return statusLine === "remove" ? "taken out" : "left alone (--status-line: show the plan there)"
}

const nativeText = ({ native: { tools } }: Agent, { native }: Choices): string =>
  native === "leave" ? `${tools[0]} is left alone (--native on or off)` : `${tools.join(", ")}: turned ${native}`

const explain = ({ io }: Context, title: string, rows: readonly Row[]): void => {
  const columns = io.columns ?? Number.POSITIVE_INFINITY
  const width = Math.max(...rows.map(([what]) => what.length))
  const lines = rows.map(([what, about]) => wrap(`  ${what.padEnd(width)}  ${sanitise(about)}`, columns, "    "))
  io.err(`${wrap(`headway: ${title}`, columns, "  ")}\n${lines.join("\n")}\n`)
}

const listAgents = (context: Context): number => {
  const { io, values } = context
  const where = whereOf(context)
  const scope = scopeOf(context)
  const found = Object.values<Agent>(agents).map((agent) => {
    const parts = Object.entries(inspectParts(agent, where, scope))
    const connected = parts.filter(([, { state }]) => state !== "absent").map(([part]) => part)
    return {
      agent: agent.id,
      title: agent.title,
      isFound: isFound(agent, where),
      parts: parts.map(([part]) => part),
      connected,
    }
  })
  if (values.json) {
    io.out(printJson(found))
    return 0
  }
  const cell = ({ isFound: isHere, connected }: (typeof found)[number]): string => {
    if (connected.length > 0) return `set up: ${connected.map((part) => partNames[part] ?? part).join(", ")}`
    return isHere ? "found, not set up" : "not found"
  }
  const rows = found.map((one) => [one.agent, cell(one), one.parts.map((part) => partNames[part] ?? part).join(", ")])
  io.out(
    tableText([["AGENT", "HERE", "CAN HAVE"], ...rows], io.columns ?? Number.POSITIVE_INFINITY, values.ascii === true),
  )
  io.err('headway: Set one up with "headway setup AGENT"; --dry-run shows what would change.\n')
  return 0
}

const partNames: Record<string, string> = { mcp: "tool", hooks: "hooks", statusLine: "status line" }
