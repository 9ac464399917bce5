/** What is known of all agents, loaded at once: tests ask for it by name and at once. */
import {
  agentNamed,
  type agents,
  allAgents,
  loadConnectedAgents,
  loadSources,
  loadStreams,
  type StreamId,
  streamIds,
} from "../../src/agents/index.ts"
import type { HookAgent } from "../../src/bridges/hooks/hook.ts"
import type { Agent } from "../../src/bridges/setup/agent-settings.ts"
import type { Source } from "../../src/sessions/source.ts"
import type { Stream } from "../../src/streams/stream.ts"

type WithPart<Part extends string> = {
  [Id in keyof typeof agents]: Part extends keyof (typeof agents)[Id] ? Id : never
}[keyof typeof agents]

export { type StreamId, streamIds }

const byId = new Map((await loadStreams("auto")).map((stream) => [stream.id, stream]))

export const streams = Object.fromEntries(byId) as Record<StreamId, Stream>

/** As `loadStreams`, at once. */
export const streamsOf = (name: string): readonly Stream[] => {
  const one = byId.get(name)
  const all = [...byId.values()]
  return one ? [one] : name === "auto" ? all : all.filter(({ agentType }) => agentType === agentNamed(name)?.id)
}

export const sources = (await loadSources()) as Record<WithPart<"sessions">, Source>

export const connectedAgents = Object.fromEntries(
  (await loadConnectedAgents()).map((agent) => [agent.id, agent]),
) as Record<WithPart<"settings">, Agent>

const hooks = allAgents.flatMap(({ id, hooks: load }) => (load ? [load().then((one) => [id, one] as const)] : []))

export const hookAgents = Object.fromEntries(await Promise.all(hooks)) as Record<WithPart<"hooks">, HookAgent>
