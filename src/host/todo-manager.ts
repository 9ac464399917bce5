/** A list in memory for small hosts: synchronous, without a store, with the same rules and replies as a tracker. */
import type { DataOf, Dialect, ToolCall } from "../dialects/dialect.ts"
import {
  type Actor,
  activeTodo,
  check,
  createFold,
  defaultRules,
  diff,
  type Entry,
  entryVersion,
  firstError,
  frozen,
  hasErrors,
  type PlanEvent,
  type Problem,
  type Progress,
  progressOf,
  type Rules,
  referencesIn,
  sanitise,
  settleOf,
  type Todo,
  type Wanted,
} from "../plan/index.ts"
import { faultIn } from "../plan/list/given-todos.ts"
import { answerCall, readCall } from "../tracker/call.ts"
import type { EntryPart } from "../tracker/new-entry.ts"
import type { Written } from "../tracker/written.ts"

/** A todo to store: its text, and any other fields. */
export type NewTodo = Wanted & { content: string }

export type TodoManagerOptions = {
  /** The rules for a list, such as `dialects.gencode.rules`. @default `defaultRules`: only sensible sizes */
  rules?: Rules
  now?: () => Date
}

export interface TodoManager {
  /**
   * Replaces the list. Todos that are recognised keep their ids. Returns the problems of the new list; if one of them
   * is an error, nothing is stored.
   */
  set(todos: readonly NewTodo[]): readonly Problem[]
  /** Returns copies: changing them does not change the list. */
  get(): Todo[]
  /** Returns a copy of the todo in progress, the first one if there are several. */
  active(): Todo | undefined
  /** Cancelled todos do not count. An empty list has 0%. */
  progress(): Progress
  clear(): void
  /** Handles one call of a model, like `tracker.write`. */
  write<Spoken extends Dialect>(call: ToolCall, dialect: Spoken): Written<DataOf<Spoken>>
}

export const createTodoManager = (options: TodoManagerOptions = {}): TodoManager => {
  const { rules = defaultRules, now = () => new Date() } = options
  const fold = createFold()
  let entries = 0

  const commit = ({ by, via, events, settle = {} }: EntryPart): PlanEvent[] => {
    entries += 1
    const entry: Entry = {
      ...{ v: entryVersion, id: String(entries), at: now().toISOString(), by },
      ...(via ? { via } : {}),
      events,
      ...(Object.keys(settle).length > 0 ? { settle } : {}),
    }
    return fold.add({ ...entry, ...referencesIn(events, by, fold) })
  }

  return {
    set(todos) {
      const fault = faultIn(todos)
      if (fault) return [fault]
      const wanted = todos.map(cleaned)
      const problems = check(rules, wanted)
      if (hasErrors(problems)) return problems
      commit({ by: host, events: diff(fold.plan, wanted).events, settle: settleOf(rules) })
      return problems
    },
    get: () => structuredClone(fold.plan.todos) as Todo[],
    active: () => structuredClone(activeTodo(fold.plan)),
    progress: () => progressOf(fold.plan),
    clear() {
      const { todos, phases } = fold.plan
      if (todos.length > 0)
        commit({ by: host, events: [{ type: "plan-cleared", todos: [...todos], phases: [...phases] }] })
    },
    write<Spoken extends Dialect>(call: ToolCall, dialect: Spoken): Written<DataOf<Spoken>> {
      const spoken = dialect as Dialect<DataOf<Spoken>>
      const before = fold.plan
      const { decoded, part } = readCall(call, spoken, fold, "main")
      const events = part ? commit(part) : []
      const outcome = { call, decoded, before, events, isPersistent: false }
      const { reply, problems } = answerCall(spoken, outcome, fold, { agent: "main" })
      return { ok: !firstError(problems), ...reply, events, problems, plan: frozen(fold.plan) }
    },
  }
}

const host: Actor = { kind: "system", id: "host" }

/** Sanitises a todo, because its texts may come from a model. */
const cleaned = ({ activeForm, ...todo }: NewTodo): NewTodo => ({
  ...todo,
  content: sanitise(todo.content),
  ...(activeForm === undefined ? {} : { activeForm: sanitise(activeForm) }),
})
