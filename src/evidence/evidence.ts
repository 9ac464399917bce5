/** The nouns of evidence: the evidence for each todo marked done. */
import { type EvidenceWord, evidenceWords } from "../plan/evidence-word.ts"
import type { TodoStatus } from "../plan/index.ts"
import type { CommandKind } from "./command-kind.ts"
import type { Outcome } from "./outcome.ts"

export type Word = EvidenceWord

export const words = evidenceWords

/** A command that checks the code, as an agent ran it. */
export type Check = {
  kind: CommandKind
  command: string
  outcome: Outcome
  /** The line of the stream or file it comes from, the first being 1. */
  line: number
  at?: string
  /** The sub-agent that ran it. */
  agent?: string
  /** The last lines it printed, where it failed. */
  printed?: readonly string[]
  /** The line of all it printed that says most of what failed. */
  failure?: string
  /** It ended after the todo was marked done. */
  endedLater?: true
}

/** A check that a person wanted and Headway ran. */
export type Verification = {
  command?: string
  file?: string
  outcome: "passed" | "failed" | "timed-out"
  /** It failed because its program is missing or may not be run, so it is no evidence about the work. */
  isNotRunnable?: true
  at: string
  /** The commit that was checked out. */
  revision?: string
  /** A file of the project has changed since. */
  isStale?: boolean
  /** The project's folder is not known to the reader, so no file could be compared. */
  isElsewhere?: true
  /** It kept the todo open, or was overruled by the agent. */
  gate?: "refused" | "overruled"
  printed?: readonly string[]
}

/** The window of a todo: while it was in progress, or since the last change of the list. */
export type WindowKind = "in-progress" | "since-last-change" | "none"

export type Facts = {
  window: WindowKind
  /** The lines where the window begins and ends. */
  lines?: readonly [number, number]
  /** Ids of the todos that were marked done together with it, and share its window. */
  sharedWith?: readonly string[]
  edits: { count: number; files: readonly string[]; lastLine?: number }
  checks: readonly Check[]
  /** The last check with an outcome that says something, and whether it came after the last edit. */
  lastCheck?: Check & { isAfterLastEdit: boolean }
  /** What may have changed files after the last check or without one: a custom program, a sub-agent about which nothing is known. */
  lastDoubt?: { line: number; command?: string }
  /** What the person did not allow. */
  refused: readonly { command: string; line: number }[]
  delegated: readonly { title?: string; agent?: string; line: number }[]
  /** How often a tool was used, whatever for. */
  toolUses: number
  /** The checks that Headway itself ran for it. */
  verifications?: readonly Verification[]
  /** Its wording is about looking, planning or deciding, so no edit is expected. */
  expectsNoEdit?: true
}

export type TodoEvidence = {
  id: string
  content: string
  status: TodoStatus
  word: Word
  /** What Headway checked has passed, and files have changed since. */
  isStale?: true
  facts: Facts
  /** Whose list it is on, where it is a sub-agent's. */
  agent?: string
}

export type ListEvidence = {
  /** The outcome of the last check after the last edit of the session. */
  lastCheck: "passed" | "failed" | "none"
  /** Todos that vanished from the list while they were open. */
  dropped: readonly { content: string }[]
  /** How many todos are still open. */
  open: number
  /** How often several todos were marked done without work in between. */
  bursts: number
  /** The checks of the whole plan that Headway ran and that fail on the current files. */
  failing?: readonly Verification[]
}

export type Evidence = {
  session?: string
  todos: readonly TodoEvidence[]
  list: ListEvidence
}
