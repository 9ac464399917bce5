/** The environment of a command, passed in so that tests can supply their own. */
import type { Line } from "../views/text/span.ts"

/**
 * What a command prints. Text is sanitised, whatever its source. Styles are data, one array per line, and dropped without
 * colour. Terminal actions have names, so that no text can trigger them.
 */
export type Printed = string | readonly Line[] | Gesture

export type Gesture = { gesture: "ring" | "clear-row" }

/** The environment as commands see it: everything they print is sanitised by `door.ts`. */
export type Io = Omit<Outside, "out" | "err" | "pour"> & {
  out(printed: Printed): void
  err(printed: Printed): void
  pour(printed: Printed): Promise<boolean>
}

/** The raw environment. */
export type Outside = {
  /** Data for the next program. */
  out(text: string): void
  /** Messages for the person. */
  err(text: string): void
  /** Data for a program that may be slow: resolves when it was accepted; false if the reader is gone. */
  pour(text: string): Promise<boolean>
  /** All of standard input as text; bytes beyond this limit are read and dropped. */
  input(mostBytes?: number): Promise<string>
  /**
   * An optional JSON value on standard input. Unlike `input`, it does not wait if nothing arrives, and reads at most a
   * megabyte for at most a second.
   */
  hint(): Promise<string>
  /** Standard input as it comes, in pieces of any size. */
  chunks(): AsyncIterable<Uint8Array>
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  home: string
  now(): Date
  /** Aborted when the person or the system asks to end. A command that uses it must then end by itself. */
  stopped(): AbortSignal
  /**
   * Passes termination signals to a long-running command instead of ending the process. Returns a function that stops
   * listening.
   */
  onSignal(listener: (signal: NodeJS.Signals) => void): () => void
  /** The terminal itself, for drawing. Used only if the output is one. */
  terminal(): { output: NodeJS.WriteStream; input: NodeJS.ReadStream }
  isTerminal: { in: boolean; out: boolean; err: boolean }
  columns: number | undefined
}
