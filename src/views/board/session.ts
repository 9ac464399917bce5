/** The board's data about one agent's session, and the edits of its plan: plain data that can be sent as JSON. */
import type { Upcoming } from "../../plan/at-hand.ts"
import type { Actor } from "../../plan/event.ts"
import type { TodoSpan } from "../../plan/log/history.ts"
import type { Progress } from "../../plan/progress.ts"
import type { Plan, TodoStatus } from "../../plan/todo.ts"
import type { Hearing, Unheard } from "../hearing.ts"
import type { DoneMarks } from "../plan/evidence-marks.ts"

/** What an agent seems to be doing; `waiting` is for the person. */
export type BoardState = "working" | "waiting" | "stalled" | "ended" | "finished" | "failed" | "idle"

/** What an agent waits for: a permission it asked for, the reply to a question, or just the person's next words. */
export type WaitsFor = { kind: "permission" | "question" | "turn"; text?: string | undefined }

/** What people call an agent. */
export type AgentNames = Pick<SessionRow, "agentName" | "agentShortName">

/** One agent of one session, with its plan in short: cheap to know for hundreds of sessions. */
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
  /** The heading it is under: a folder, shortened for people. */
  project: string
  /** The branch of its repository, if known. */
  branch?: string | undefined
  /** What the session is about. */
  title?: string | undefined
  /** What kind of sub-agent it is. */
  role?: string | undefined
  /** PERSON@MACHINE of a shared plan: whom it works for and where. */
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
  /** What is being done now. */
  current?: string | undefined
  /** The todo it continues with if none is in progress. */
  upcoming?: Upcoming | undefined
  /** Since when, in ISO form, as far as that is known. */
  currentSince?: string | undefined
  /** False for a read-only session. */
  isEditable: boolean
  /** Changes whenever the row, its plan or its times may have changed, so that they are read again. */
  version: number
}

/** The plan behind a row. */
export type SessionPlan = {
  /** Undefined when there is none. */
  plan?: Plan | undefined
  /** When its todos were begun and finished, by their ids, as far as that is known. */
  times: Readonly<Record<string, TodoSpan>>
  /** The evidence for its done todos. Absent if not known, or not known yet. */
  marks?: DoneMarks | undefined
  /** The changes the agent does not know, and whether it will be told. Absent if there are none. */
  unheard?: (Unheard & { hearing: Hearing }) | undefined
}

/** The history of a plan, oldest first. */
export type SessionHistory = {
  entries: readonly {
    id: string
    at: string
    by: Actor["kind"]
    /** Who did it, for people. */
    name: string
    /** What it did, in words. */
    lines: readonly string[]
    /** For a person's change: whether the agent knows of it. */
    isTold?: boolean
  }[]
  spans: readonly StatusSpan[]
}

/** How long a todo was in progress or blocked; without `to` it still is. One that was finished at once has no length. */
export type StatusSpan = { todo: string; content: string; status: TodoStatus; from: string; to?: string }

/** A row as one viewer has it: with its plan, once that has been read. */
export type BoardSession = SessionRow & Partial<SessionPlan>

/** What a person does to a plan from the board. */
export type BoardEdit =
  | { kind: "toggle" | "start" | "remove"; todo: string }
  | { kind: "add"; content: string; after?: string | undefined }
  | { kind: "drop"; todo: string; reason?: string | undefined }
  | { kind: "block"; todo: string; reason?: string | undefined }
  | { kind: "note"; todo: string; text: string }
  /** The answer a blocked todo waited for: adds a note and unblocks it. */
  | { kind: "answer"; todo: string; text: string }
  | { kind: "reword"; todo: string; content: string }
  /** One place up or down among the todos as they are shown. */
  | { kind: "move"; todo: string; by: -1 | 1 }
  /** After another todo and into its phase; without `after` to the start of a phase (`""` for none) or of the plan. */
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

/** A session in which words were found that its row does not say, and the text around them. */
export type BoardFound = { key: string; text: string }

/** Rows as they change. */
export type WatchedRows = Pick<BoardSource, "sessions" | "notice" | "subscribe">

/** The data of one viewer, and the target of their edits. */
export interface BoardSource {
  /** A new array after every change. */
  readonly sessions: readonly BoardSession[]
  /** A sentence about anything that currently cannot be read or followed. */
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
