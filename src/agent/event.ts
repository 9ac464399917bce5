/** What an agent tells while it works, for a screen, a log or a program. Everything that happened, in order. */
import type { Attachment } from "../guidance/index.ts"
import type { Plan } from "../plan/index.ts"
import type { Permission } from "./tools/index.ts"

export type Usage = { input: number; output: number }

export type AgentEvent = { agent: string; depth: number } & (
  | { type: "turn-started" }
  | { type: "text-said"; text: string }
  | { type: "thought-said"; text: string }
  | { type: "turn-ended"; usage: Usage }
  /** What was said in this turn is void; it is asked again. */
  | { type: "turn-failed"; message: string; willRetry: boolean }
  | { type: "tool-called"; id: string; tool: string; input: unknown }
  | { type: "tool-progressed"; id: string; text: string }
  | { type: "tool-ended"; id: string; tool: string; text: string; isError: boolean; display?: string }
  | { type: "permission-asked"; permission: Permission; allowed: boolean }
  /** The list of this agent, whoever changed it. */
  | { type: "plan-changed"; plan: Plan }
  | { type: "reminder-said"; attachment: Attachment; text: string }
  | { type: "compacted"; summary: string }
  | { type: "mode-changed"; isPlanMode: boolean }
  /** A sentence for the person. */
  | { type: "notice-given"; message: string }
)

/** How a piece of work ended. */
export type Ending = "done" | "interrupted" | "too-many-turns" | "failed"
