/** What can happen to a plan. Events carry old values, so that undo is the inverse as a new entry. */
import type { Lease } from "./log/claims.ts"
import type { Stamp } from "./log/ledger.ts"
import type { Origins } from "./log/origins.ts"
import type { Todo, TodoStatus } from "./todo.ts"

/** The fields of a todo that an event may set; `null` removes a field. */
export type TodoPatch = { [Field in keyof Omit<Todo, "id">]?: Todo[Field] | null }

/**
 * A place in a list, named by what comes before it: an id (or phase name), or `""` for the very start.
 * Absent means the natural end: of the todo's phase if it has one, otherwise of the list.
 */
export type Place = string

/** A value that cannot be changed at any depth. */
export type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value

export type PlanEvent =
  | PlanOpened
  /** `restores` puts a removed todo back under its own id, once; otherwise an id is never reused. */
  | { type: "todo-added"; todo: Todo; after?: Place; restores?: true; times?: SeenTimes }
  | TodoChanged
  /** `putsAway`: a person undid their change to a finished list, so it is put away again with this todo, and they still see it. */
  | { type: "todo-removed"; todo: Todo; was?: Place; putsAway?: true }
  | { type: "todo-moved"; id: string; after?: Place; was?: Place }
  /** An owner claims a todo for a while. The fold decides whether the claim is granted, and adds `until` and `was`. */
  | { type: "todo-claimed"; id: string; owner: string; minutes: number; until?: string; was?: Lease }
  | { type: "todo-released"; id: string; owner: string }
  /** If the phase already exists, it is moved; `was` is where it came from. */
  | { type: "phase-added"; name: string; after?: Place; was?: Place }
  /** Only an empty phase is removed: todos are never orphaned. */
  | { type: "phase-removed"; name: string; was?: Place }
  /** Removes exactly the named todos and phases: what others added in the meantime stays. */
  | { type: "plan-cleared"; todos: readonly Todo[]; phases?: readonly string[] }
  /** The agent continued a todo against a person's decision. It has no effect: the person's decision stays. */
  | { type: "todo-refused"; content: string; status: TodoStatus }
  /** In the plan this one came from, a person decided this about a todo. It changes nothing in the list. */
  | TodoDecided
  /** In the plan this one came from, a person removed this todo, which also had these wordings. */
  | { type: "todo-buried"; todo: Todo; formerly?: readonly string[] }
  /**
   * The agent has been told about these entries, which it did not write, and about part of one more. If several agents share
   * the plan, `to` says which one was told (the `client` of an actor); without it, all of them were. With no entries, the event
   * only records that this agent exists.
   */
  | { type: "agent-told"; entries: readonly string[]; part?: ToldPart; to?: string }
  /** A plan that came back in a later session is paused until it is resumed. */
  | { type: "plan-restored"; context: "start" | "resume" | "compact" }
  | { type: "plan-resumed" }
  /** A person wants this check for a todo or for the whole plan, or no longer wants it. */
  | { type: "check-set"; check: PlanCheck }
  | { type: "check-removed"; check: PlanCheck }
  /** Headway itself has run the check. */
  | CheckRan
  | PlanMoved

export type TodoChanged = {
  type: "todo-changed"
  id: string
  from: TodoPatch
  to: TodoPatch
  times?: SeenTimes
  /** An agent named the todo by its text: it knows that the todo exists, whether it was told or not. */
  byText?: true
  /** A person undid their own change: who had set each field before it; `null` if it was as added. */
  former?: Record<string, Stamp | null>
}

/** The events of an entry that one notice had room for, by position; `to` is the first one that is left. */
export type ToldPart = { entry: string; from: number; to: number }

/** What another program's session says about a todo: since when it has its status, and how long it was in progress before, in milliseconds. */
export type SeenTimes = { since: string; spent?: number }

export type TodoDecided = {
  type: "todo-decided"
  id: string
  /** They set these fields to their current values. */
  fields: readonly string[]
  /** They added it, and others have set these fields since. */
  added?: { others: readonly string[] }
  /** Wordings they replaced. */
  formerly?: readonly string[]
}

/** A command that must succeed, or a file that must exist. Without a todo it applies to the whole plan. */
export type PlanCheck = { todo?: string; command?: string; file?: string }

export type CheckRan = {
  type: "check-ran"
  check: PlanCheck
  outcome: "passed" | "failed" | "timed-out"
  /** It failed because its program is missing or may not be run, so it is no evidence about the work. */
  isNotRunnable?: boolean
  /** In milliseconds. */
  took: number
  /** The commit that was checked out and the content of all files of the project, if it is a git repository. */
  revision?: string
  tree?: string
  /** The last lines it printed, if it did not pass. */
  printed?: readonly string[]
  /** It kept the todo open, or the agent overruled it with a second attempt. */
  gate?: "refused" | "overruled"
}

/** Identifies a plan: one agent in one session. */
export type PlanKey = { session: string; agent: string }

/** The first event of a journal: which plan this is. */
export type PlanOpened = {
  type: "plan-opened"
  session: string
  agent: string
  agentType?: string
  project?: string
  parent?: { agent: string; todo?: string }
  /** What the session was about when it began. */
  title?: string
}

/** The plan continues in another session (`to`), or came from one (`from`). */
export type PlanMoved = { type: "plan-moved"; from?: string; to?: string }

/** `other` is a person or program elsewhere: the entry came with a repository, and is not attributed to the person at this machine. */
export type Actor = {
  kind: "agent" | "person" | "system" | "other"
  id: string
  /** Distinguishes the agents that write to one plan, because two of them may have the same name. */
  client?: string
  /** A person on another machine, as far as this one can tell. Set by the store that reads the entry, and never written. */
  isElsewhere?: true
}

/** Who wrote an entry and where, for plans that are shared between machines. */
export type Writer = { person: string; machine: string }

/** What must be true after an entry is applied. The fold ensures it, not the writer. */
export type Settle = {
  /** Only the first todo in progress stays in progress; the others become pending. */
  oneActive?: boolean
  /** If no todo is in progress, the first pending one is started. */
  autoStart?: boolean
  /** The entry is an agent's whole list: it changes no todo that another agent has claimed. */
  keepsClaimed?: boolean
}

export type Entry = {
  v: 1
  id: string
  /** ISO 8601. */
  at: string
  by: Actor
  from?: Writer
  via?: {
    dialect: string
    tool: string
    callId?: string
    /** When the call was made, if the agent was told about a person's change between then and the entry. */
    madeAt?: string
  }
  events: PlanEvent[]
  settle?: Settle
  /** The entry that this one undoes. */
  undoes?: string
  /** In a person's entry: how the todos that it names were worded, by id. */
  names?: Record<string, string>
  /** Which entries added the todos that it names, because an id may later mean another todo. */
  origins?: Origins
}

const planChanges: ReadonlySet<string> = new Set<PlanEvent["type"]>([
  "todo-added",
  "todo-changed",
  "todo-removed",
  "todo-moved",
  "phase-added",
  "phase-removed",
  "plan-cleared",
])

/** Whether an event changes the list itself, and not only what is known about it. */
export const isPlanChange = ({ type }: PlanEvent): boolean => planChanges.has(type)

/** The todos that an event removes. */
export const removedBy = (event: PlanEvent): readonly Todo[] =>
  event.type === "todo-removed" ? [event.todo] : event.type === "plan-cleared" ? event.todos : []
