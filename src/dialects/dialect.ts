/** The contract of a dialect: one agent's vocabulary for its list, in both directions. Read this first. */
import type { z } from "zod"
import type { Ledger, Plan, PlanEvent, Priority, Problem, Rules, TodoStatus, Wanted } from "../plan/index.ts"
import type { PlanView } from "../views/index.ts"

/** One call of a list tool, as a model made it or as it was seen in a stream. */
export type ToolCall = {
  tool: string
  /** What the host calls that tool, where it has another name for it: what the model is told says so. */
  calledAs?: string
  /** As it came: an object, or raw text that may not even be JSON. */
  input: unknown
  session?: string
  agent?: string
  /** Which of several agents that write to one plan made it, see `Actor`. */
  client?: string
  at?: string
  /** One call id is applied once per plan, however often it is seen. */
  callId?: string
  /**
   * Seen in another agent's session rather than made to us: shown as that agent sent it. Its own tool enforces its own
   * rules; an item whose status no synonym explains is skipped instead of guessed at.
   */
  observed?: boolean
  /** What the agent's own tool answered, where it was seen: some facts (ids) exist only there. */
  result?: unknown
}

export type Decoded = {
  events: PlanEvent[]
  problems: Problem[]
  /** The list as the call said it, for the rules and for result data. Absent when the call says no list. */
  items?: Wanted[]
  /** The items as sent in the call, before any processing. Absent when some of the list was left out. */
  sent?: readonly unknown[]
  /** The call only asks for the list. */
  reads?: boolean
  /**
   * The call says the whole list: of what stood before only the ids of the todos matter. Also true of such a call that
   * cannot be read; absent where a call changes the list that is there.
   */
  replaces?: boolean
  /** The list is meant as a whole, also where its items leave something unsaid. @default as the dialect says */
  saysWholeList?: boolean
  /** Calls before this one were missed: what it names is not in the plan. Only said of calls that were observed. */
  missed?: boolean
  /** The previous list is a different one: the events start from an empty list. */
  startsOver?: boolean
  /** Facts the dialect wants to find again when it replies. */
  details?: Record<string, unknown>
}

/** The outcome of a call. */
export type Outcome = {
  call: ToolCall
  decoded: Decoded
  before: Plan
  after: Plan
  /** The same without what was finished before the plan was resumed (O14). @default `after` */
  working?: Plan
  /** The events that took effect, with true old values and final ids. */
  events: readonly PlanEvent[]
  /** All problems, including the rules' refusals. */
  problems: readonly Problem[]
  /** Whether the plan outlives the process. */
  isPersistent: boolean
}

export type Reply<Data = unknown> = {
  /** The text for the model. */
  text: string
  /** The structured result, as agents of this dialect know it; undefined where they know none. */
  data: Data
}

/** How much is said to the model: nothing beyond the schema, the rules that change behaviour, or all of it. */
export const promptLevels = ["off", "quiet", "full"] as const
export type PromptLevel = (typeof promptLevels)[number]

/** A tool as a model is offered it. */
export type Tool = {
  name: string
  /** One line, for lists of tools and for models that see no more of it: what it is, and that it is to be used unasked. */
  summary: string
  prompts: Record<PromptLevel, string>
  /** Built on demand, so that reading calls never loads zod. */
  input: (zod: typeof z) => z.ZodType
  output?: (zod: typeof z) => z.ZodType
  /** One worked input. */
  example: Record<string, unknown>
  isReadOnly?: boolean
  /** A former tool of the same agent, offered only when it is asked for by name. */
  isFormer?: boolean
}

/** What this vocabulary can express, so that losses are known in advance. */
export type Carries = {
  statuses: readonly TodoStatus[]
  /** Optional fields of a todo that survive `encode` and `decode`. */
  fields: readonly (
    | "activeForm"
    | "phase"
    | "notes"
    | "description"
    | "priority"
    | "blockedBy"
    | "owner"
    | "reason"
    | "waitsFor"
  )[]
  priorities?: readonly Priority[]
  /** Equal texts may occur twice. */
  duplicates: boolean
  /** Only one todo can be said to be in progress. */
  oneActive?: boolean
  /** Where a todo without a phase ends up. */
  orphanPhase?: string
  /** Phases without todos survive. */
  emptyPhases?: boolean
}

/** `Data` is the structured result of its calls. */
export interface Dialect<Data = unknown> {
  id: string
  /** Whose vocabulary this is, for tables and help. */
  title: string
  /** Names of the tools whose calls it reads, newest first. The first is assumed when a call names none. */
  toolNames: readonly [string, ...string[]]
  /** The tools it offers to models, in our own words; empty for vocabularies that are only read. */
  tools: readonly Tool[]
  rules: Rules
  carries: Carries
  /** Each call says the whole list. */
  wholeList: boolean
  /** Its tools are not offered to sub-agents. */
  notForSubAgents?: boolean
  /** Its tools are not offered if the host has its own tool to hand control back. */
  notWithYield?: boolean
  /** How its own agent shows the plan; screens that can, do the same. @default "list" */
  view?: PlanView
  /** What a call does, in one line for a person, where its agent shows calls. Never throws; not yet safe to show. */
  describeCall?(call: Pick<ToolCall, "tool" | "input">): string
  /** Never throws. What cannot be read is an error problem with a valid example, and no events. */
  decode(call: ToolCall, plan: Plan, ledger?: Ledger): Decoded
  reply(outcome: Outcome): Reply<Data>
  /**
   * The calls that would create this plan from an empty list, within the limits of its tools. Anything shortened,
   * merged or left out is added to `problems`.
   */
  encode(plan: Plan, problems?: Problem[]): ToolCall[]
}

/** The structured result of a dialect's calls; of several dialects, any of theirs. */
export type DataOf<Spoken extends Dialect> = Spoken extends Dialect<infer Data> ? Data : never
