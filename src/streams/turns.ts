/** Derives the turns of agents from prompts and ends in their stream. Reports each turn once. */
import type { Signal } from "./stream.ts"

/** `failed` is a turn that ended with an error or an interruption. */
export type TurnState = "started" | "ended" | "failed"

export type Turn = { agent: string; state: TurnState; at?: string | undefined; error?: string | undefined }

type Activity = Extract<Signal, { type: "activity" }>

/** `asked`: nothing has been done in the turn yet, so further prompts belong to it. */
type TurnStage = "asked" | "working" | "over"

const mostAgents = 10_000

export const createTurns = () => {
  const stages = new Map<string, TurnStage>()

  /** A prompt after work begins the next turn, even if the end of the previous one was not reported. */
  const ask = ({ agent, at }: Activity): Turn | undefined => {
    const before = stages.get(agent)
    stages.set(agent, "asked")
    return before === "asked" ? undefined : { agent, state: "started", at }
  }

  const finish = ({ agent, at, error }: Omit<Turn, "state">): Turn | undefined => {
    if (stages.get(agent) === "over") return undefined
    stages.set(agent, "over")
    return error === undefined ? { agent, state: "ended", at } : { agent, state: "failed", at, error }
  }

  return {
    take(signal: Activity): Turn | undefined {
      const { agent, kind } = signal
      if (!stages.has(agent) && stages.size >= mostAgents) return undefined
      if (kind === "prompt") return ask(signal)
      if (kind === "turn-ended" || kind === "ended") return finish(signal)
      if (stages.get(agent) === "asked") stages.set(agent, "working")
      return undefined
    },
    /** Ends the open turns of these agents because their process has ended, with its error if it failed. */
    end: (agents: readonly string[], error?: string): Turn[] =>
      [...new Set([...stages.keys(), ...agents])].flatMap((agent) => finish({ agent, error }) ?? []),
  }
}
