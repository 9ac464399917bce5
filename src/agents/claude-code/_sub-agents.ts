/** Finds the agent of each line in a Claude Code session file, in all three layouts for sub-agents. */
import { addTo } from "../../plan/grouped.ts"
import { type Fields, subAgentNamed, textOf } from "../../streams/line.ts"
import type { SessionSignal } from "../../streams/stream.ts"

type Parent = NonNullable<SessionSignal["parent"]>
/** The task and the kind of a sub-agent. */
type Order = { title?: string; role?: string }
type Owner = { agent: string; parent?: Parent | undefined; order?: Order | undefined }

/**
 * Sub-agents with an id have their own file: at first next to the session's, later in a folder under it. The first
 * layout has no ids: a sub-agent's lines are in the session's file, each names the line before it, and the first one
 * has the prompt of the call that started the sub-agent.
 */
export const createSidechains = (warmUps: readonly string[] = []) => {
  const spawned = new Map<string, Order>()
  const expected = new Map<string, string[]>()
  const owners = new Map<string, Owner>()
  const startedBy = new Map<string, string>()
  const idle = new Set<string>(warmUps)
  let last: Owner = { agent: "sidechain", parent: { agent: "main" } }

  const begin = (prompt: string, uuid: string | undefined): Owner => {
    const callId = expected.get(prompt)?.shift()
    const agent = subAgentNamed(callId ?? uuid ?? "sidechain")
    if (callId !== undefined) startedBy.set(callId, agent)
    if (callId === undefined) return { agent, parent: { agent: "main" } }
    return { agent, parent: { agent: "main", callId }, order: spawned.get(callId) }
  }

  const inChain = (line: Fields, words: () => string): Owner => {
    const [uuid, parent] = [textOf(line.uuid), textOf(line.parentUuid)]
    last = parent === undefined ? begin(words(), uuid) : (owners.get(parent) ?? last)
    if (uuid !== undefined) owners.set(uuid, last)
    return last
  }

  return {
    /** Agents that the client started by itself. */
    warmUps: (): string[] => [...idle],
    /** A call has started a sub-agent with this prompt. */
    expect(callId: string, prompt: string, order: Order): void {
      if (spawned.has(callId)) return
      spawned.set(callId, order)
      addTo(expected, prompt, callId)
    },
    /** The task of the sub-agent that a call has started. */
    orderOf: (callId: string): Order => spawned.get(callId) ?? {},
    /** The sub-agent that a call has started: the one that its result names, or one in this file. */
    startedBy: (callId: string, named: string | undefined): string | undefined =>
      spawned.has(callId) ? (named === undefined ? startedBy.get(callId) : subAgentNamed(named)) : undefined,
    /**
     * The agent of a line. Undefined for the warm-up agents that clients with the second layout start by themselves.
     */
    speakerOf(line: Fields, words: () => string): Owner | undefined {
      if (line.isSidechain !== true) return { agent: "main" }
      const id = textOf(line.agentId)
      if (id === undefined) return inChain(line, words)
      const agent = subAgentNamed(id)
      if (textOf(line.parentUuid) === undefined && words() === "Warmup") idle.add(agent)
      const session = textOf(line.sessionId)
      return idle.has(agent) ? undefined : { agent, parent: { agent: "main", ...(session ? { session } : {}) } }
    },
  }
}
