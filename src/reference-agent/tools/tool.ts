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
  /** Whether it may run in parallel with other calls. */
  isConcurrencySafe(): boolean
  isEnabled(): boolean
  /**
   * What a person must allow first; undefined for what needs no asking, and for input that `run` will refuse. Links are
   * followed before it decides. It is asked again after the person's answer, because a link or a file may have changed
   * meanwhile: only what was asked about is run.
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
  /** The files this agent has read: it changes no file that it has not read. */
  files: FileMemory
  /**
   * What was permitted for this call, as the target of the permission: a tool for files runs only there. Without it, a tool
   * stays in the working folder.
   */
  permitted?: string | undefined
  /** Called with the output of a running command, part by part, safe to show. */
  onProgress?: (text: string) => void
  /** For commands, which do not see the keys in it. @default that of this process */
  env?: NodeJS.ProcessEnv
  /** Names of variables holding keys that commands may see anyway. */
  allowedVariables?: readonly string[]
  /** The bash that runs commands. @default the first on the PATH */
  shell?: string | undefined
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
  /** In milliseconds. How long a search may take, and a command that sets no time itself. */
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
  /** It may not run now, as the person wants: an error for the model, but not a failure for the person. */
  isHeldBack?: boolean
  /** For the person: one line, safe to show. */
  display?: string
}

/**
 * A question to a person. A tool gives every text exactly and completely; before it is shown, the agent makes invisible
 * characters visible.
 */
export type Permission = {
  action: "read" | "write" | "run"
  /** The path or command, whole. On one line once it is made visible. */
  target: string
  /** It reaches beyond the working folder. Where a command reaches cannot be known. */
  isOutside: boolean
  /** A file there can make git, an editor or an agent run programs, so the person is asked each time. */
  canRunPrograms?: true
  /** One line for a person. */
  question: string
  /** Lines that show what would happen: everything that would be written or run. */
  detail?: string
}

/** Which files were read, and how they were then. */
export interface FileMemory {
  /** `digest` tells this content from any other. */
  remember(path: string, digest: string): void
  /** The digest it had when it was last read or written here. */
  recall(path: string): string | undefined
}

export const createFileMemory = (): FileMemory => {
  const digests = new Map<string, string>()
  return { remember: (path, digest) => void digests.set(path, digest), recall: (path) => digests.get(path) }
}
