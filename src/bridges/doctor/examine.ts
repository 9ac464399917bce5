/** Examines one agent: its version, model, own list tool, and Headway's parts in its configuration. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { isAtLeast } from "../../agents/version.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import { formatOf } from "../config/config-file.ts"
import type { Value } from "../config/edit.ts"
import { applyEdits } from "../config/edit.ts"
import { findProgram, isInside, isOutOfReach } from "../programs/find-program.ts"
import {
  type Agent,
  type Known,
  type NativeState,
  type OffHere,
  type PluginState,
  type Scope,
  type Setting,
  scopes,
  type Where,
} from "../setup/agent-settings.ts"
import { isQuick } from "../setup/launcher.ts"
import { findInstalled, type Installed } from "./agent-version.ts"
import { type Callable, type CallCheck, checkHook, checkProgram, checkServer } from "./check-calls.ts"
import { inspectParts, isFound, knownOf, type Part, type Parts } from "./inspect.ts"

/** What to write where to change something by hand. */
export type Switch = { file: string; text: string }

export type Instructions = { command: string; switches: Switch[] }

export type AgentReport = {
  agent: string
  title: string
  isFound: boolean
  program?: string
  version?: string
  model?: string
  native: {
    state: NativeState
    tools: readonly string[]
    /** What to type to turn it on or off, and what that would write. */
    on?: Instructions
    off?: Instructions
    advice?: string
  }
  /** Our plugin, where the agent can have one. */
  plugin?: PluginReport
  /** How the agent is connected. */
  connected: "set-up" | "plugin" | "both" | "no"
  /** Our parts, by configuration scope. */
  parts: Partial<Record<Scope, Parts>>
  isBroken: boolean
}

export type PluginReport = {
  state: PluginState | "broken"
  /** A sentence for the person. */
  note?: string
}

export type ExamineOptions = {
  agent: Agent
  where: Where
  /** Of this agent, in any order. */
  sessions: readonly DiscoveredSession[]
  /** Whether calls of ours that are in the person's own configuration are tried. */
  isTrying: boolean
  /** Whether set-up would make the calls that come all the time through the script that is quicker. @default false */
  hasScript?: boolean
}

export const examine = async (options: ExamineOptions): Promise<AgentReport> => {
  const { agent, where, sessions } = options
  const { installed, ...about } = await aboutAgent(agent, where, sessions)
  const { native } = agent
  const state = native.state(knownOf(where, "user", about))
  const advice = native.advice?.[state]
  const parts = await partsOf(options)
  if (parts.user) parts.user = { ...parts.user, mcp: seenPart(options, about, parts.user.mcp) }
  const plugin = pluginOf(options, about)
  const isSetUp = Object.values(parts).some((own) => Object.values(own).some(isThere))
  const hasPlugin = plugin !== undefined && plugin.state !== "absent" && plugin.state !== "off"
  return {
    agent: agent.id,
    title: agent.title,
    isFound: installed !== undefined || isFound(agent, where),
    ...(installed ? { program: installed.path } : {}),
    ...about,
    native: {
      state,
      tools: native.tools,
      ...wayOf(agent, where, "on"),
      ...wayOf(agent, where, "off"),
      ...(advice ? { advice } : {}),
    },
    ...(plugin ? { plugin } : {}),
    connected: isSetUp ? (hasPlugin ? "both" : "set-up") : hasPlugin ? "plugin" : "no",
    parts,
    isBroken:
      plugin?.state === "broken" ||
      Object.values(parts).some((own) => Object.values(own).some(({ state: one }) => one === "broken")),
  }
}

const isThere = ({ state }: Part): boolean => state !== "absent" && state !== "foreign"

const pluginOf = (options: ExamineOptions, about: { version?: string }): PluginReport | undefined => {
  const { agent, where } = options
  if (!agent.plugin) return undefined
  const state = agent.plugin.state(knownOf(where, "user", about))
  if (state !== "on") return { state }
  if (findProgram("headway", where) === undefined)
    return { state: "broken", note: 'headway is not on your PATH; run "npm install --global ." in its own folder' }
  if (!isKeptBack(options, about)) return { state }
  return { state, note: `newer models are not shown its tool; "headway setup ${agent.id}" shows it to them` }
}

const wayOf = ({ id, native }: Agent, where: Where, to: "on" | "off"): { on?: Instructions; off?: Instructions } => {
  const settings = native[to]?.(where, "user")
  const command = settings ? `headway setup ${id} --native ${to}` : native.byHand?.[to]
  return command === undefined ? {} : { [to]: { command, switches: switches(settings ?? []) } }
}

export type AboutAgent = { installed?: Installed; version?: string; model?: string }

/** What is installed counts; what the newest session of the agent said fills in. */
export const aboutAgent = async (
  agent: Agent,
  where: Where,
  sessions: readonly DiscoveredSession[],
): Promise<AboutAgent> => {
  const installed = await findInstalled(agent, where)
  const newest = sessions.toSorted((one, other) => (one.updated < other.updated ? 1 : -1))
  const version = installed?.version ?? newest.find((one) => one.version !== undefined)?.version
  const model = newest.find((one) => one.model !== undefined && one.agent === "main")?.model
  return {
    ...(installed ? { installed } : {}),
    ...(version === undefined ? {} : { version }),
    ...(model === undefined ? {} : { model }),
  }
}

