/** Says whether and when an agent will see a person's changes, and which it does not know yet. */
import type { Ledger } from "../plan/log/ledger.ts"
import { asSeen } from "../plan/log/names.ts"
import { restOf } from "../plan/log/untold.ts"
import { contentById } from "../plan/lookup.ts"
import { sanitise } from "../plan/text/sanitise.ts"
import { normalise } from "../plan/text/wording.ts"
import type { Plan } from "../plan/todo.ts"
import { deedsOf } from "./deeds.ts"

/**
 * `next-turn`: through its hooks. `next-call`: with the reply to its next call of our tool. `unknown`: it is set up,
 * but has not called in this session. `never`: its list is only observed.
 */
export type HearsWhen = "next-turn" | "next-call" | "unknown" | "never"

/**
 * `agent` is its display name; `connect` the command that connects it, if it is not connected. With `isOver` it is a sub-agent
 * that has ended, so it will never see anything.
 */
export type Hearing = { agent: string; when: HearsWhen; connect?: string; isOver?: true }

export const hearingText = ({ agent, when, connect, isOver }: Hearing): string => {
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

/** The same as a sentence, before any change; the command to connect is shown separately. */
export const hearingSentence = ({ agent, when, connect, isOver }: Hearing): string => {
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

/** The label of a change that the agent does not know. */
export const notTold = ({ when }: Hearing): string =>
  when === "next-turn" || when === "next-call" ? "not told yet" : "not told"

/** The changes the agent does not know, and what it did against a person's decisions. */
export type Unheard = { untold: readonly string[]; against: readonly string[] }

/** More than these say only that there are many. */
const mostLines = 5

export const unheardIn = (ledger: Pick<Ledger, "untold" | "refused">, plan: Plan): Unheard => {
  const untold = [...ledger.untold.values()].flatMap((change) => {
    const { events, contentOf } = asSeen(restOf(change), (id) => contentById(plan, id))
    return deedsOf(events, contentOf)
  })
  const statuses = new Map(plan.todos.map(({ content, status }) => [normalise(content), status]))
  const against = [...ledger.refused].flatMap(([text, { content, status }]) => {
    // The plan has become what the agent wanted.
    if (statuses.get(text) === status) return []
    return deedsOf([{ type: "todo-refused", content, status }], () => content)
  })
  return { untold: lastOf(untold), against: lastOf(against) }
}

const lastOf = (lines: readonly string[]): string[] => {
  const more = lines.length - mostLines
  return more > 0 ? [`${more} earlier`, ...lines.slice(-mostLines)] : [...lines]
}
