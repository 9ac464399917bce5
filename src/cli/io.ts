/** Everything a command touches of the outside, passed in so that tests can pass their own. */

export type Io = {
  /** Data for the next program. */
  out(text: string): void
  /** Messages for the person. */
  err(text: string): void
  /** All of standard input, as text. */
  input(): Promise<string>
  /** Standard input as it comes, in pieces of any size. */
  chunks(): AsyncIterable<Uint8Array>
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  home: string
  now(): Date
  /** Aborted when the person or the system asks to end. A command that asks for it must then end by itself. */
  stopped(): AbortSignal
  isTerminal: { in: boolean; out: boolean; err: boolean }
  columns: number | undefined
}