const seenPart = (options: ExamineOptions, about: { version?: string }, part: Part): Part =>
  part.state === "connected" && isKeptBack(options, about)
    ? { ...part, state: "incomplete", note: "newer models are not shown the tool; set it up again" }
    : part

/** Our tool may be connected and still be kept from the model. */
const isKeptBack = ({ agent, where }: ExamineOptions, about: { version?: string }): boolean => {
  const { inSight } = agent
  if (!inSight || !about.version || !isAtLeast(about.version, inSight.since)) return false
  const { read } = knownOf(where, "user", about)
  const isListed = ({ file, path, value }: Setting): boolean => {
    const list = read(file, ...path.map(String))
    return Array.isArray(list) && list.includes(value)
  }
  return !inSight.settings(where, "user").every(isListed)
}

/** The text a person would write, made by writing it into nothing. */
const switches = (settings: readonly Setting[]): Switch[] => {
  const files = [...new Set(settings.map(({ file }) => file.path))]
  return files.map((path) => {
    const own = settings.filter(({ file }) => file.path === path)
    const format = formatOf(own[0]?.file.reads ?? "plain JSON")
    const edits = own.map(({ kind, path: place, value }) => ({
      type: kind === "listed" ? ("add" as const) : ("set" as const),
      path: place,
      value: value as Value,
    }))
    return { file: path, text: applyEdits(format, "", edits).trim() }
  })
}

const partsOf = async ({
  agent,
  where,
  isTrying,
  hasScript = false,
}: ExamineOptions): Promise<AgentReport["parts"]> => {
  const found: AgentReport["parts"] = {}
  for (const scope of scopes) {
    // In the person's home there is no project, because its files would be the same.
    if (scope === "project" && where.project === where.home) continue
    const parts = withoutOff(inspectParts(agent, where, scope), agent, knownOf(where, scope, {}))
    const isAny = Object.values(parts).some(({ state }) => state !== "absent")
    // A project's configuration may be anyone's: it is looked at, and nothing in it is run.
    const mayTry = isTrying && scope === "user" && !isOfProject(parts, where)
    if (scope === "user" || isAny) found[scope] = await checked(parts, where, mayTry)
    if (scope === "user" && hasScript) found[scope] = withAdvice(found[scope] ?? parts)
  }
  return found
}

/** Parts that are there do nothing where a setting switches them off. */
const withoutOff = (parts: Parts, agent: Agent, known: Known): Parts => {
  const off = agent.offHere?.(known) ?? {}
  const judged = (part: Part, by: OffHere["mcp"]): Part =>
    by === undefined || (part.state !== "connected" && part.state !== "incomplete")
      ? part
      : { ...part, state: "off", note: `by "${by.path.join(".")}" in ${by.file.path}` }
  const { mcp, hooks } = parts
  return { ...parts, mcp: judged(mcp, off.mcp), ...(hooks ? { hooks: judged(hooks, off.hooks) } : {}) }
}

/** A call that an earlier version wrote works, and starts Node each time. */
const withAdvice = ({ mcp, hooks, statusLine }: Parts): Parts => ({
  mcp,
  ...(hooks ? { hooks: advised(hooks) } : {}),
  ...(statusLine ? { statusLine: advised(statusLine) } : {}),
})

const advised = (part: Part): Part => {
  const { state, words = [] } = part
  if (state !== "connected" || isQuick(words)) return part
  return { ...part, note: "starts Node at every call; set it up again for a quicker call" }
}

/** A variable may have moved the person's own files into the project, where others write them. */
const isOfProject = (parts: Parts, { home, project }: Where): boolean =>
  !isInside(home, project) &&
  Object.values(parts).some(({ files }) => files.some((file: string) => isInside(resolve(file), project)))

const checked = async ({ mcp, hooks, statusLine }: Parts, where: Where, isTrying: boolean): Promise<Parts> => {
  const how = { where, isTrying }
  return {
    mcp: await checkedPart(mcp, how, "mcp", isTrying ? checkServer : undefined),
    ...(hooks ? { hooks: await checkedPart(hooks, how, "hook", isTrying ? checkHook : undefined) } : {}),
    ...(statusLine ? { statusLine: await checkedPart(statusLine, how, "statusline") } : {}),
  }
}

type Check = (call: Callable) => CallCheck | Promise<CallCheck>

const checkedPart = async (
  part: Part,
  { where, isTrying }: Pick<ExamineOptions, "where" | "isTrying">,
  command: string,
  check: Check = (call) => checkProgram(call, command),
): Promise<Part> => {
  if (!part.words || part.state === "broken") return part
  const open = isTrying ? part.files.find((file) => existsSync(file) && !isOutOfReach(file)) : undefined
  if (open !== undefined)
    return { ...part, state: "broken", note: `other users can change ${open}, so nothing in it is run` }
  const call = { words: part.words, ...where }
  const { ok, note } = await check(call)
  if (!ok) return { ...part, state: "broken", note }
  return note === "" || part.note !== undefined ? part : { ...part, note }
}
