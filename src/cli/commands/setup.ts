/** `headway setup`: connects an agent through its own configuration, shows every change, and can undo it. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { connectedAgentIds, loadConnectedAgent } from "../../agents/index.ts"
import { projectOf } from "../../board/project.ts"
import { assertWritable } from "../../bridges/config/config-file.ts"
import { aboutAgent } from "../../bridges/doctor/examine.ts"
import { isFound, knownOf } from "../../bridges/doctor/inspect.ts"
import type { Agent, Scope } from "../../bridges/setup/agent-settings.ts"
import { type Committed, commitChanges } from "../../bridges/setup/commit.ts"
import { diffLines, diffText } from "../../bridges/setup/diff-text.ts"
import { assertInstalled } from "../../bridges/setup/launcher.ts"
import { type Prepared, prepareSetup } from "../../bridges/setup/prepare.ts"
import { prepareUndo } from "../../bridges/setup/prepare-undo.ts"
import { type FileRecord, loadRecords } from "../../bridges/setup/record.ts"
import { wishesFor } from "../../bridges/setup/wishes.ts"
import { noteUndone } from "../../home/undone-setups.ts"
import { HeadwayError, isHeadwayError } from "../../plan/headway-error.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import { shownUrl } from "../../stores/index.ts"
import {
  callsOf,
  choicesOf,
  clearUpSetup,
  launcherFor,
  type SetupContext,
  scopeOf,
  setupOptions,
  whereOf,
} from "../bridge/agent-setup.ts"
import { ownBin } from "../bridge/own-bin.ts"
import { sessionsAt } from "../choose/sessions-here.ts"
import { wantsColour } from "../colour.ts"
import { defineCommand } from "../command.ts"
import { printAgentsHere } from "../output/agents-here.ts"
import { choicesText } from "../output/choices-text.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { homeOf } from "../place/place.ts"
import { passwordText } from "../store/store-places.ts"

export const setup = defineCommand({
  usage: "setup [AGENT] [--dry-run] [--undo] [--scope user|project] [--let-stop] [--http]",
  about:
    "Connects an agent to Headway by changing its own configuration: shows the exact change, keeps a backup, can be undone. Without AGENT it lists those found here.",
  maxWords: 1,
  firstWords: connectedAgentIds,
  options: setupOptions,
  examples: [
    "headway setup",
    "headway setup claude-code --dry-run",
    "headway setup codex --native on",
    "headway setup gemini --no-hooks --scope project",
    "headway setup claude-code --let-stop",
    "headway setup opencode --http",
    "headway setup claude --undo",
  ],
  async run(context) {
    const [name] = context.words
    const agent = name === undefined ? undefined : await loadConnectedAgent(name)
    clearUpSetup(context, agent)
    if (!agent && context.values.undo) throw new HeadwayError("usage", "Which agent? headway setup AGENT --undo")
    if (!agent) return printAgentsHere(context)
    return context.values.undo ? undo(context, agent) : connect(context, agent)
  },
})

const connect = async (context: SetupContext, agent: Agent): Promise<number> => {
  if (context.values.scope === "project" && agent.hasNoProjectFile)
    throw new HeadwayError("usage", `${agent.title} has no project configuration: leave out --scope project.`)
  assertInstalled(ownBin())
  const scope = scopeOf(context)
  const launcher = await launcherFor(context, scope)
  const where = whereOf(context)
  const { installed: _, ...about } = await aboutAgent(agent, where, await sessionsOf(context, agent))
  const { version } = about
  const choices = { ...choicesOf(context, agent), ...(version === undefined ? {} : { version }) }
  const calls = callsOf(context, agent, launcher)
  const address = calls.http?.url
  const { isChanged } = finish(context, agent, scope, {
    prepare: (records) => {
      const prepared = prepareSetup({ agent, scope, where, records }, wishesFor(agent, choices, calls, where, scope))
      if (calls.http) assertOwnFiles(prepared)
      return prepared
    },
    heading: choicesText({ agent, scope, where, about, launcher, choices, address }, context.io.columns),
    none: "is already set up like this",
    next: isFound(agent, where)
      ? `Restart ${agent.title} to use it, and check it with "headway doctor".`
      : `${agent.title} was not found on this machine; once you have installed it, it uses this.`,
  })
  if (agent.plugin?.state(knownOf(where, "user", about)) === "on")
    say(context.io, `${agent.title} also has Headway's plugin, which stays silent while this set-up is in place.`)
  const after = agent.afterwards?.[scope]
  if (isChanged && after) say(context.io, after)
  if (isChanged && calls.http) say(context.io, runText(context))
  const { store = "" } = context.values
  if (isChanged && shownUrl(store) !== store) say(context.io, passwordText)
  return 0
}

/** What its sessions say about it counts as the doctor counts it. */
const sessionsOf = async (context: SetupContext, { id }: Agent): Promise<DiscoveredSession[]> =>
  (await sessionsAt(context, undefined)).filter(({ agentType }) => agentType === id)

