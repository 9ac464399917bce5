/** What the board knows of one agent's session, and what a person may do to its plan: the contract between screen and data. */
import type { Progress } from "../../plan/progress.ts"
import type { Plan } from "../../plan/todo.ts"

/** What an agent seems to be doing; `waiting` is for the person. */
export type BoardState = "working" | "waiting" | "stalled" | "finished" | "idle"

export type BoardSession = {
  /** Names this agent of this session for good. */
  key: string
  agentType: string
  session: string
  /** `main`, or a sub-agent's id. */
  agent: string
  /** The key of the agent this one works for. */
  parent?: string | undefined
  /** The heading it stands under: a folder, shortened for people. */
  project: string
  state: BoardState
  /** Whether the session has a list tool at all: `absent` is said, not shown as an empty plan. */
  planTool: "present" | "absent" | "unknown"
  /** Last activity, in ISO form. */
  updated: string
  /** The plan in short, cheap to know for hundreds of sessions. */
  progress: Progress
  todos: number
  /** What is being done now. */
  current?: string | undefined
  /**
   * The plan itself, read when it is looked at; the same object until it changes, for it is asked for with every frame.
   * Undefined as well while it is being read: `todos` tells, and a change follows.
   */
  readonly plan: Plan | undefined
  /** When a todo was begun and finished, in ISO form, as far as that is known. */
  times(id: string): { started?: string; finished?: string } | undefined
  /** False for what can only be looked at. */
  isEditable: boolean
}

/** What a person does to a plan from the board. */
export type BoardEdit =
  | { kind: "toggle"; todo: string }
  | { kind: "add"; content: string; after?: string | undefined }
  | { kind: "drop"; todo: string; reason?: string | undefined }
  | { kind: "block"; todo: string; reason?: string | undefined }
  | { kind: "undo" }
  /** The whole plan as a person wrote it in an editor, and as it was shown to them. */
  | { kind: "text"; text: string; shown: Plan }

/** Where the board gets its sessions, and where a person's edits go. */
export interface BoardSource {
  /** Another array after every change, never one changed in place. */
  readonly sessions: readonly BoardSession[]
  /** What cannot be read or followed just now, in a sentence for the person. */
  readonly notice?: string | undefined
  /** Called after every change of `sessions` or `notice`. Answers how to stop. */
  subscribe(listener: () => void): () => void
  /** Answers one line that says what really happened, or why nothing did; never rejects. */
  edit(key: string, edit: BoardEdit): Promise<string>
  /** The plan as the text a person edits. */
  textOf(plan: Plan): string
}
