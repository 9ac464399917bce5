/** The person's commands, such as `/help`: their answers, and what they change. */
import type { Agent } from "../../reference-agent/agent.ts"
import type { AgentScreenOptions } from "../../reference-agent/screen.ts"
import type { Stage } from "./stage.ts"
import { askedLines, notedLines } from "./transcript.ts"
import type { Work } from "./work.ts"

export type CommandsOptions = Pick<AgentScreenOptions, "command"> & {
  stage: Stage
  work: Pick<Work, "start">
  /** The agent, once there is one. */
  agent: () => Agent | undefined
  leave: () => void
}

export type Commands = {
  run(line: string): void
  /** Whether a command is running. Its answer reports what it changes. */
  readonly isRunning: boolean
}

export const createCommands = ({ command, stage, work, agent: agentNow, leave }: CommandsOptions): Commands => {
  const { write, note, complain, room } = stage
  let isRunning = false

  const answer = async (line: string, given: Agent, signal: AbortSignal): Promise<void> => {
    isRunning = true
    const {
      text,
      lines,
      isExit = false,
    } = await command(line, given, signal).finally(() => {
      isRunning = false
    })
    if (text !== "") write("noted", lines ?? notedLines(text, room(), {}))
    if (/^\/help\b/.test(line)) note(keysText)
    if (isExit) leave()
  }

  return {
    get isRunning() {
      return isRunning
    },
    run(line) {
      write("asked", askedLines(line, room()))
      const agent = agentNow()
      // Summarising takes time and needs the whole conversation. All other commands run at once, even during other work.
      if (/^\/compact\b/.test(line) && !stage.state.isWorking)
        work.start((given, signal) => answer(line, given, signal), "Summarising the conversation")
      else if (agent) void answer(line, agent, new AbortController().signal).catch(complain)
    },
  }
}

const keysText = `
enter   send; while it works, keep for its next turn
ctrl+j  a new line
ctrl+t  show or hide the todos
esc     interrupt
ctrl+c  clear the line or interrupt; twice: leave
ctrl+z  back to the shell; fg returns here`
