/** The board's data about one agent's session, and the edits of its plan: plain data that can be sent as JSON. */
import type { Upcoming } from "../../plan/at-hand.ts"
import type { Actor } from "../../plan/event.ts"
import type { TodoSpan } from "../../plan/log/history.ts"
import type { Progress } from "../../plan/progress.ts"
import type { Plan, TodoStatus } from "../../plan/todo.ts"
import type { DoneMarks } from "../plan/evidence-marks.ts"
import type { UntoldChanges, WhenTold } from "../when-told.ts"

/** What an agent seems to be doing; `waiting` means for the person. */
export type BoardState = "working" | "waiting" | "stalled" | "ended" | "finished" | "failed" | "idle"

/** What an agent waits for: a permission it asked for, the reply to a question, or just the person's next words. */
export type WaitsFor = { kind: "permission" | "question" | "turn"; text?: string | undefined }

/** The agent's display names. */
export type AgentNames = Pick<SessionRow, "agentName" | "agentShortName">

/** One agent of one session, with a summary of its plan: cheap to compute for hundreds of sessions. */
export type SessionRow = {
  /** Identifies this agent of this session while the board is open. */
  key: string
  agentType: string
  /** The display name of the agent, such as `Claude Code`. @default agentType */
  agentName?: string | undefined
  /** The same where there is little room, such as `claude`. @default agentName */
  agentShortName?: string | undefined
  session: string
  /** `main`, or a sub-agent's id. */
  agent: string
  /** The key of the agent this one works for. */
  parent?: string | undefined
  /** The heading above the row: a folder, shortened for people. */
  project: string
  /** The branch of the project's repository, if known. */
  branch?: string | undefined
  /** What the session is about. */
  title?: string | undefined
  /** The kind of sub-agent. */
  role?: string | undefined
  /** PERSON@MACHINE of a shared plan: the person the agent works for, and the machine it runs on. */
  who?: string | undefined
  state: BoardState
  /** With `waiting`: what for. */
  waitsFor?: WaitsFor | undefined
  /** With `failed`: what went wrong. */
  error?: string | undefined
  /** Whether the session has a list tool: `absent` is shown as such, not as an empty plan. */
  planTool: "present" | "absent" | "unknown"
  /** Last activity, in ISO form. */
  updated: string
  progress: Progress
  todos: number
  /** The number of todos marked done although the last check failed, if known; absent if there is none. */
  contradicted?: number | undefined
  /** The text of the todo in progress. */
  current?: string | undefined
  /** The next todo, if none is in progress. */
  upcoming?: Upcoming | undefined
  /** When `current` was begun, in ISO form, if known. */
  currentSince?: string | undefined
  /** False for a read-only session. */
  isEditable: boolean
  /** Changes whenever the row, its plan or its times may have changed, so that the viewer reads them again. */
  version: number
}

/** The plan behind a row. */
export type SessionPlan = {
  /** Undefined when there is none. */
  plan?: Plan | undefined
  /** When each todo was begun and finished, by todo id, as far as known. */
  times: Readonly<Record<string, TodoSpan>>
  /** The evidence for its done todos. Absent if unknown, or not known yet. */
  marks?: DoneMarks | undefined
  /** The changes the agent has not been told about, and when it will be. Absent if there are none. */
  untoldChanges?: (UntoldChanges & { whenTold: WhenTold }) | undefined
}

/** The history of a plan, oldest first. */
export type SessionHistory = {
  entries: readonly {
    id: string
    at: string
    by: Actor["kind"]
    /** Who did it, for people. */
    name: string
    /** What was done, in words. */
    lines: readonly string[]
    /** For a person's change: whether the agent has been told. */
    isTold?: boolean
  }[]
  spans: readonly StatusSpan[]
}

/**
 * A time during which a todo was in progress or blocked; without `to` it still is. For a todo finished at once, `from`
 * equals `to`.
 */
export type StatusSpan = { todo: string; content: string; status: TodoStatus; from: string; to?: string }

/** A row as one viewer sees it: with its plan, once the plan has been read. */
export type BoardSession = SessionRow & Partial<SessionPlan>

/** A person's edit of a plan on the board. */
export type BoardEdit =
  | { kind: "toggle" | "start" | "remove"; todo: string }
  | { kind: "add"; content: string; after?: string | undefined }
  | { kind: "drop"; todo: string; reason?: string | undefined }
  | { kind: "block"; todo: string; reason?: string | undefined }
  | { kind: "note"; todo: string; text: string }
  /** The answer a blocked todo waited for: adds a note and unblocks it. */
  | { kind: "answer"; todo: string; text: string }
  | { kind: "reword"; todo: string; content: string }
  /** Moves the todo one place up or down in the order shown. */
  | { kind: "move"; todo: string; by: -1 | 1 }
  /**
   * Places the todo after another one and into its phase; without `after`, at the start of a phase (`""` for no phase)
   * or of the plan.
   */
  | { kind: "place"; todo: string; after?: string | undefined; phase?: string | undefined }
  /** Undoes the edit with this entry id; without one, the person's last edit. */
  | { kind: "undo"; entry?: string | undefined }
  | { kind: "redo" }
  /** The person's title for the session; an empty one restores the session's own. */
  | { kind: "rename"; title: string }
  /** The whole plan as a person wrote it in an editor. */
  | { kind: "text"; text: string }

/** The result of an edit: `message` says in one line what happened, or why nothing did. */
export type EditResult = {
  outcome: "changed" | "unchanged" | "refused"
  message: string
  /** The entry that records the edit, by which it can be undone. */
  entry?: string | undefined
}

/** A session that a full-text search found, and the text around the match. */
export type BoardFound = { key: string; text: string }

/** The rows, kept up to date. */
export type WatchedRows = Pick<BoardSource, "sessions" | "notice" | "subscribe">

/** The board of one viewer: the data it shows, and the edits it accepts. */
export interface BoardSource {
  /** A new array after every change. */
  readonly sessions: readonly BoardSession[]
  /** A sentence about what currently cannot be read or followed. */
  readonly notice?: string | undefined
  /** Called after every change of `sessions` or `notice`. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
  /**
   * The sessions whose plans the viewer is looking at. What is known about them is in `sessions` when this returns; what must
   * be read first follows as a change.
   */
  show(keys: readonly string[]): void
  /**
   * `seen` is the plan as the viewer saw it: a todo that has been replaced since is left unchanged. Never rejects.
   */
  edit(key: string, edit: BoardEdit, seen: Plan | undefined): Promise<EditResult>
  /** Returns the plan as text for an editor. */
  textOf(plan: Plan): string
}
