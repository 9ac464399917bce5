/** The view of a run in a terminal: the agents' output scrolls, and the current agent's plan stays in place below. */
import type { Plan } from "../../plan/todo.ts"
import type { StreamEvent } from "../../streams/events.ts"
import type { Turn } from "../../streams/turns.ts"
import type { Colour, Line } from "../../views/text/span.ts"
import { cut } from "../../views/text/width.ts"
import type { Appearance } from "../components/appearance.tsx"
import { createKeyboard, type Key } from "../terminal/keyboard.ts"
import { createLiveRegion } from "../terminal/live-region.ts"
import { type Painted, paint } from "../terminal/paint.ts"
import { stopProcess } from "../terminal/terminal-events.ts"
import { createTerminalModes } from "../terminal/terminal-modes.ts"
import { createRunState } from "./state.ts"

export type Member = { name?: string | undefined; colour?: Colour | undefined }

/** A line of an agent's text or activity, safe to print. */
export type AgentMessage = { agent: string; text: string; tool?: string | undefined }

/** An agent's list as the agent itself reported it. */
export type AgentList = {
  /** `main`, or a sub-agent's id. */
  agent: string
  /** The agent's name if the member has none. */
  name: string
  plan: Plan
}

/** The view of a run. Changes are collected until `flush`. */
export interface RunView {
  /** A member begins. Clears what the previous member left (behaviour A7). */
  begin(member: Member): void
  message(message: AgentMessage): void
  /** Every accepted change of a list, and every turn, for programs. */
  event(event: StreamEvent): void
  /** Shows a list that its agent has accepted. */
  list(list: AgentList): void
  /** An agent's current plan, with a person's changes. */
  planned(agent: string, plan: Plan): void
  /** A turn of an agent begins, ends or fails. */
  turned(turn: Turn): void
  /** A message of ours, or whole lines that the agent printed to standard error. */
  complained(text: string): void
  /** The agent was asked to stop but is still running. Plans that are cleared from now on are reported. */
  stopping(): void
  /** The agent was stopped or failed. Clears the view (behaviour A7) and prints the last state. */
  clear(): void
  /** Whether so much is collected that the caller should flush before adding more. */
  isFull(): boolean
  /** Draws the collected changes. Resolves with false if the output is no longer read. */
  flush(): Promise<boolean>
  /** Leaves the last plan on the screen and restores the terminal. */
  close(): void
}

export type RunViewOptions = {
  output: NodeJS.WriteStream
  /** The source of keys; undefined if the agent reads them. */
  input?: NodeJS.ReadStream | undefined
  appearance: Appearance
  /** Prints messages. */
  complain: (text: string) => void
  /** Whether messages go to this terminal too. */
  sharesMessages: boolean
  /** Esc or Ctrl+C. */
  onStop: () => void
}

export const openRunView = (options: RunViewOptions): RunView => {
  const { output, input, appearance, complain, sharesMessages, onStop } = options
  const region = createLiveRegion(output, appearance.colour)
  let above: Painted[] = []
  const state = createRunState((sentence) => {
    above.push(paint([{ text: sentence, style: { dim: true } }], appearance.colour))
  })
  let isGone = false

  const lines = (): Line[] => state.lines({ ...region.room(), ascii: appearance.ascii })
  const draw = (): Promise<void> => {
    const waiting = above
    above = []
    return region.update(waiting, lines())
  }
  const flush = async (): Promise<boolean> => {
    // Lets a resize that the system has already reported take effect before drawing.
    await new Promise((resolve) => setImmediate(resolve))
    await draw()
    return !isGone
  }

  const press = ({ name, ctrl }: Key): void => {
    if (name === "escape" || (ctrl && name === "c")) onStop()
    else if (ctrl && name === "z") void pause()
  }
  const onKeys = (keys: readonly Key[]): void => {
    for (const key of keys) press(key)
  }
  const keyboard = input && createKeyboard({ stdin: input, onKeys })
  const modes = createTerminalModes(output, ["no-cursor"])
  let isPaused = false
  const take = (): void => {
    keyboard?.begin()
    modes.enter()
  }
  const giveBack = (): void => {
    keyboard?.end()
    modes.leave()
  }
  /** Gives the terminal to the shell for a while. The agent continues until its output buffer is full. */
  const pause = async (): Promise<void> => {
    if (isPaused) return
    isPaused = true
    region.wipe()
    giveBack()
    await stopProcess()
    isPaused = false
    take()
    void flush()
  }

  const onResize = (): void => void flush()
  output.on("resize", onResize)
  // The terminal is gone.
  output.on("error", () => {
    isGone = true
  })
  process.on("exit", giveBack)
  take()

  return {
    begin: state.begin,
    message(message) {
      above.push(paint(messageLine(message, appearance, output.columns || 80), appearance.colour))
    },
    event() {},
    list: state.list,
    planned: state.planned,
    turned: state.turned,
    complained(text) {
      if (!sharesMessages) {
        complain(text)
        return
      }
      const waiting = above
      above = []
      region.stepAside(waiting, () => complain(text))
    },
    stopping: state.stopping,
    clear: state.clear,
    isFull: () => false,
    flush,
    close() {
      void draw()
      region.end()
      output.off("resize", onResize)
      process.off("exit", giveBack)
      giveBack()
    },
  }
}

/** Activity is one dim line. The lines of a sub-agent are indented. */
export const messageLine = (
  { agent, text, tool }: AgentMessage,
  { ascii }: Pick<Appearance, "ascii">,
  columns: number,
): Line => {
  const indent = agent === "main" ? "" : "  "
  if (tool === undefined) return [{ text: indent + text }]
  const line = cut(`${indent}${ascii ? "-" : "·"} ${[tool, text].filter(Boolean).join(" ")}`, columns - 1)
  return [{ text: line, style: { dim: true } }]
}
