/** The contract of a stream: one agent's output or session file, line by line, as signals. */
import type { ToolCall } from "../dialects/dialect.ts"
import type { PlanOpened, Problem } from "../plan/index.ts"
import type { WorkSignal } from "./work.ts"

/**
 * What a line of a stream says. `agent` is the agent whose list it is about: `main`, or a sub-agent's id.
 * A call is shown as soon as it is seen. Its result, matched by `callId` in any order, confirms it, adds what only the
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
      ok: boolean /** Structured where there is such a thing, else text. */
      result?: unknown
    }
  /** The whole list, as the agent reports it apart from its calls (reminders, result details, files): a checkpoint. */
  | { type: "snapshot"; agent: string; dialect: string; call: ToolCall }
  | ({ type: "activity"; agent: string } & Activity)
  /**
   * Only for display; it says nothing about a plan. With a tool, `text` says briefly what the tool is used on. A part
   * continues where the part before it ended.
   */
  | { type: "message"; agent: string; text: string; tool?: string; isPart?: true }
  /** The conversation was rewound: the calls with these ids do not count. */
  | { type: "rewound"; callIds: readonly string[] }
  | { type: "problem"; problem: Problem }

/** What is known about the session. Later signals add to earlier ones. */
export type SessionSignal = {
  type: "session"
  session?: string
  /** Set on a sub-agent's own file or when a sub-agent is first seen. @default "main" */
  agent?: string
  /** The folder the agent works in. */
  project?: string
  /** The branch of the repository in that folder. The last one counts. */
  branch?: string
  version?: string
  model?: string
  /** The agent's title for the session, or a sub-agent's task. The last one counts. */
  title?: string
  /** What the person asked, as it was typed. The first one counts. */
  asked?: string
  /** The person's first command, if it came without text. The first one counts. */
  command?: string
  /** What kind of sub-agent it is, such as "Explore". */
  role?: string
  /** It was started for one task and ends with it, so no person continues it. The last one counts. */
  isOneShot?: boolean
  /** The client's process in this session, as the client itself notes it, and the time of that note. */
  process?: { pid: number; noted: string }
  /** The names of the client's tools. They distinguish "no plan tool" from "no plan yet". */
  tools?: readonly string[]
  parent?: PlanOpened["parent"] & { session?: string; callId?: string }
  /** When its last record was written, if nothing else tells how old it is. */
  recorded?: string
  /** The name of the list that it shares with other sessions, if it does. */
  sharedList?: string
  /** The session it was forked from and when, if its own file does not repeat the history before that. */
  forkedFrom?: { session: string; at?: string }
}

/** What an agent waits for: a permission it asked for, the reply to a question, or just the person's next words. */
export type WaitsFor = { kind: "permission" | "question" | "turn"; text?: string }

export type Activity = {
  kind: ActivityKind
  /**
   * With `tool`: its name, and briefly what it is used on. With `waiting`: the tool that needs permission, if another
   * record says what it is used on.
   */
  tool?: string
  on?: string
  at?: string
  /** With `waiting`. */
  waitsFor?: WaitsFor
  /** With `turn-ended` or `ended`: why it did not finish. Otherwise: what failed and is being retried. */
  error?: string
  /** With `error`: the person stopped it, so nothing has failed. */
  isInterrupted?: true
  /** With `tool`: a result has arrived. Only earlier lines say what is still running. */
  isResult?: true
}

/** What the agent was last seen doing: using a tool, writing text, or waiting for the person; `ended` if its process said so. */
export type ActivityKind = "tool" | "text" | "prompt" | "turn-ended" | "waiting" | "ended"

/** What a reader reports besides lists, turns and sessions. */
export type Wants = {
  /** Report edits, commands with their outcomes, and delegation. All results must be read for this. @default false */
  work?: boolean
}

export interface StreamReader {
  /** Reads one line without its line end. Never throws; a line in another format results in a problem or nothing. */
  read(line: string): Signal[]
  /** What it remembers of earlier lines, as plain data for `open`. Absent if a reader must read a file from its start. */
  snapshot?(): unknown
}

export type QuickNeedles = {
  /** Every line with one of these is needed, in order. */
  all: readonly string[]
  /** Without lines of the other kind, only the last accepted one of these counts, because each contains the whole list. */
  last: readonly string[]
}

export interface Stream {
  /** Unique among all formats. */
  id: string
  /** The agent's id in the table of agents. */
  agentType: string
  title: string
  /**
   * The command that prints it, and groups of words of which it needs one. Absent if no command prints it, or if the
   * command needs no such words.
   */
  printedBy?: { command: string; words: readonly (readonly string[])[] }
  /** The whole file is one JSON object on any number of lines: a reader receives the whole text at once. */
  isDocument?: true
  /** Its files may be compressed, as `.zst`. */
  mayBeCompressed?: true
  /** Whether a parsed line is in this format. Called with the first lines of an unknown stream. */
  recognises(line: Record<string, unknown>): boolean
  /** Short byte strings, at least one of which occurs in every line with a person's prompt. @default `"user` */
  promptNeedles?: readonly string[]
  /**
   * Short byte strings, at least one of which occurs in every line that matters to a plan or to what is known about the
   * session, except for prompts and titles: a scan over gigabytes parses only lines that contain one. The first byte should
   * be rare, because a search stops at each of them: `_snaps` is found six times as fast as `t_snap`. There should be fewer
   * than eight.
   */
  needles: readonly string[]
  /**
   * A smaller set of needles, chosen by what the first lines say, for a scan that also finds the results of open calls by
   * their ids, and that reads the file again with all needles if something was rewound.
   */
  quickNeedles?(about: Pick<SessionSignal, "version">): QuickNeedles | undefined
  /**
   * At least one of these occurs in every line with the session's title. Clients repeat such lines, so they are searched for
   * only at the end of a file, and in what is new.
   */
  titleNeedles?: readonly string[]
  /** Whether a reader can also report work apart from the list. */
  tellsWork?: true
  /** Opens a reader for one stream, from its first line, or from where an earlier reader stopped. */
  open(from?: unknown, wants?: Wants): StreamReader
}
