/** The table of agents, with one row for each. Everything else about an agent is in its folder. */
import type { Agent as ConnectedAgent } from "../bridges/setup/agent-settings.ts"
import { HeadwayError } from "../plan/headway-error.ts"
import type { Source } from "../sessions/source.ts"
import type { Stream } from "../streams/stream.ts"
import { acp } from "./acp/index.ts"
import type { Agent } from "./agent.ts"
import { atif } from "./atif/index.ts"
import { claudeCode } from "./claude-code/index.ts"
import { cline } from "./cline/index.ts"
import { continueCli } from "./continue-cli/index.ts"
import { cursor } from "./cursor/index.ts"
import { githubCopilot } from "./github-copilot/index.ts"
import { googleGemini } from "./google-gemini/index.ts"
import { grok } from "./grok/index.ts"
import { headway } from "./headway/index.ts"
import { kilo } from "./kilo/index.ts"
import { kimiCode } from "./kimi-code/index.ts"
import { ohMyPi } from "./oh-my-pi/index.ts"
import { openaiCodex } from "./openai-codex/index.ts"
import { opencode } from "./opencode/index.ts"
import { pi } from "./pi/index.ts"
import { qwenCode } from "./qwen-code/index.ts"

/** If two formats recognise a stream, the first one in this order wins. */
export const agents = {
  "claude-code": claudeCode,
  "openai-codex": openaiCodex,
  "google-gemini": googleGemini,
  opencode,
  kilo,
  "github-copilot": githubCopilot,
  pi,
  "oh-my-pi": ohMyPi,
  "continue-cli": continueCli,
  cline,
  "qwen-code": qwenCode,
  "kimi-code": kimiCode,
  grok,
  cursor,
  acp,
  atif,
  headway,
} as const satisfies Record<string, Agent>

export type AgentType = keyof typeof agents

export const allAgents: readonly Agent[] = Object.values(agents)

/** The agent of that name, long or short. */
export const agentNamed = (name: string): Agent | undefined =>
  allAgents.find(({ id, shortNames }) => id === name || shortNames.includes(name))

/** The short name of an agent: `codex`. Undefined if its id is the shortest. */
export const shortNameOf = (id: string): string | undefined =>
  agentNamed(id)?.shortNames.find((name) => name.length < id.length)

export type StreamId = { [Id in AgentType]: keyof (typeof agents)[Id]["streams"] }[AgentType]

/** The ids of all formats, in the order in which they are tried. */
export const streamIds = allAgents.flatMap(({ streams }) => Object.keys(streams)) as readonly StreamId[]

export const loadStream = async (id: string): Promise<Stream | undefined> => {
  const agent = allAgents.find(({ streams }) => Object.hasOwn(streams, id))
  return agent?.streams[id]?.()
}

/** The formats that a name denotes: one by its id, or all of an agent. `auto` denotes all formats. */
export const loadStreams = async (name: string): Promise<readonly Stream[]> => {
  const one = await loadStream(name)
  if (one) return [one]
  const agent = agentNamed(name)
  const meant = name === "auto" ? allAgents : agent ? [agent] : []
  if (meant.length > 0) return Promise.all(meant.flatMap(({ streams }) => Object.values(streams).map((load) => load())))
  const names = allAgents.map(({ id }) => id).join(", ")
  throw new HeadwayError(
    "unknown-stream",
    `There is no stream "${name}". Use auto, one of ${names}, or one of ${streamIds.join(", ")}.`,
  )
}

/** Whether an agent stores session files on this machine. */
export const leavesSessions = (agentType: string | undefined): boolean =>
  agentType !== undefined && agentNamed(agentType)?.sessions !== undefined

/** Where the sessions of all agents are, by agent. */
export const loadSources = async (): Promise<Readonly<Record<string, Source>>> => {
  const loaded = allAgents.flatMap(({ id, sessions }) =>
    sessions ? [sessions().then((one) => [id, one] as const)] : [],
  )
  return Object.fromEntries(await Promise.all(loaded))
}

/** The agents that have hooks, by their names. */
export const hookAgentIds: readonly string[] = allAgents.flatMap(({ id, hooks }) => (hooks ? [id] : []))

/** The names of the agents that can be connected. */
export const connectedAgentIds: readonly string[] = allAgents.flatMap(({ id, settings }) => (settings ? [id] : []))

/** The agents that can be connected. */
export const loadConnectedAgents = async (): Promise<ConnectedAgent[]> =>
  (await Promise.all(allAgents.map(loadSettings))).flatMap((agent) => agent ?? [])

/** The agent of that name with its settings; throws for an unknown name, listing the known ones. */
export const loadConnectedAgent = async (name: string): Promise<ConnectedAgent> => {
  const agent = agentNamed(name)
  const found = agent && (await loadSettings(agent))
  if (found) return found
  const names = allAgents.flatMap(({ id, shortNames: [short], settings }) =>
    settings ? [short ? `${id} (${short})` : id] : [],
  )
  const why = agent
    ? `${agent.title} cannot be connected; the board shows its sessions without that.`
    : `There is no agent "${name}".`
  throw new HeadwayError("usage", `${why} The agents are: ${names.join(", ")}.`)
}

const loadSettings = async ({
  id,
  title,
  shortNames,
  program = id,
  packages = [],
  settings,
}: Agent): Promise<ConnectedAgent | undefined> =>
  settings && { id, title, shortNames, program, packages, ...(await settings()) }
