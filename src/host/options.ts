/** The options with which a host adapts the list tools of its agent, the same at every door. */
import type { LoadMode, ToolWording } from "../dialects/definition.ts"
import type { Dialect, PromptLevel } from "../dialects/dialect.ts"
import type { DialectId } from "../dialects/index.ts"
import type {
  Pace,
  Profile,
  ReminderGenerator,
  ReminderId,
  ReminderOverride,
  SystemPromptOverride,
  SystemPromptSectionName,
  SystemPromptSections,
} from "../guidance/index.ts"
import type { Problem } from "../plan/index.ts"
import type { Gate } from "../tracker/gate.ts"
import type { Written } from "../tracker/written.ts"

export type HostOptions = {
  /** The vocabulary of the tools: a dialect, or its id. @default "headway" */
  dialect?: Dialect | DialectId | undefined
  /**
   * Which of the dialect's tools to offer, one or several, such as `todo_write` of `oh-my-pi`. @default its current
   * tools
   */
  tool?: string | readonly string[] | undefined
  /** Your own names for tools, by Headway's names. All texts that mention a tool use them. */
  names?: Partial<Record<string, string>> | undefined
  /** How much the model is told about the tools. @default "quiet" */
  level?: PromptLevel | undefined
  /** Your own texts instead of ours. */
  overrides?: Overrides | undefined
  /**
   * Whether to ask the model service to enforce the schema, if it can. Input is repaired in any case. @default false
   */
  strict?: boolean | undefined
  /** `discoverable` tools must be found with a search for tools, if the service supports that. @default "essential" */
  loadMode?: LoadMode | undefined
  /** Your tool that starts a sub-agent; the prompts mention it. @default none */
  subagent?: string | undefined
  /**
   * Your own system prompt. A string goes before the sections about the tools; a function receives the sections and
   * places them. @default only the sections about the tools
   */
  system?: HostSystem | undefined
  /** When the model is reminded of the list. @default "quiet" */
  profile?: Profile | undefined
  /** Exactly these reminders, in this order, instead of the profile's. */
  rules?: readonly ReminderId[] | undefined
  /**
   * After how many turns each reminder is given. @default `defaultPace`: 7 since the list was written, 3 since the last
   * reminder, …
   */
  pace?: Partial<Pace> | undefined
  /**
   * Other messages to give between turns, by name: your own, or those of `createQueuedMessages` and
   * `createChangedFiles`.
   */
  generators?: Readonly<Record<string, ReminderGenerator>> | undefined
  /**
   * Called before a call marks todos as done: refused ones stay open, and the model is told why. It must terminate by
   * itself, and should refuse the same todo only once. @default none
   */
  gate?: Gate | undefined
  /** Called for a reminder or generator that failed and was left out. */
  onProblem?: ((problem: Problem) => void) | undefined
}

/** Every string that reaches the model. An empty one is left out. */
export type Overrides = {
  /** By our name for the tool: a description, or description, summary, fields and examples separately. */
  tools?: Partial<Record<string, string | ToolWording>> | undefined
  /** Sections of the system prompt. */
  system?: Partial<Record<SystemPromptSectionName, SystemPromptOverride>> | undefined
  /** Reminders between turns. */
  reminders?: Partial<Record<ReminderId, ReminderOverride>> | undefined
  /** Returns the reply to a call. `ours` is the default text. A person's changes are still added to the reply. */
  reply?: ((written: Written, ours: string) => string) | undefined
}

export type HostSystem = string | ((sections: SystemPromptSections) => string)
