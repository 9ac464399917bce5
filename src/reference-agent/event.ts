/** The events of a working agent, for a screen, a log or a program: everything that happened, in order. */
import type { Attachment } from "../guidance/index.ts"
import type { Plan } from "../plan/index.ts"
import type { Permission } from "./tools/index.ts"

export type Usage = { input: number; output: number }

/** `agent` is `main`, or the id of a sub-agent; `depth` is 0 for the main one. */
export type AgentEvent = {
  agent: string
  depth: number
} /** A sub-agent begins or ends; its events in between have its id. */ & (
  | { type: "agent-started"; description: string; todo?: string }
  | { type: "agent-ended"; ending: Ending; text: string }
  | { type: "turn-started" }
  | { type: "text-said"; text: string }
  | { type: "thought-said"; text: string }
  | { type: "turn-ended"; usage: Usage }
  /** The output of this turn no longer counts. The turn is repeated if `willRetry` is set. */
  | { type: "turn-failed"; message: string; willRetry: boolean }
  /** `isSilent` means that the call is not shown, such as a list tool's, because the list itself is shown. */
  | {
      type: "tool-called"
      id: string
      tool: string
      input: unknown
      isSilent: boolean
      /** The tool's description of the call, in one line, safe to show. */
      display?: string
    }
  | { type: "tool-progressed"; id: string; text: string }
  | {
      type: "tool-ended"
      id: string
      tool: string
      text: string
      isError: boolean
      /** Whether it was refused because of plan mode, which is not a failure. */
      isHeldBack?: true
      isSilent: boolean
      /** Whether the person or plan mode refused it, so that it was not run. */
      isRejected?: true
      /** One line, safe to show. */
      display?: string
    }
  /** The spinner's text instead of the todo in progress; without a message, the todo is shown again. */
  | { type: "spinner-changed"; message?: string }
  | { type: "permission-asked"; permission: Permission; allowed: boolean }
  /** The list of this agent after any change. A list that empties itself when all is done is first reported as done. */
  | { type: "plan-changed"; plan: Plan }
  /**
   * Reminders and pushes are sent to the model and not shown to the person. A push says why the model should continue.
   */
  | { type: "reminder-said"; attachment: Attachment; text: string }
  | { type: "push-said"; text: string }
  | { type: "compacted"; summary: string }
  | { type: "mode-changed"; isPlanMode: boolean }
  /** A sentence for the person. Not yet safe to show, because it may quote a model or a service. */
  | { type: "notice-given"; message: string }
)

/** An event as emitted by a part of the agent. The agent's identity is added later. */
export type AgentEventPart = AgentEvent extends infer Event
  ? Event extends AgentEvent
    ? Omit<Event, "agent" | "depth">
    : never
  : never

export type Emit = (event: AgentEventPart) => void

/** How a piece of work ended. */
export type Ending = "done" | "interrupted" | "too-many-turns" | "failed"
