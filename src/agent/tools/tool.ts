/** The contract of a tool: what the agent's model can do on this machine, and what a person is asked before. */
import type { z } from "zod"

export interface Tool {
  name: string
  /** What the model is told. */
  description: string
  input: z.ZodType
  /** A valid input, shown to a model that sent a wrong one. */
  example: unknown
  isReadOnly(): boolean
  /** Whether it may run beside other calls. */
  isConcurrencySafe(): boolean
  isEnabled(): boolean
  /**
   * What a person must allow first; undefined for what needs no asking, and for input that `run` will refuse. Links are
   * followed before it decides, so ask right before running: another call may have changed them meanwhile.
   */
  needsPermission(input: unknown, context: ToolContext): Promise<Permission | undefined>
  /** Takes anything, never throws or rejects, and says no more than the limits allow. */
  run(input: unknown, context: ToolContext): Promise<ToolResult>
}

export type ToolContext = {
  /** The working folder, as an absolute path. */
  cwd: string
  /** Ends what is running, and all that it started. */
  signal: AbortSignal
  limits: Limits
  /** What this agent has read, so that it changes nothing it has not seen. */
  files: FileMemory
  /** What a running command prints, piece by piece, safe to show. */
  onProgress?: (text: string) => void
  /** For commands. @default that of this process */
  env?: NodeJS.ProcessEnv
}

export type Limits = {
  /** The longest answer, in characters. */
  outputLength: number
  /** The longest line that is shown whole. */
  lineLength: number
  /** How much of a file is read, in bytes; larger ones are not edited. */
  fileSize: number
  /** How many lines, paths or matches an answer lists. */
  listLength: number
  /** In milliseconds. How long a search may take, and a command that gives no time of its own. */
  searchTime: number
  commandTime: number
  longestCommandTime: number
}

export const defaultLimits: Limits = {
  outputLength: 30_000,
  lineLength: 2000,
  fileSize: 5_000_000,
  listLength: 2000,
  searchTime: 20_000,
  commandTime: 120_000,
  longestCommandTime: 600_000,
}

export type ToolResult = {
  /** For the model. */
  text: string
  isError?: boolean
  /** For the person: one line, safe to show. */
  display?: string
}

export type Permission = {
  action: "read" | "write" | "run"
  /** The path or command, on one line and safe to show. */
  target: string
  /** It reaches beyond the working folder. Nobody knows of a command. */
  isOutside: boolean
  /** One line for a person, safe to show. */
  question: string
  /** Lines that show what would happen, safe to show. */
  detail?: string
}

/** Which files were read, and how they were then. */
export interface FileMemory {
  /** `mark` tells this content from any other. */
  remember(path: string, mark: string): void
  /** The mark it had when it was last read or written here. */
  recall(path: string): string | undefined
}

export const createFileMemory = (): FileMemory => {
  const marks = new Map<string, string>()
  return { remember: (path, mark) => void marks.set(path, mark), recall: (path) => marks.get(path) }
}
