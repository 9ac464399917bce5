/** The contract of a stream: one agent's output or session file, line by line, as signals. */
import type { ToolCall } from "../dialects/dialect.ts"
import type { PlanOpened, Problem } from "../plan/index.ts"
import type { WorkSignal } from "./work.ts"

/**
 * What a reader reports about a line. `agent` is the agent whose list changes: `main`, or a sub-agent's id. A call
 * takes effect as soon as it is read. Its result, matched by `callId` in any order, confirms it, adds what only the
 * result contains, or reverts it.
 */
export type Signal =
  | SessionSignal
  /** Only from a reader that was opened with `wants.work`. */
  | WorkSignal
  | { type: "call"; agent: string; dialect: string; call: ToolCall & { callId: string } }
  | {
      type: "result"
      callId: string
      ok: boolean /** Structured data if there is any, otherwise text. */
      result?: unknown
    }
  /** The whole list, as the agent reports it apart from its calls (reminders, result details, files): a checkpoint. */
  | { type: "snapshot"; agent: string; dialect: string; call: ToolCall }
  | ({ type: "activity"; agent: string } & Activity)
  /**
   * Only for display, without effect on a plan. With a tool, `text` describes the tool's target in short. A part
   * continues the previous part.
   */
  | { type: "message"; agent: string; text: string; tool?: string; isPart?: true }
  /** The conversation was rewound: the calls with these ids no longer count. */
  | { type: "rewound"; callIds: readonly string[] }
  | { type: "problem"; problem: Problem }

/** What is known about the session. Later signals add to earlier ones. */
export type SessionSignal = {
  type: "session"
  session?: string
  /** Set for a sub-agent's own file, and when a sub-agent first appears. @default "main" */
  agent?: string
  /** The folder the agent works in. */
  project?: string
  /** The branch of the repository in that folder. The last one counts. */
  branch?: string
  version?: string
  model?: string
  /** The agent's title for the session, or a sub-agent's task. The last one counts. */
  title?: string
  /** The person's prompt, as typed. The first one counts. */
  asked?: string
  /** The person's first command, if it came without text. The first one counts. */
  command?: string
  /** What kind of sub-agent it is, such as "Explore". */
  role?: string
  /**
   * Whether it was started for a single task and ends with it, so that no person continues it. The last value counts.
   */
  isOneShot?: boolean
  /** The client's process in this session, as recorded by the client, and the time of the record. */
  process?: { pid: number; noted: string }
  /** The names of the client's tools. They distinguish "no plan tool" from "no plan yet". */
  tools?: readonly string[]
  parent?: PlanOpened["parent"] & { session?: string; callId?: string }
  /** When its last record was written, if nothing else shows how old it is. */
  recorded?: string
  /** The name of the list that it shares with other sessions, if it does. */
  sharedList?: string
  /** The session from which it was forked, and when, if its own file does not repeat the earlier history. */
  forkedFrom?: { session: string; at?: string }
}

/** What an agent waits for: a permission it asked for, the reply to a question, or just the person's next words. */
export type WaitsFor = { kind: "permission" | "question" | "turn"; text?: string }

export type Activity = {
  kind: ActivityKind
  /**
   * With `tool`: its name; `on` describes its target in short. With `waiting`: the tool that needs permission, if
   * another record describes its target.
   */
  tool?: string
  on?: string
  at?: string
  /** With `waiting`. */
  waitsFor?: WaitsFor
  /** With `turn-ended` or `ended`: why the turn or process failed. Otherwise: what failed and is being retried. */
  error?: string
  /** With `error`: the person stopped it, so nothing has failed. */
  isInterrupted?: true
  /** With `tool`: a result has arrived. Whether other calls are still running depends on earlier lines. */
  isResult?: true
}

/**
 * What an agent did last: used a tool, wrote text, got a prompt, ended its turn, or asked the person; `ended` if its
 * process ended.
 */
export type ActivityKind = "tool" | "text" | "prompt" | "turn-ended" | "waiting" | "ended"

/** What a reader reports besides lists, turns and sessions. */
export type Wants = {
  /** Reports edits, commands with their outcomes, and delegation, which requires reading all results. @default false */
  work?: boolean
}

export interface StreamReader {
  /**
   * Reads one line without its line break. Never throws: a line in another format results in a problem or in no
   * signals.
   */
  read(line: string): Signal[]
  /** Returns the reader's state as plain data for `open`. Absent if a file must be read from its start. */
  snapshot?(): unknown
}

export type QuickNeedles = {
  /** Every line with one of these is needed, in order. */
  all: readonly string[]
  /**
   * Each of these lines contains the whole list, so without lines of the other kind only the last accepted one counts.
   */
  last: readonly string[]
}

export interface Stream {
  /** Unique among all formats. */
  id: string
  /** The agent's id in the table of agents. */
  agentType: string
  title: string
  /**
   * The command that prints this format, and groups of words: the command needs one group. Absent if no command prints
   * it, or if the command needs no such words.
   */
  printedBy?: { command: string; words: readonly (readonly string[])[] }
  /** The whole file is one JSON object on any number of lines. The reader receives the whole text at once. */
  isDocument?: true
  /** Its files may be compressed as `.zst`. */
  mayBeCompressed?: true
  /** Whether a parsed line is in this format. Called with the first lines of an unknown stream. */
  recognises(line: Record<string, unknown>): boolean
  /** Short byte strings, at least one of which occurs in every line with a person's prompt. @default `"user` */
  promptNeedles?: readonly string[]
  /**
   * Short byte strings. Every line that matters to a plan or to the facts about the session contains at least one of
   * them, except for lines with prompts and titles. A scan over gigabytes parses only lines that contain one. The first
   * byte should be rare, because a search stops at each occurrence: `_snaps` is found six times as fast as `t_snap`.
   * There should be fewer than eight.
   */
  needles: readonly string[]
  /**
   * A smaller set of needles, chosen by the first lines. The scan also finds the results of open calls by their ids,
   * and reads the file again with all needles if something was rewound.
   */
  quickNeedles?(about: Pick<SessionSignal, "version">): QuickNeedles | undefined
  /**
   * At least one of these occurs in every line with the session's title. Clients repeat such lines, so a scan searches
   * for them only at the end of a file and in new lines.
   */
  titleNeedles?: readonly string[]
  /** Whether a reader can also report work apart from the list. */
  tellsWork?: true
  /** Opens a reader for one stream: from its first line, or from the snapshot of an earlier reader. */
  open(from?: unknown, wants?: Wants): StreamReader
}
