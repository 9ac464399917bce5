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

/** A line of what an agent says or works on, safe to be printed. */
export type AgentMessage = { agent: string; text: string; tool?: string | undefined }

/** An agent's list, as the agent itself says it. */
export type AgentList = {
  /** `main`, or a sub-agent's id. */
  agent: string
  /** Its name if none was given. */
  name: string
  plan: Plan
}

/** Where a run is shown. Everything is gathered until `flush`. */
export interface RunView {
  /** A member begins: what the one before left is cleared (SPEC A7). */
  begin(member: Member): void
  message(message: AgentMessage): void
  /** Every change of a list that its agent has taken, and every turn, for programs. */
  event(event: StreamEvent): void
  /** A list that its agent has taken. */
  list(list: AgentList): void
  /** An agent's current plan, with a person's changes. */
  planned(agent: string, plan: Plan): void
  /** A turn of an agent begins, ends or fails. */
  turned(turn: Turn): void
  /** A message, or what the agent printed as one: whole lines. */
  complained(text: string): void
  /** The agent was asked to stop and has not yet: what is cleared is said. */
  stopping(): void
  /** Stopped, or failed: nothing is left to show (SPEC A7), and the last state is printed. */
  clear(): void
  /** Whether so much was gathered that no more should be before it is shown. */
  isFull(): boolean
  /** Draws the collected changes. False when the output is no longer read. */
  flush(): Promise<boolean>
  /** Leaves the last plan where it is, and the terminal as it was. */
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
    // A new size that the system has already reported is applied before anything is drawn in the old one.
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
  /** The agent continues until its output is no longer read; in the meantime the shell has the terminal. */
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
  // Without a terminal there is nothing left to draw on.
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

/** Work is one dim line; that of a sub-agent is indented. */
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
