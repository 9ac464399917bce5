/** Everything a command touches of the outside, passed in so that tests can pass their own. */
import type { Line } from "../views/span.ts"

/**
 * What a command prints. Text is only ever text, no matter who wrote it: what would steer a terminal is taken out. Styles are
 * data, one line of the output each, left out where colour is not wanted; and what a terminal is asked to do has a name, so that no text can ask for it.
 */
export type Printed = string | readonly Line[] | Gesture

export type Gesture = { gesture: "ring" | "clear-row" }

/** The outside as commands have it: everything they print passes the door in `door.ts`. */
export type Io = Omit<Outside, "out" | "err" | "pour"> & {
  out(printed: Printed): void
  err(printed: Printed): void
  pour(printed: Printed): Promise<boolean>
}

/** The outside itself. */
export type Outside = {
  /** Data for the next program. */
  out(text: string): void
  /** Messages for the person. */
  err(text: string): void
  /** Data for a next program that may be slow: resolves when it was taken; false when it is no longer read. */
  pour(text: string): Promise<boolean>
  /** All of standard input, as text; what comes after this many bytes is read and dropped. */
  input(mostBytes?: number): Promise<string>
  /**
   * What was passed along on standard input without being asked for: one JSON value, or nothing. Unlike
   * `input` it does not wait where nothing comes, and reads no more than a megabyte, for a second at most.
   */
  hint(): Promise<string>
  /** Standard input as it comes, in pieces of any size. */
  chunks(): AsyncIterable<Uint8Array>
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  home: string
  now(): Date
  /** Aborted when the person or the system asks to end. A command that asks for it must then end by itself. */
  stopped(): AbortSignal
  /** Tells a command that stays of every request to end, in place of ending the process. Returns how to stop listening. */
  onSignal(listener: (signal: NodeJS.Signals) => void): () => void
  /** The terminal itself, for what is drawn on it. Asked for only where output is one. */
  terminal(): { output: NodeJS.WriteStream; input: NodeJS.ReadStream }
  isTerminal: { in: boolean; out: boolean; err: boolean }
  columns: number | undefined
}
