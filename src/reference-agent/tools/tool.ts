/** The contract of a tool: what the agent's model can do on this machine, and which permission it needs. */
import type { z } from "zod"

export interface Tool {
  name: string
  /** The description for the model. */
  description: string
  input: z.ZodType
  /** A valid input, shown to a model that sent an invalid one. */
  example: unknown
  isReadOnly(): boolean
  /** Whether it may run in parallel with other calls. */
  isConcurrencySafe(): boolean
  isEnabled(): boolean
  /**
   * Returns what the person must allow first; undefined if no permission is needed, or if `run` will refuse the input.
   * Follows links before it decides. Called again after the person's answer, because a link or a file may have changed
   * in the meantime: only what the person was asked about may run.
   */
  needsPermission(input: unknown, context: ToolContext): Promise<Permission | undefined>
  /** Accepts any input, never throws or rejects, and returns no more than the limits allow. */
  run(input: unknown, context: ToolContext): Promise<ToolResult>
}

export type ToolContext = {
  /** The working folder, as an absolute path. */
  cwd: string
  /** Ends the running command and everything it started. */
  signal: AbortSignal
  limits: Limits
  /** The files that this agent has read. It may change only files that it has read. */
  files: FileMemory
  /**
   * The target of the permission for this call, to which a file tool is limited. Without it, a tool stays in the
   * working folder.
   */
  permitted?: string | undefined
  /** Called with each part of a running command's output, safe to show. */
  onProgress?: (text: string) => void
  /** The environment of commands, which do not see the keys in it. @default that of this process */
  env?: NodeJS.ProcessEnv
  /** The names of variables with keys that commands may see anyway. */
  allowedVariables?: readonly string[]
  /** The bash that runs commands. @default the first on the PATH */
  shell?: string | undefined
}

export type Limits = {
  /** The longest result, in characters. */
  outputLength: number
  /** The longest line shown in full, in characters. */
  lineLength: number
  /** How much of a file is read, in bytes; larger ones are not edited. */
  fileSize: number
  /** The most lines, paths or matches in a result. */
  listLength: number
  /** The time limit of a search, and of a command without its own, in milliseconds. */
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
  /** The text for the model. */
  text: string
  isError?: boolean
  /** Whether the person's settings held it back: an error for the model, but not a failure for the person. */
  isHeldBack?: boolean
  /** One line for the person, safe to show. */
  display?: string
}

/**
 * A question to a person. A tool passes every text exactly and completely. Before showing it, the agent makes invisible
 * characters visible.
 */
export type Permission = {
  action: "read" | "write" | "run"
  /** The whole path or command. It is on one line once it is made visible. */
  target: string
  /** Whether it reaches beyond the working folder. For a command, this cannot be known. */
  isOutside: boolean
  /** Whether the file can make git, an editor or an agent run programs, so that the person is asked each time. */
  canRunPrograms?: true
  /** The question, one line. */
  question: string
  /** Lines that show everything that would be written or run. */
  detail?: string
}

/** Remembers which files were read, and their content at that time. */
export interface FileMemory {
  /** Records a read file. `digest` identifies its content. */
  remember(path: string, digest: string): void
  /** Returns the digest from when the file was last read or written by the agent. */
  recall(path: string): string | undefined
}

export const createFileMemory = (): FileMemory => {
  const digests = new Map<string, string>()
  return { remember: (path, digest) => void digests.set(path, digest), recall: (path) => digests.get(path) }
}
