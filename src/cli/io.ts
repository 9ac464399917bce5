/** Everything a command touches of the outside, passed in so that tests can pass their own. */

export type Io = {
  /** Data for the next program. */
  out(text: string): void
  /** Messages for the person. */
  err(text: string): void
  /** All of standard input, as text. */
  input(): Promise<string>
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  home: string
  now(): Date
  isTerminal: { in: boolean; out: boolean }
  columns: number | undefined
}
