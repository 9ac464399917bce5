/** The contract of a dialect: one agent's vocabulary for its list, in both directions. Read this first. */
import type { z } from "zod"
import { HeadwayError } from "../plan/headway-error.ts"
import type { Ledger, Plan, PlanEvent, Priority, Problem, Rules, TodoStatus, Wanted } from "../plan/index.ts"
import type { PlanView } from "../views/index.ts"

/** A call of a list tool, as a model made it or as it appeared in a stream. */
export type ToolCall = {
  tool: string
  /** The host's own name for that tool, if it has one. Replies to the model use it. */
  calledAs?: string
  /** The input as received: an object, or raw text that may not even be JSON. */
  input: unknown
  session?: string
  agent?: string
  /** Distinguishes the agents that write to one plan, see `Actor`. */
  client?: string
  at?: string
  /** A call with a known id is not applied again to the same plan. */
  callId?: string
  /**
   * The call was observed in another agent's session instead of being made to us. The agent's own tool has already
   * enforced its rules. An item with an unknown status is skipped.
   */
  observed?: boolean
  /** The reply of the agent's own tool, if known. Some facts, such as ids, exist only there. */
  result?: unknown
  /** For a call that only asks: the calls that ran at the same time. Its result may be older than what they changed. */
  beside?: readonly ToolCall[]
}

export type Decoded = {
  events: PlanEvent[]
  problems: Problem[]
  /** The list in the call, for the rules and for result data. Absent if the call has no list. */
  items?: Wanted[]
  /** The items as sent, before any processing. Absent if part of the list was left out. */
  sent?: readonly unknown[]
  /** Whether the call only reads the list. */
  reads?: boolean
  /**
   * The call replaces the list: of the list before it, only the ids of the todos matter. Also set for such a call that
   * cannot be read; absent for a call that changes the existing list.
   */
  replaces?: boolean
  /** The call lists all todos, even if its items leave out some of their fields. @default as the dialect says */
  saysWholeList?: boolean
  /**
   * Whether earlier calls were missed, because todos that this call names are not in the plan. Only set for observed
   * calls.
   */
  missed?: boolean
  /** Whether the call begins another list, so that the events start from an empty one. */
  startsOver?: boolean
  /** Facts that the dialect needs again for its reply. */
  details?: Record<string, unknown>
}

/** The outcome of a call. */
export type Outcome = {
  call: ToolCall
  decoded: Decoded
  before: Plan
  after: Plan
  /** The same without todos that were finished before the plan was resumed (SPEC O14). @default `after` */
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
  /** The structured result in this dialect's format; undefined if the dialect has none. */
  data: Data
}

/** How much the model is told: nothing beyond the schema, the rules that change behaviour, or everything. */
export const promptLevels = ["off", "quiet", "full"] as const
export type PromptLevel = (typeof promptLevels)[number]

/** A tool as offered to a model. */
export type Tool = {
  name: string
  /**
   * One line for lists of tools, and for models that see nothing else: what the tool does, and that the model may use
   * it unasked.
   */
  summary: string
  prompts: Record<PromptLevel, string>
  /** Built on demand, so that reading a call does not load zod. */
  input: (zod: typeof z) => z.ZodType
  output?: (zod: typeof z) => z.ZodType
  /** An example of a valid input. */
  example: Record<string, unknown>
  isReadOnly?: boolean
  /** An earlier tool of the same agent, offered only if it is requested by name. */
  isFormer?: boolean
}

/** What this vocabulary can express, which shows in advance what will be lost. */
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
  /** Whether two todos may have the same text. */
  duplicates: boolean
  /** Whether only one todo can be in progress. */
  oneActive?: boolean
  /** The phase of todos without a phase. */
  orphanPhase?: string
  /** Whether phases without todos survive. */
  emptyPhases?: boolean
}

/** `Data` is the structured result of its calls. */
export interface Dialect<Data = unknown> {
  id: string
  /** The name of the vocabulary, for tables and help. */
  title: string
  /** The names of the tools whose calls it reads, newest first. A call without a name counts as one of the first. */
  toolNames: readonly [string, ...string[]]
  /** The tools it offers to models, with our own texts; empty for vocabularies that are only read. */
  tools: readonly Tool[]
  rules: Rules
  carries: Carries
  /** Whether each call contains the whole list. */
  wholeList: boolean
  /** Whether its tools are withheld from sub-agents. */
  notForSubAgents?: boolean
  /** Whether its tools are withheld if the host has its own tool to hand control back. */
  notWithYield?: boolean
  /** How its own agent shows the plan. Screens do the same if they can. @default "list" */
  view?: PlanView
  /** Describes a call in one line for a person. Never throws. The text is not sanitised yet. */
  describeCall?(call: Pick<ToolCall, "tool" | "input">): string
  /** Never throws. A call that cannot be read results in no events and an error problem with a valid example. */
  decode(call: ToolCall, plan: Plan, ledger?: Ledger): Decoded
  /**
   * What of a call that was seen stands if later calls of its agent were applied before it; undefined if nothing does. Of a
   * whole list nothing does, without this. Only for calls that name single todos.
   */
  standing?(call: ToolCall, later: readonly ToolCall[]): ToolCall | undefined
  reply(outcome: Outcome): Reply<Data>
  /**
   * The calls that would create this plan from an empty list, within the limits of its tools. Anything shortened,
   * merged or left out is added to `problems`.
   */
  encode(plan: Plan, problems?: Problem[]): ToolCall[]
}

/** Without types, a program may pass a dialect's name, or nothing. */
export const assertDialect = (given: unknown, what: string): void => {
  if (typeof given === "object" && given !== null && "decode" in given) return
  const name = typeof given === "string" ? given : "headway"
  throw new HeadwayError("usage", `${what} needs a dialect, such as findDialect(${JSON.stringify(name)}).`)
}

/** The structured result of a dialect's calls; for a union of dialects, any of their results. */
export type DataOf<Spoken extends Dialect> = Spoken extends Dialect<infer Data> ? Data : never
