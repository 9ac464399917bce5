/** The types of evidence: for each todo marked done, and for the list as a whole. */
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
  /** The line of the stream or file that records it, counted from 1. */
  line: number
  at?: string
  /** The sub-agent that ran it. */
  agent?: string
  /** The last lines of the output of a failed check. */
  printed?: readonly string[]
  /** The most informative line about the failure in all its output. */
  failure?: string
  /** Whether it ended after the todo was marked done. */
  endedLater?: true
}

/** A check that Headway ran because a person wanted it. */
export type Verification = {
  command?: string
  file?: string
  outcome: "passed" | "failed" | "timed-out"
  /** Whether it failed because its program is missing or may not be run, which is no evidence about the work. */
  isNotRunnable?: true
  at: string
  /** The commit that was checked out. */
  revision?: string
  /** Whether a file of the project has changed since. */
  isStale?: boolean
  /** Whether the project's folder is unknown here, so that no file could be compared. */
  isElsewhere?: true
  /** Whether it kept the todo open, or the agent overruled it. */
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
  /** The last check with a clear outcome, and whether it came after the last edit. */
  lastCheck?: Check & { isAfterLastEdit: boolean }
  /**
   * The last action that may have changed files after the last check, or without one: a custom program, or a sub-agent
   * whose work is unknown.
   */
  lastDoubt?: { line: number; command?: string }
  /** The commands that the person refused. */
  refused: readonly { command: string; line: number }[]
  delegated: readonly { title?: string; agent?: string; line: number }[]
  /** The number of tool calls of any kind. */
  toolUses: number
  /** The checks that Headway itself ran for it. */
  verifications?: readonly Verification[]
  /** Whether its text is about reading, planning or deciding, so that no edit is expected. */
  expectsNoEdit?: true
}

export type TodoEvidence = {
  id: string
  content: string
  status: TodoStatus
  word: Word
  /** Headway's check has passed, but files have changed since. */
  isStale?: true
  facts: Facts
  /** The agent of its list, if it is a sub-agent. */
  agent?: string
}

export type ListEvidence = {
  /** The outcome of the last check after the last edit of the session. */
  lastCheck: "passed" | "failed" | "none"
  /** Todos that disappeared from the list while open. */
  dropped: readonly { content: string }[]
  /** How many todos are still open. */
  open: number
  /** How often several todos were marked done without work in between. */
  bursts: number
  /** Headway's checks of the whole plan that fail on the current files. */
  failing?: readonly Verification[]
}

export type Evidence = {
  session?: string
  todos: readonly TodoEvidence[]
  list: ListEvidence
}