/** The person's own configuration may be in a repository, often by a link; there everyone who gets the repository would get the token. */
const assertOwnFiles = ({ files }: Prepared): void => {
  for (const { content } of files) {
    const root = projectOf(dirname(content.target))
    if (!existsSync(join(root, ".git"))) continue
    throw new HeadwayError(
      "shared-config",
      `${content.target} is in the repository ${root}, so your token is not written there. Set it up without --http.`,
    )
  }
}

const runText = ({ values }: SetupContext): string => {
  const port = values.port === undefined ? "" : ` --port ${values.port}`
  return `Start the server with "headway serve${port}" in the project whose plans it should keep.`
}

/** Options allowed with `--undo`, which say how to run; all others choose what to install. */
const undoOptions: readonly string[] = ["undo", "dry-run", "scope"]

const undo = (context: SetupContext, agent: Agent): number => {
  const { values } = context
  const isChoice = (name: string): boolean => Object.hasOwn(setupOptions, name) && !undoOptions.includes(name)
  const [given] = Object.entries(values).find(([name, value]) => value !== undefined && isChoice(name)) ?? []
  if (given) throw new HeadwayError("usage", `--undo removes everything; leave out --${given}.`)
  const scope = scopeOf(context)
  const where = whereOf(context)
  const { isDone } = finish(context, agent, scope, {
    prepare: (records) => prepareUndo({ agent, scope, where, records }),
    none: "has nothing from Headway in it",
  })
  if (isDone) noteUndone(homeOf(context), agent.id, context.io.now())
  return 0
}

type Work = {
  prepare: (records: readonly FileRecord[]) => Prepared
  /** What is above the change. */
  heading?: string
  /** What to say about the agent when there is nothing to do. */
  none: string
  /** What the person does to use it. */
  next?: string
}

/** Shows the change, makes it unless it is a dry run, and reports the result. */
const finish = (
  context: SetupContext,
  agent: Agent,
  scope: Scope,
  work: Work,
): { isDone: boolean; isChanged: boolean } => {
  const { io, values } = context
  const isDry = values["dry-run"] === true
  const isUndo = values.undo === true
  const { prepared, backups } = isDry ? rehearse(context, scope, work) : commit(context, agent, scope, work)
  const { files, warnings } = prepared
  const isDone = !isDry && files.length > 0
  if (work.heading !== undefined && !values.json) io.err(work.heading)
  for (const warning of warnings) say(io, warning)
  if (values.json) {
    const changed = files.map((file) => ({ path: file.content.path, diff: diffText(file) }))
    io.out(printJson({ agent: agent.id, changed, applied: isDone, backups, warnings }))
    return { isDone, isChanged: false }
  }
  // Without colour it is a patch, to the last tab and space.
  for (const file of files) io.out(wantsColour(context) ? diffLines(file) : diffText(file))
  if (files.length === 0) say(io, `${agent.title} ${work.none}.`)
  else if (isDry) say(io, "Nothing was changed (--dry-run).")
  else if (isUndo) for (const file of files) say(io, undoneText(file))
  else say(io, `Done. ${work.next} Undo it with "headway setup ${agent.id} --undo".`)
  return { isDone, isChanged: isDone }
}

/** Everything but the change: what would be refused is refused here too. */
const rehearse = (context: SetupContext, scope: Scope, { prepare }: Work): Committed => {
  const prepared = prepare(loadRecords(homeOf(context)))
  for (const { content } of prepared.files) assertWritable(content, boundsOf(context, scope))
  return { prepared, backups: [] }
}

/** An agent that runs rewrites its configuration now and then: what it wrote is read and the change made again. */
const mostTries = 5

const commit = (context: SetupContext, agent: Agent, scope: Scope, { prepare }: Work): Committed => {
  const project = boundsOf(context, scope)
  const home = { home: homeOf(context), agent: agent.id, now: context.io.now() }
  const options = project === undefined ? home : { ...home, project }
  for (let tries = 1; ; tries += 1) {
    try {
      return commitChanges(prepare, options)
    } catch (cause) {
      if (tries === mostTries || !isHeadwayError(cause) || cause.code !== "changed-meanwhile") throw cause
    }
  }
}

/** A project's files stay in it, wherever a link in it leads; a person's own may be anywhere. */
const boundsOf = (context: SetupContext, scope: Scope): string | undefined =>
  scope === "project" ? whereOf(context).project : undefined

const undoneText = ({ content, bytes, isExact }: Prepared["files"][number]): string => {
  if (bytes === undefined) return `Removed ${content.path}, which set-up had created.`
  if (isExact) return `${content.path} is as it was before.`
  return `${content.path} was changed since then, so only Headway's parts were removed.`
}
