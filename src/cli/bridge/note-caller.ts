/**
 * Records, from a hook, which process of the agent is in which session and who makes the next call, for our server and
 * for readers.
 */
import type { Agent } from "../../agents/agent.ts"
import { announceCall, leaveCallNote } from "../../bridges/hooks/call-notes.ts"
import type { HookAgent, HookEvent } from "../../bridges/hooks/hook.ts"
import { isOwnTool } from "../../bridges/hooks/own-tool.ts"
import { findCallingProcess } from "../../home/processes/calling-process.ts"
import { noteClient } from "../../home/processes/clients.ts"
import { oneLine } from "../../plan/text/one-line.ts"
import { callTimeIn } from "../../sessions/lookup/call-time.ts"

export type NotedCaller = {
  home: string
  now: Date
  /** Where the plan of the session belongs. */
  folder: string
  /** The agent was allowed to stop at the end of its turn. @default false */
  isStopping?: boolean
}

/**
 * The client may tell none of this to our server, which the same process has started. Only for a hook, which the client
 * itself calls: any other process has other ancestors.
 */
export const noteCaller = async (
  { id, client }: Agent,
  event: HookEvent,
  { home, now, folder, isStopping = false }: NotedCaller,
): Promise<void> => {
  const { moment, tool, session, transcript } = event
  const isMain = event.agent === "main"
  const isOwnCall = moment === "call" && tool !== undefined && isOwnTool(tool.name)
  const note = { session, agent: event.agent, folder }
  if (isOwnCall && client?.callId) {
    if (tool.callId === undefined) return
    const madeAt = transcript === undefined ? undefined : await callTimeIn(transcript, id, tool.callId)
    leaveCallNote(home, tool.callId, { ...note, madeAt })
    return
  }
  if (moment === "call" && !isOwnCall) return
  const process = findCallingProcess()
  if (isOwnCall && process && !client?.session) announceCall(home, { agentType: id, process }, tool.input, note, now)
  const told = isStopping ? { told: { kind: "stopped", agent: event.agent } as const } : {}
  const noted = { session, through: "hook", isCurrent: isMain && moment !== "stop", ...told } as const
  await noteClient(home, { agentType: id, process }, noted, now)
}

/** Records the state of the agent from an event, for viewers of its session. */
export const noteAgentState = async (
  { id }: Agent,
  hooks: Pick<HookAgent, "agentState">,
  event: HookEvent,
  { home, now }: Pick<NotedCaller, "home" | "now">,
): Promise<void> => {
  const state = (await hooks.agentState?.())?.(event.given ?? {})
  if (!state) return
  const { session, agent } = event
  const client = { agentType: id, process: findCallingProcess() }
  const noted = { session, through: "hook" } as const
  if (state.kind === "goes-on") return noteClient(home, client, noted, now)
  const { kind, text } = state
  const words = text === undefined ? "" : oneLine(text)
  await noteClient(home, client, { ...noted, told: { kind, agent, ...(words === "" ? {} : { text: words }) } }, now)
}
