/** Who calls an MCP tool, as far as the client says: each names its session in its own way, some not at all. */
import { sanitise } from "../plan/index.ts"

export type Caller = {
  /** As agents are named everywhere; a client nobody knows is called what it calls itself. */
  agentType?: string
  /** The client's own session. Without it the plan is found by the project. */
  session?: string
  /** A sub-agent in that session; absent for the main one. */
  agent?: string
  /** The same call seen twice (here and in a hook) counts once. */
  callId?: string
}

type Env = Readonly<Record<string, string | undefined>>

type Meta = Readonly<Record<string, unknown>>

/** What a client is known by, and where it says its session and the call. */
type Client = {
  agentType: string
  /** Begins like the name the client gives itself. */
  name: string
  session?: (env: Env, meta: Meta) => unknown
  agent?: (meta: Meta) => unknown
  callId?: (meta: Meta) => unknown
  /** It shows its model the text and the structure of a result, one after the other. */
  showsBoth?: boolean
}

const clients: readonly Client[] = [
  {
    agentType: "claude-code",
    name: "claude-code",
    session: ({ CLAUDE_CODE_SESSION_ID }) => CLAUDE_CODE_SESSION_ID,
    callId: (meta) => meta["claudecode/toolUseId"],
  },
  {
    agentType: "openai-codex",
    name: "codex",
    session: (_, { sessionId, threadId }) => sessionId ?? threadId,
    // A sub-agent is a thread of its own in the session of the first one.
    agent: ({ sessionId, threadId }) => (threadId === sessionId ? undefined : threadId),
    callId: ({ callId }) => callId,
  },
  { agentType: "google-gemini", name: "gemini" },
  { agentType: "opencode", name: "opencode" },
  { agentType: "qwen-code", name: "qwen", showsBoth: true },
  { agentType: "oh-my-pi", name: "omp", showsBoth: true },
]

const findClient = (client: string | undefined): Client | undefined =>
  clients.find(({ name }) => client?.toLowerCase().startsWith(name))

/** Whether the model would read everything twice, if both forms of a result were sent. */
export const showsBoth = (client: string | undefined): boolean => findClient(client)?.showsBoth ?? false

export const callerOf = (client: string | undefined, env: Env, meta: Meta = {}): Caller => {
  const known = findClient(client)
  const session = text(known?.session?.(env, meta))
  const agent = session === undefined ? undefined : text(known?.agent?.(meta))
  const callId = text(known?.callId?.(meta))
  const agentType = known?.agentType ?? text(sanitise(client ?? "").slice(0, 60))
  return {
    ...(agentType === undefined ? {} : { agentType }),
    ...(session === undefined ? {} : { session }),
    ...(agent === undefined || agent === session ? {} : { agent }),
    ...(callId === undefined ? {} : { callId }),
  }
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)
