/** The contract of a stream: one agent's output or session file, line by line, as signals. */
import type { ToolCall } from "../dialects/dialect.ts"
import type { PlanOpened, Problem } from "../plan/index.ts"
import type { WorkSignal } from "./work.ts"

/**
 * What a line of a stream says. `agent` is whose list it is about: `main`, or a sub-agent's id.
 * A call is shown as soon as it is seen; its result, matched by `callId` in any order, confirms it, adds what only the
 * result knows, or takes it back.
 */
export type Signal =
  | SessionSignal
  /** Only of a reader that was opened for it. */
  | WorkSignal
  | { type: "call"; agent: string; dialect: string; call: ToolCall & { callId: string } }
  | {
      type: "result"
      callId: string
      ok: boolean /** Structured where there is such a thing, else text. */
      result?: unknown
    }
  /** The whole list, said by the agent itself besides its calls (reminders, result details, files): a checkpoint. */
  | { type: "snapshot"; agent: string; dialect: string; call: ToolCall }
  | ({ type: "activity"; agent: string } & Activity)
  /**
   * For showing along the way; nothing about a plan follows from it. With a tool, `text` is in short what it is used
   * on. A part goes on where the part before it ended.
   */
  | { type: "message"; agent: string; text: string; tool?: string; isPart?: true }
  /** Everything after the named point was taken back (a rewind): the calls with these ids do not count. */
  | { type: "rewound"; callIds: readonly string[] }
  | { type: "problem"; problem: Problem }

/** What is known about the session. Later ones add to earlier ones. */
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
  /** It was started for one task and ends with it: no person is there to go on. The last one counts. */
  isOneShot?: boolean
  /** The client's process that is in this session, as the client itself notes it, and when that was noted. */
  process?: { pid: number; noted: string }
  /** The names of the tools the client said it has; tells "no plan tool" from "no plan yet". */
  tools?: readonly string[]
  parent?: PlanOpened["parent"] & { session?: string; callId?: string }
  /** When its last record was written, where nothing else tells how old it is. */
  recorded?: string
  /** The name of the list it writes together with other sessions, where it does. */
  sharedList?: string
  /** The session it was forked from and when, where the history before is not repeated in its own file. */
  forkedFrom?: { session: string; at?: string }
}

/** What an agent waits for: a permission it asked for, the reply to a question, or just the person's next words. */
export type WaitsFor = { kind: "permission" | "question" | "turn"; text?: string }

export type Activity = {
  kind: ActivityKind
  /**
   * With `tool`: its name, and in short what it is used on. With `waiting`: the tool that needs permission, where another
   * record says what it is used on.
   */
  tool?: string
  on?: string
  at?: string
  /** With `waiting`. */
  waitsFor?: WaitsFor
  /** With `turn-ended` or `ended`: it did not come to its end, and why. With others: what went wrong and is tried again. */
  error?: string
  /** With `error`: the person stopped it, so that nothing has failed. */
  isInterrupted?: true
  /** With `tool`: a result came in. What else is still at work only the lines before it tell. */
  isResult?: true
}

/** What the agent was last seen doing: tool work, talking, or waiting for the person; `ended` when its process said so. */
export type ActivityKind = "tool" | "text" | "prompt" | "turn-ended" | "waiting" | "ended"

/** What a reader reports besides lists, turns and sessions. */
export type Wants = {
  /** What was done: edits, commands and how they came out, delegation. It costs reading all results. @default false */
  work?: boolean
}

export interface StreamReader {
  /** One line without its line end. Never throws; a line that is not its format gives a problem or nothing. */
  read(line: string): Signal[]
  /** What it remembers of earlier lines, as plain data for `open`. Absent where a reader must see a file from its start. */
  snapshot?(): unknown
}

export type QuickNeedles = {
  /** Every line with one of these is needed, in order. */
  all: readonly string[]
  /** As long as there are no others, only the last of these lines that was accepted counts: each says the whole list. */
  last: readonly string[]
}

export interface Stream {
  /** Unique among all formats. */
  id: string
  /** The agent's id in the table of agents. */
  agentType: string
  title: string
  /**
   * The command that prints it and the words it must be called with, in groups of which one suffices. Absent where no
   * command does, or where it needs no more than its name.
   */
  printedBy?: { command: string; words: readonly (readonly string[])[] }
  /** All of it is one JSON object, which may stand on many lines: a reader is given its whole text at once. */
  isDocument?: true
  /** Its files may be compressed, as `.zst`. */
  mayBeCompressed?: true
  /** Whether a parsed line is of this format; asked about the first lines of an unknown stream. */
  recognises(line: Record<string, unknown>): boolean
  /** Short byte strings, at least one of which occurs in every line with what a person asked. @default `"user` */
  promptNeedles?: readonly string[]
  /**
   * Short byte strings, at least one of which occurs in every line that matters to a plan or to what is known about the
   * session, but for what was asked and what it is called: a scan over gigabytes parses only lines that hold one. The first
   * byte should be rare, and there should be fewer than eight: a search stops at each first byte, so that `_snaps` is found
   * six times as fast as `t_snap`.
   */
  needles: readonly string[]
  /**
   * Fewer needles that suffice, going by what the first lines say, for a scan that also finds the answers to open calls
   * by their ids, and that reads the file again with all needles when something was taken back.
   */
  quickNeedles?(about: Pick<SessionSignal, "version">): QuickNeedles | undefined
  /**
   * One of these is in every line that says what the session is called. Clients write such lines again and again: they are
   * looked for only at the end of a file, and in what is new.
   */
  titleNeedles?: readonly string[]
  /** Whether a reader can also tell what was done besides the list. */
  tellsWork?: true
  /** A reader for one stream, from its first line, or from where an earlier reader stood. */
  open(from?: unknown, wants?: Wants): StreamReader
}
