/** The size of the terminal, updated on every resize. */
import { useStdout } from "ink"
import { useCallback, useSyncExternalStore } from "react"

type Output = NodeJS.WriteStream

export type TerminalSize = {
  /** 0 if unknown. */
  columns: number
  /** 0 if unknown, or if output is not a terminal. */
  rows: number
}

/** The size of the given output, or of the one that Ink draws on. */
export const useTerminalSize = (output?: NodeJS.WriteStream): TerminalSize => {
  const drawnOn = useStdout().stdout
  const stdout = output ?? drawnOn
  const follow = useCallback((listener: () => void) => followSize(stdout, listener), [stdout])
  // Output through a pipe may still end in a terminal. Like Ink, use the size of standard error then.
  const columns = useSyncExternalStore(follow, () => stdout.columns || process.stderr.columns || 0)
  const rows = useSyncExternalStore(follow, () => (stdout.isTTY ? (stdout.rows ?? 0) : 0))
  return { columns, rows }
}

/** All components share one listener, because Node prints a warning onto the screen if a stream has many. */
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
