/** The size of the terminal, followed as it is resized. */
import { useStdout } from "ink"
import { useCallback, useSyncExternalStore } from "react"

type Output = NodeJS.WriteStream

export type TerminalSize = {
  /** 0 where it is not known. */
  columns: number
  /** 0 where it is not known, or where output is not a terminal. */
  rows: number
}

/** Of the output that Ink draws on, or of the one given. */
export const useTerminalSize = (output?: NodeJS.WriteStream): TerminalSize => {
  const drawnOn = useStdout().stdout
  const stdout = output ?? drawnOn
  const follow = useCallback((listener: () => void) => followSize(stdout, listener), [stdout])
  // Output may go through a pipe and end in a terminal anyway; Ink looks there too.
  const columns = useSyncExternalStore(follow, () => stdout.columns || process.stderr.columns || 0)
  const rows = useSyncExternalStore(follow, () => (stdout.isTTY ? (stdout.rows ?? 0) : 0))
  return { columns, rows }
}

/** All components on a screen share one listener: with many on one stream, Node prints a warning onto the screen. */
const shared = new WeakMap<Output, { listeners: Set<() => void>; announce: () => void }>()

const followSize = (output: Output, listener: () => void): (() => void) => {
  const { listeners, announce } = shared.get(output) ?? shareListener(output)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    output.off("resize", announce)
    shared.delete(output)
  }
}

const shareListener = (output: Output) => {
  const listeners = new Set<() => void>()
  const announce = (): void => {
    for (const listener of listeners) listener()
  }
  const one = { listeners, announce }
  shared.set(output, one)
  output.on("resize", announce)
  return one
}
