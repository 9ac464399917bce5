/** What a board knows of one agent's session, and what a person may do to its plan: plain data, fit to be sent as JSON. */
import type { Actor } from "../../plan/event.ts"
import type { TodoSpan } from "../../plan/log/history.ts"
import type { Progress } from "../../plan/progress.ts"
import type { Plan, TodoStatus } from "../../plan/todo.ts"
import type { DoneMarks } from "../evidence-marks.ts"
import type { Hearing, Unheard } from "../hearing.ts"

/** What an agent seems to be doing; `waiting` is for the person. */
export type BoardState = "working" | "waiting" | "stalled" | "ended" | "finished" | "failed" | "idle"

/** What an agent waits for: a permission it asked for, the reply to a question, or just the person's next words. */
export type WaitsFor = { kind: "permission" | "question" | "turn"; text?: string | undefined }

/** One agent of one session, with its plan in short: cheap to know for hundreds of sessions. */
export type SessionRow = {
  /** Names this agent of this session for as long as the board is open. */
  key: string
  agentType: string
  /** What people call the agent, in a word. @default agentType */
  agentName?: string | undefined
  session: string
  /** `main`, or a sub-agent's id. */
  agent: string
  /** The key of the agent this one works for. */
  parent?: string | undefined
  /** The heading it is under: a folder, shortened for people. */
  project: string
  /** The branch of the repository it works on, where that is said. */
  branch?: string | undefined
  /** What the session is about. */
  title?: string | undefined
  /** What kind of sub-agent it is. */
  role?: string | undefined
  /** PERSON@MACHINE: for whom it works and where, of a plan that is shared. */
  who?: string | undefined
  state: BoardState
  /** With `waiting`: what for. */
  waitsFor?: WaitsFor | undefined
  /** With `failed`: what went wrong. */
  error?: string | undefined
  /** Whether the session has a list tool at all: `absent` is said, not shown as an empty plan. */
  planTool: "present" | "absent" | "unknown"
  /** Last activity, in ISO form. */
  updated: string
  progress: Progress
  todos: number
  /** How many todos are called done though the last check failed, where that was found out; absent where there is none. */
  contradicted?: number | undefined
  /** What is being done now. */
  current?: string | undefined
  /** Since when, in ISO form, as far as that is known. */
  currentSince?: string | undefined
  /** False for what can only be looked at. */
  isEditable: boolean
  /** Another number whenever the row, or the plan and the times behind it, may have changed: then they are read again. */
  version: number
}

/** The plan behind a row. */
export type SessionPlan = {
  /** Undefined when there is none. */
  plan?: Plan | undefined
  /** When its todos were begun and finished, by their ids, as far as that is known. */
  times: Readonly<Record<string, TodoSpan>>
  /** What stands behind those of its todos that are done. Absent where that is not known, or not yet. */
  marks?: DoneMarks | undefined
  /** What the agent does not know of the plan, and whether it will hear of it. Absent where there is nothing to say. */
  unheard?: (Unheard & { hearing: Hearing }) | undefined
}

/** What happened to a plan, oldest first. */
export type SessionHistory = {
  entries: readonly {
    id: string
    at: string
    by: Actor["kind"]
    /** Who did it, for people. */
    name: string
    /** What it did, in words. */
    lines: readonly string[]
    /** Of a person's change: whether the agent knows of it. */
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
  /** What a blocked todo waited for: a note on it, and it is no longer blocked. */
  | { kind: "answer"; todo: string; text: string }
  | { kind: "reword"; todo: string; content: string }
  /** One place up or down among the todos as they are shown. */
  | { kind: "move"; todo: string; by: -1 | 1 }
  /** Behind another todo and into its phase; without `after` first in a phase, `""` for none, or before all others. */
  | { kind: "place"; todo: string; after?: string | undefined; phase?: string | undefined }
  /** Takes back the edit that this entry is; without one the last of the person's. */
  | { kind: "undo"; entry?: string | undefined }
  | { kind: "redo" }
  /** What the person calls the session from now on; with an empty title it goes by its own again. */
  | { kind: "rename"; title: string }
  /** The whole plan as a person wrote it in an editor. */
  | { kind: "text"; text: string }

/** What came of an edit: `message` says in one line what really happened, or why nothing did. */
export type EditResult = {
  outcome: "changed" | "unchanged" | "refused"
  message: string
  /** The entry that the edit has become, by which exactly this one can be taken back. */
  entry?: string | undefined
}

/** A session in which words were found that its row does not say, and the text around them. */
export type BoardFound = { key: string; text: string }

/** Rows as they change. */
export type WatchedRows = Pick<BoardSource, "sessions" | "notice" | "subscribe">

/** What one viewer sees, and where their edits go. */
export interface BoardSource {
  /** Another array after every change, never one changed in place. */
  readonly sessions: readonly BoardSession[]
  /** What cannot be read or followed just now, in a sentence for the person. */
  readonly notice?: string | undefined
  /** Called after every change of `sessions` or `notice`. Returns how to stop. */
  subscribe(listener: () => void): () => void
  /**
   * The sessions whose plans the viewer is looking at. What is known about them is in `sessions` when this returns; what must
   * be read first follows as a change.
   */
  show(keys: readonly string[]): void
  /**
   * `seen` is the plan the viewer had in sight when they decided: a todo that has become another one since stays as it is.
   * Never rejects.
   */
  edit(key: string, edit: BoardEdit, seen: Plan | undefined): Promise<EditResult>
  /** The plan as the text a person edits. */
  textOf(plan: Plan): string
}
