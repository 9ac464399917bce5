/** The turns of agents, from prompts and ends in their stream: each is reported once. */
import type { Signal } from "./stream.ts"

/** `failed` is a turn that ended with an error or an interruption. */
export type TurnState = "started" | "ended" | "failed"

export type Turn = { agent: string; state: TurnState; at?: string | undefined; error?: string | undefined }

type Activity = Extract<Signal, { type: "activity" }>

/** `asked`: nothing was done in it yet, and what else is asked belongs to it. */
type Standing = "asked" | "working" | "over"

const mostAgents = 10_000

export const createTurns = () => {
  const standings = new Map<string, Standing>()

  /** A prompt after work begins the next turn, also where the end of the one before was not said. */
  const ask = ({ agent, at }: Activity): Turn | undefined => {
    const before = standings.get(agent)
    standings.set(agent, "asked")
    return before === "asked" ? undefined : { agent, state: "started", at }
  }

  const finish = ({ agent, at, error }: Omit<Turn, "state">): Turn | undefined => {
    if (standings.get(agent) === "over") return undefined
    standings.set(agent, "over")
    return error === undefined ? { agent, state: "ended", at } : { agent, state: "failed", at, error }
  }

  return {
    take(signal: Activity): Turn | undefined {
      const { agent, kind } = signal
      if (!standings.has(agent) && standings.size >= mostAgents) return undefined
      if (kind === "prompt") return ask(signal)
      if (kind === "turn-ended" || kind === "ended") return finish(signal)
      if (standings.get(agent) === "asked") standings.set(agent, "working")
      return undefined
    },
    /** The process of these agents is gone: turns that have not ended end with it, and fail where it did. */
    end: (agents: readonly string[], error?: string): Turn[] =>
      [...new Set([...standings.keys(), ...agents])].flatMap((agent) => finish({ agent, error }) ?? []),
  }
}
