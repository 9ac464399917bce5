/** The contract of a hook: the events of an agent, and the possible replies. Read this first. */

/**
 * The moments that matter: a session begins or is resumed, the person sends a prompt, a tool is about to run, a tool has run, a task is
 * about to be ticked off, the agent wants to stop, or it reports its state: it asks the person something, has failed, or
 * leaves the session.
 */
export type Moment = "start" | "prompt" | "call" | "tool" | "done" | "stop" | "state"

export type HookEvent = {
  moment: Moment
  /** The agent's name of the event; the reply has to repeat it. */
  name: string
  session: string
  /** `main`, or a sub-agent's id. */
  agent: string
  cwd?: string
  /** Why a session begins: with `compact` or `resume` the model has lost sight of the list. */
  restored?: "compact" | "resume"
  prompt?: string
  /** With `isRefused` the agent's own tool did not accept the call. `modelId` is its id in the session's file, if that is another. */
  tool?: { name: string; input: unknown; result?: unknown; callId?: string; modelId?: string; isRefused?: true }
  /** The agent is continuing because it was not allowed to stop. */
  isGuardActive: boolean
  /** The agent asked the person something, or waits for work it left running. */
  isWaiting: boolean
  isPlanMode: boolean
  /** With `done`: the task as the agent knows it. */
  task?: { id: string; subject: string }
  /** With `stop`, with `tool` for its own list tool and with `call` for ours: the file the session is written to. */
  transcript?: string
  /** With `state`: all fields of the event as they came. */
  given?: Readonly<Record<string, unknown>>
}

/** The state in an agent's event: it asks, has failed, or has ended; `goes-on`: it received its reply. */
export type AgentState = { kind: "permission" | "question" | "failed" | "ended"; text?: string } | { kind: "goes-on" }

/** Undefined where the event says nothing about it. */
export type ReadAgentState = (given: Readonly<Record<string, unknown>>) => AgentState | undefined

export type HookAnswer = {
  /** For the model, at the next natural place. */
  context?: string
  /** Why the agent should not stop yet. */
  holds?: string
  /** For the person. */
  message?: string
}

export interface HookAgent {
  agentType: string
  /** The agent's names of the moments; others are not ours. */
  moments: Readonly<Record<string, Moment>>
  /** Its own list tools, and the dialect of each. */
  listTools: Readonly<Record<string, string>>
  /** List tools whose list a sub-agent shares with its parent. */
  sharedTools?: readonly string[]
  /** How its models know our own tool. */
  ownTool: string
  /** The same where our plugin brought it, if that is another name. */
  pluginTool?: string
  /** Where its prompt event has the person's own words, if it also comes when the person has said nothing (default `prompt`). */
  promptField?: string
  /** Where an event about a sub-agent has its session, if `session_id` then is the sub-agent's own. */
  rootField?: string
  /** The variable with the folder its client was started in, if it passes one to its hooks: `cwd` may be another by now. */
  projectVariable?: string
  /** Whether an event is irrelevant here. */
  isPassedOver?(event: Readonly<Record<string, unknown>>): boolean
  /** Whether its own list tool refused the call that an event is about. Its session files are read by the same rule. */
  isRefused?(event: Readonly<Record<string, unknown>>): boolean
  /** The file of a sub-agent, if the event names only that of the session. */
  subAgentFile?(session: string, agent: string): string
  /** The result of a tool call, where the event wraps it (default `tool_response`). */
  resultOf?(event: Readonly<Record<string, unknown>>): unknown
  /** Its last message, if the stop event does not contain it. */
  lastWords?(event: Readonly<Record<string, unknown>>): Promise<string | undefined>
  /** Its hooks may not tell all that happens to its list: before it is sent back to work, its session files are read. */
  isListInFiles?: boolean
  /** It cannot be sent back to work when it stops. */
  isNeverHeld?: boolean
  /** Reads the rare events that report its state. */
  agentState?: () => Promise<ReadAgentState>
  /** What goes to standard output; undefined says nothing. */
  answer(event: Pick<HookEvent, "name" | "moment">, answer: HookAnswer): unknown
}
