/** Applies the evidence of a session to its stored plan, which a person may have changed. */
import { groupedBy } from "../plan/grouped.ts"
import { isFinished, type Ledger, nativeIdOf, normalise, type Plan, type Todo } from "../plan/index.ts"
import type { Evidence, TodoEvidence } from "./evidence.ts"
import { evidenceOfPlan } from "./verify.ts"

export type KeptPlan = {
  plan: Plan
  ledger: Pick<Ledger, "todos" | "removed">
  /** The agent of the plan. */
  agent: string
}

/** Keeps the todos of sub-agents, and todos of earlier lists unless a person has removed them. */
export const evidenceOnPlan = (evidence: Evidence, { plan, ledger, agent }: KeptPlan): Evidence => {
  const own = evidence.todos.filter((one) => agentOf(one) === agent)
  const others = evidence.todos.filter((one) => agentOf(one) !== agent)
  const seen = groupedBy(own, ({ content }) => normalise(content))
  const used = new Set<TodoEvidence>()
  const find = (todo: Todo): TodoEvidence | undefined => {
    const same = wordingsOf(todo, ledger).map((text) => (seen.get(text) ?? []).filter((one) => !used.has(one)))
    const found = same.find((some) => some.length > 0) ?? []
    return found.find(({ id }) => id === todo.id) ?? found[0]
  }
  const blank = evidenceOfPlan({ session: evidence.session ?? "", agent }, plan.todos).todos
  const planned = plan.todos.flatMap((todo, index): TodoEvidence[] => {
    const found = find(todo)
    if (found) used.add(found)
    const { id, content, status } = todo
    // The session has no evidence for a todo that only the person marked as done.
    const isSaid = found && (found.status === "completed" || status !== "completed")
    const base = isSaid ? found : blank[index]
    return base ? [{ ...base, id, content, status }] : []
  })
  const removed = removedByPerson(ledger)
  const earlier = own.filter(
    (one) => one.status === "completed" && !used.has(one) && !removed.has(normalise(one.content)),
  )
  // The plan's todos come first, because a check is matched to todos with the same text by their order in the plan.
  const todos = [...planned, ...earlier, ...others]
  return {
    ...evidence,
    todos,
    list: { ...evidence.list, open: todos.filter(({ status }) => !isFinished(status)).length },
  }
}

/**
 * The same for a plan that is only read. A session may name a todo by its id alone, where another one created it: its text is then
 * that of the list.
 */
export const withTextsOf = (evidence: Evidence, { todos }: Pick<Plan, "todos">, agent: string): Evidence => {
  const own = evidence.todos.filter((one) => agentOf(one) === agent)
  const [inPlan, inSession] = [todos, own].map((some) => new Set(some.map(({ content }) => normalise(content))))
  const unseen = todos.filter(({ content }) => !inSession?.has(normalise(content)))
  const textOf = new Map(unseen.map((todo) => [nativeIdOf(todo) ?? todo.id, todo.content]))
  const named = (one: TodoEvidence): TodoEvidence => {
    const content = textOf.get(one.id)
    const isKnown = content === undefined || agentOf(one) !== agent || inPlan?.has(normalise(one.content))
    return isKnown ? one : { ...one, content }
  }
  return { ...evidence, todos: evidence.todos.map(named) }
}

const agentOf = ({ agent = "main" }: TodoEvidence): string => agent

/** The todo's text, and its text before a person reworded it, which the session may still use. */
const wordingsOf = ({ id, content }: Todo, { todos, removed }: KeptPlan["ledger"]): string[] => {
  const { formerly = [] } = todos.get(id) ?? removed.get(id)?.record ?? {}
  return [content, ...formerly.toReversed()].map(normalise)
}

const removedByPerson = ({ removed }: KeptPlan["ledger"]): ReadonlySet<string> =>
  new Set(
    [...removed.values()].flatMap(({ by, todo, record }) =>
      by.kind === "person" ? [...(record?.formerly ?? []), todo.content].map(normalise) : [],
    ),
  )
