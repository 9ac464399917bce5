/** Identifies the caller of an MCP tool: clients name their session in different ways, some not at all. */
import { createHash } from "node:crypto"
import type { Agent, Meta } from "../../agents/agent.ts"
import { allAgents } from "../../agents/index.ts"
import { sanitise } from "../../plan/index.ts"
import { subAgentNamed } from "../../streams/sub-agent-name.ts"

export type Caller = {
  /** As agents are named everywhere; an unknown client has the name it gives itself. */
  agentType?: string
  /** The client's own session. Without it the plan is found by the project. */
  session?: string
  /** The session is the one that the client's process began with. It may be in another one by now. */
  isFromStart?: boolean
  /** A sub-agent in that session; absent for the main one. */
  agent?: string
  /** Where the plan of that session belongs: from the client's hook, its address or its roots. */
  folder?: string | undefined
  /** Used to count a call only once if it is also seen in a hook. */
  callId?: string
}

type Env = Readonly<Record<string, string | undefined>>

const findAgent = (client: string | undefined): Agent | undefined =>
  allAgents.find((agent) => agent.client && client?.toLowerCase().startsWith(agent.client.name))

/** Whether the model would read everything twice, if both forms of a result were sent. */
export const showsBoth = (client: string | undefined): boolean => findAgent(client)?.client?.showsBoth ?? false

export const callerOf = (client: string | undefined, env: Env, meta: Meta = {}): Caller => {
  const sender = findAgent(client)
  const known = sender?.client
  const session = text(known?.session?.(env, meta))
  const isFromStart = session !== undefined && text(known?.session?.({}, meta)) === undefined
  const agent = session === undefined ? undefined : text(known?.agent?.(meta))
  const callId = text(known?.callId?.(meta))
  const agentType = sender?.id ?? text(sanitise(client ?? "").slice(0, 60))
  return {
    ...(agentType === undefined ? {} : { agentType }),
    ...(session === undefined ? {} : { session }),
    ...(isFromStart ? { isFromStart } : {}),
    ...(agent === undefined || agent === session ? {} : { agent: subAgentNamed(agent) }),
    ...(callId === undefined ? {} : { callId }),
  }
}

/**
 * What identifies an agent among those that write to one plan: its session, which lasts longer than its server, or else its
 * connection. A session may be a text of any length.
 */
export const clientIdOf = ({ agentType = "", session, agent = "" }: Caller, connection: string): string =>
  createHash("sha256")
    .update(JSON.stringify(session === undefined ? [connection] : [agentType, session, agent]))
    .digest("hex")
    .slice(0, 16)

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)
