/** Turns signals into unified events: changed lists, confirmations, and turns. */
import { createUnconfirmed } from "./_unconfirmed.ts"
import { createEvents, type EventContext, type StreamEvent } from "./events.ts"
import { createObserver, type ObservedAgent } from "./observe.ts"
import type { Signal } from "./stream.ts"
import { createTurns, type Turn } from "./turns.ts"

export type UnifierOptions = {
  now: () => Date
  onEvent: (event: StreamEvent) => void
  /** The agent's name in a run of several agents; every event contains it. */
  member?: string | undefined
  /**
   * Reports a list only when the results of its calls have arrived, so that a refused call is never reported. Otherwise a
   * list is reported with its call, as unconfirmed. @default false
   */
  confirmed?: boolean | undefined
  /** Called with an agent whose list has changed once the results of its calls have arrived, even if no event reports it. */
  onList?: (agent: ObservedAgent) => void
  /** Returns one word about the evidence for each todo of an agent, by its id. */
  evidenceOf?: ((agent: string) => ReadonlyMap<string, string>) | undefined
  /** Called with each turn that begins or ends, before its event. */
  onTurn?: (turn: Turn) => void
}

export type Unifier = ReturnType<typeof createUnifier>

export const createUnifier = (options: UnifierOptions) => {
  const { now, onEvent, member, confirmed = false, onList, onTurn, evidenceOf } = options
  const observer = createObserver()
  const events = createEvents({ now, member })
  const turns = createTurns()
  const unconfirmed = createUnconfirmed()
  /** Agents whose list has changed and is not confirmed yet. */
  const changed = new Set<string>()
  /** The confirmed lists that were reported, by agent. */
  const told = new Map<string, string>()

  const sessionOf = (agent?: ObservedAgent): string | undefined =>
    observer.agents.get("main")?.about.session ?? agent?.about.session

  const contextOf = (agent: string, agentType: string): EventContext => {
    const observed = observer.agents.get(agent)
    return { agentType, session: sessionOf(observed), parent: observed?.about.parent?.agent }
  }

  const tellList = (agent: ObservedAgent, agentType: string): void => {
    const isUnconfirmed = unconfirmed.has(agent.agent)
    const evidence = evidenceOf?.(agent.agent)
    const event = events.list(agent, { ...contextOf(agent.agent, agentType), isUnconfirmed, evidence })
    if (event) onEvent(event)
  }

  const tellTurn = (turn: Turn, agentType: string): void => {
    onTurn?.(turn)
    onEvent(events.turn(turn, contextOf(turn.agent, agentType)))
  }

  /** Reports lists that no longer wait for a result. */
  const settle = (agentType: string): void => {
    for (const name of changed) {
      const agent = observer.agents.get(name)
      if (!agent || unconfirmed.has(name)) continue
      changed.delete(name)
      if (confirmed) tellList(agent, agentType)
      if (!onList) continue
      const list = JSON.stringify(agent.plan?.todos ?? [])
      if (list === (told.get(name) ?? "[]")) continue
      told.set(name, list)
      onList(agent)
    }
  }

  return {
    observer,
    /** The session, if known. */
    get session() {
      return sessionOf()
    },
    /** Takes the signals of one line, which belong together. */
    take(signals: readonly Signal[], agentType: string): void {
      const answered = new Set(signals.flatMap((signal) => (signal.type === "result" ? [signal.callId] : [])))
      const untold = new Set<ObservedAgent>()
      for (const signal of signals) {
        for (const agent of observer.take(signal)) {
          changed.add(agent.agent)
          untold.add(agent)
        }
        unconfirmed.saw(signal)
        // A call whose result is on the same line is reported with it.
        const waits = confirmed || (signal.type === "call" && answered.has(signal.call.callId))
        if (!waits) for (const agent of untold) tellList(agent, agentType)
        if (!waits) untold.clear()
        const turn = signal.type === "activity" ? turns.take(signal) : undefined
        if (!turn) continue
        settle(agentType)
        tellTurn(turn, agentType)
      }
      if (changed.size > 0) settle(agentType)
    },
    /** Ends the stream: pending calls count as accepted. */
    end(agentType: string): void {
      observer.end()
      unconfirmed.clear()
      settle(agentType)
    },
    /** Ends all open turns because the process of all agents has ended, with its error if it failed. */
    endTurns(agentType: string, error?: string): void {
      const listed = [...observer.agents.values()].flatMap(({ agent, plan }) => (plan ? [agent] : []))
      const ended = turns.end(listed, error)
      // Sub-agents' turns end before the main agent's.
      const isMain = ({ agent }: Turn): boolean => agent === "main"
      for (const turn of [...ended.filter((one) => !isMain(one)), ...ended.filter(isMain)]) tellTurn(turn, agentType)
    },
  }
}
