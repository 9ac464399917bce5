/** What can happen to a plan. Events carry old values, so that undo is the inverse as a new entry. */
import type { Lease } from "./log/claims.ts"
import type { Stamp } from "./log/ledger.ts"
import type { Origins } from "./log/origins.ts"
import type { Todo, TodoStatus } from "./todo.ts"

/** The fields of a todo an event may set; `null` takes a field away. */
export type TodoPatch = { [Field in keyof Omit<Todo, "id">]?: Todo[Field] | null }

/**
 * A place in a list is named by what comes before it: an id (or phase name), `""` for the very start.
 * Absent means the natural end: of the todo's phase where it has one, else of the list.
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
  /** `restores` puts a removed todo back under its own id, once; otherwise an id is never given twice. */
  | { type: "todo-added"; todo: Todo; after?: Place; restores?: true; times?: SeenTimes }
  | TodoChanged
  /** `putsAway`: a person undid their change to a finished list, so that it is put away again with this todo, and in their sight. */
  | { type: "todo-removed"; todo: Todo; was?: Place; putsAway?: true }
  | { type: "todo-moved"; id: string; after?: Place; was?: Place }
  /** An owner takes a todo for a while. Whether it is granted is decided in the fold, which adds `until` and what `was`. */
  | { type: "todo-claimed"; id: string; owner: string; minutes: number; until?: string; was?: Lease }
  | { type: "todo-released"; id: string; owner: string }
  /** A name that is already there is moved, and `was` says from where. */
  | { type: "phase-added"; name: string; after?: Place; was?: Place }
  /** Only an empty phase goes: todos are never orphaned. */
  | { type: "phase-removed"; name: string; was?: Place }
  /** Removes exactly the todos and phases named: what others added in the meantime stays. */
  | { type: "plan-cleared"; todos: readonly Todo[]; phases?: readonly string[] }
  /** The agent continued a todo against a person's decision. It has no effect: the person's decision stays. */
  | { type: "todo-refused"; content: string; status: TodoStatus }
  /** In the plan this one came from, a person decided this about a todo. It changes nothing in the list. */
  | TodoDecided
  /** In the plan this one came from, a person removed this todo, which also had these wordings. */
  | { type: "todo-buried"; todo: Todo; formerly?: readonly string[] }
  /**
   * The agent has been told of these entries, which it did not write, and of one more only a part. Where several agents share
   * the plan, `to` says which of them (`client` of an actor), and it may be told of none: from then on it is known. Without it,
   * all of them were told.
   */
  | { type: "agent-told"; entries: readonly string[]; part?: ToldPart; to?: string }
  /** A plan that came back in a later session is paused until it is resumed. */
  | { type: "plan-restored"; context: "start" | "resume" | "compact" }
  | { type: "plan-resumed" }
  /** A person wants this to be checked, of a todo or of the whole plan, or no longer does. */
  | { type: "check-set"; check: PlanCheck }
  | { type: "check-removed"; check: PlanCheck }
  /** Headway itself has checked it. */
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
  /** A person took their own change back: who had set each field before it, `null` where it was as added. */
  former?: Record<string, Stamp | null>
}

/** Those events of an entry that one notice had room for, by their positions: `to` is the first one that is left. */
export type ToldPart = { entry: string; from: number; to: number }

/** What the session of another program says about the status of a todo: since when it has it, and before that in progress, in milliseconds. */
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
  /** The last lines it printed, where it did not pass. */
  printed?: readonly string[]
  /** It kept the todo open, or the agent overruled it with a second attempt. */
  gate?: "refused" | "overruled"
}

/** Whose plan: one agent in one session. */
export type PlanKey = { session: string; agent: string }

/** First entry of a journal: whose plan this is. */
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

/** The plan goes on in another session (`to`), or came from one (`from`). */
export type PlanMoved = { type: "plan-moved"; from?: string; to?: string }

/** `other` is a person or program elsewhere: the entry came with a repository, and is not attributed to the person at this machine. */
export type Actor = {
  kind: "agent" | "person" | "system" | "other"
  id: string
  /** Which of several agents that write to one plan it is: two of them may have the same name. */
  client?: string
  /** A person who did it on another machine, as far as this one can tell. Said by the store that reads it, and never written. */
  isElsewhere?: true
}

/** Who wrote an entry and where, for plans that are shared between machines. */
export type Writer = { person: string; machine: string }

/** What must hold once an entry is applied, decided where the log is folded and not by the writer. */
export type Settle = {
  /** Only the first todo in progress stays so; the others go back to pending. */
  oneActive?: boolean
  /** With none in progress, the first pending todo starts. */
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
  /** The entry this one takes back. */
  undoes?: string
  /** Of a person's entry: how the todos it names were worded, by id. */
  names?: Record<string, string>
  /** Which entries added the todos it names: an id alone may come to mean another todo. */
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
