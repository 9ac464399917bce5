/** Whether and when an agent is told about a person's changes, and which changes it has not been told about yet. */
import type { Ledger } from "../plan/log/ledger.ts"
import { asSeen } from "../plan/log/names.ts"
import { restOf } from "../plan/log/untold.ts"
import { contentById } from "../plan/lookup.ts"
import { sanitise } from "../plan/text/sanitise.ts"
import { normalise } from "../plan/text/wording.ts"
import type { Plan } from "../plan/todo.ts"
import { changesInWords } from "./changes-in-words.ts"

/**
 * `next-turn`: by its hooks. `next-call`: in the reply to its next call of our tool. `unknown`: its hooks are set up,
 * but none has run in this session. `never`: Headway only observes its list.
 */
export type ToldWhen = "next-turn" | "next-call" | "unknown" | "never"

/**
 * `agent` is the agent's display name. `connect` is the command that connects it, if it is not connected. `isOver`
 * marks a sub-agent that has ended, and so is never told.
 */
export type WhenTold = { agent: string; when: ToldWhen; connect?: string; isOver?: true }

export const whenToldText = ({ agent, when, connect, isOver }: WhenTold): string => {
  const name = sanitise(agent)
  if (isOver) return `this sub-agent of ${name} has ended, so it will not see this`
  switch (when) {
    case "next-turn":
      return `${name} will see it at its next turn`
    case "next-call":
      return `${name} will see it at its next turn, when it calls the todo tool`
    case "unknown":
      return `it is not known whether ${name} will see this: none of its hooks has run in this session`
    case "never":
      if (connect !== undefined)
        return `${name} is not connected here, so it will not see this. To connect it: ${sanitise(connect)}`
      return `${name} will not see this`
  }
}

/** A sentence for the time before any change. The command that connects the agent is shown separately. */
export const whenToldSentence = ({ agent, when, connect, isOver }: WhenTold): string => {
  const name = sanitise(agent)
  if (isOver) return `This sub-agent of ${name} has ended, so it does not see your changes.`
  switch (when) {
    case "next-turn":
      return `${name} sees your changes at its next turn.`
    case "next-call":
      return `${name} sees your changes when it next calls the todo tool.`
    case "unknown":
      return `It is not known whether ${name} sees your changes: none of its hooks has run in this session.`
    case "never":
      return `${name} does not see your changes${connect === undefined ? "." : ", because it is not connected to Headway."}`
  }
}

/** The label of a change that the agent has not been told about. */
export const untoldLabel = ({ when }: WhenTold): string =>
  when === "next-turn" || when === "next-call" ? "not told yet" : "not told"

/** The changes the agent has not been told about, and what it did against a person's decisions. */
export type UntoldChanges = { untold: readonly string[]; against: readonly string[] }

/** The most recent changes listed; earlier ones are only counted. */
const mostLines = 5

export const untoldChangesIn = (ledger: Pick<Ledger, "untold" | "refused">, plan: Plan): UntoldChanges => {
  const untold = [...ledger.untold.values()].flatMap((change) => {
    const { events, contentOf } = asSeen(restOf(change), (id) => contentById(plan, id))
    return changesInWords(events, contentOf)
  })
  const statuses = new Map(plan.todos.map(({ content, status }) => [normalise(content), status]))
  const against = [...ledger.refused].flatMap(([text, { content, status }]) => {
    // By now the todo has the status that the agent wanted.
    if (statuses.get(text) === status) return []
    return changesInWords([{ type: "todo-refused", content, status }], () => content)
  })
  return { untold: lastOf(untold), against: lastOf(against) }
}

const lastOf = (lines: readonly string[]): string[] => {
  const more = lines.length - mostLines
  return more > 0 ? [`${more} earlier`, ...lines.slice(-mostLines)] : [...lines]
}
