/** The agent's work: one piece at a time, then the prompts that were queued in the meantime. */
import type { Agent } from "../../reference-agent/agent.ts"
import { replaced } from "../terminal/line-editor.ts"
import type { Stage } from "./stage.ts"
import { askedLines } from "./transcript.ts"

export type WorkOptions = {
  stage: Stage
  now: () => Date
  /** The agent, once there is one. */
  agent: () => Agent | undefined
  /** Called when nothing more is added to the agent's answer. */
  endAnswer: () => void
}

export type Work = {
  /** `doing` is what the screen calls it. */
  start(act: (agent: Agent, signal: AbortSignal) => Promise<void>, doing?: string): void
  runPrompt(prompt: string): void
  interrupt(): void
  /** Interrupts without saying so. */
  abort(): void
  /** Resolves when the piece of work that was started last is over. */
  settled(): Promise<unknown>
}

export const createWork = ({ stage, now, agent: agentNow, endAnswer }: WorkOptions): Work => {
  const { change, write, note, complain, room } = stage
  let work: AbortController | undefined
  let settled: Promise<unknown> = Promise.resolve()

  const start: Work["start"] = (act, doing) => {
    const agent = agentNow()
    if (!agent) return
    const controller = new AbortController()
    work = controller
    const since = now()
    change({ isWorking: true, doing, since, tokens: { ...stage.state.tokens, now: 0 } })
    settled = act(agent, controller.signal)
      .catch((cause) => {
        if (!controller.signal.aborted) complain(cause)
      })
      .then(() => {
        endAnswer()
        work = undefined
        const worked = stage.state.worked + now().getTime() - since.getTime()
        change({ isWorking: false, doing: undefined, since: undefined, worked, running: [], members: [] })
        if (controller.signal.aborted) giveBackQueued()
        else runQueued()
      })
  }

  const runPrompt = (prompt: string): void => {
    write("asked", askedLines(prompt, room()))
    start(async ({ run }, signal) => {
      const { ending } = await run(prompt, signal)
      endAnswer()
      if (ending === "interrupted") note("Interrupted. Say what it should do instead.")
    })
  }

  const runQueued = (): void => {
    const [next, ...later] = stage.state.queued
    if (next === undefined || stage.state.isOver) return
    change({ queued: later })
    runPrompt(next)
  }

  /** After an interruption, moves the queued input back into the line, so that the person can reconsider. */
  const giveBackQueued = (): void => {
    const { queued, editor } = stage.state
    if (queued.length === 0) return
    const text = [...queued, editor.text].filter((part) => part !== "").join("\n")
    change({ queued: [], editor: replaced(editor, text) })
  }

  return {
    start,
    runPrompt,
    interrupt() {
      work?.abort()
      change({ doing: "Interrupting" })
    },
    abort: () => work?.abort(),
    settled: () => settled,
  }
}
