/** Who calls an MCP tool, as far as the client says: each names its session in its own way, some not at all. */

export type Caller = {
  /** As agents are named everywhere; absent for a client nobody knows. */
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
  { agentType: "qwen-code", name: "qwen" },
  { agentType: "oh-my-pi", name: "omp" },
]

export const callerOf = (client: string | undefined, env: Env, meta: Meta = {}): Caller => {
  const known = clients.find(({ name }) => client?.toLowerCase().startsWith(name))
  const session = text(known?.session?.(env, meta))
  const agent = session === undefined ? undefined : text(known?.agent?.(meta))
  const callId = text(known?.callId?.(meta))
  return {
    ...(known ? { agentType: known.agentType } : {}),
    ...(session === undefined ? {} : { session }),
    ...(agent === undefined || agent === session ? {} : { agent }),
    ...(callId === undefined ? {} : { callId }),
  }
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)
