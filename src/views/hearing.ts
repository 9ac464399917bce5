/** Whether and when an agent hears of what a person changed by hand, and what it does not know yet, in words. */
import type { Ledger } from "../plan/log/ledger.ts"
import { asSeen } from "../plan/log/names.ts"
import { contentById } from "../plan/lookup.ts"
import { sanitise } from "../plan/text/sanitise.ts"
import { normalise } from "../plan/text/wording.ts"
import type { Plan } from "../plan/todo.ts"
import { deedsOf } from "./deeds.ts"

/**
 * `next-turn`: its hooks carry it. `next-call`: with the reply to its next call of our tool. `unknown`: it is set up to, but
 * has not called in this session. `never`: its list is only looked at.
 */
export type HearsWhen = "next-turn" | "next-call" | "unknown" | "never"

/** `agent` is what people call it; `connect` the command that connects it, where nothing of it is. */
export type Hearing = { agent: string; when: HearsWhen; connect?: string }

export const hearingText = ({ agent, when, connect }: Hearing): string => {
  const name = sanitise(agent)
  switch (when) {
    case "next-turn":
      return `${name} hears of it at its next turn`
    case "next-call":
      return `${name} hears of it at its next turn, when it calls the todo tool`
    case "unknown":
      return `it is not known whether ${name} will hear of this, as none of its hooks has called in this session`
    case "never":
      if (connect !== undefined) return `${name} is not connected here: it will not hear of this. ${sanitise(connect)}`
      return `${name} will not hear of this`
  }
}

/** The same before anything was changed, as a sentence of its own; what connects the agent stands beside it. */
export const hearingSentence = ({ agent, when, connect }: Hearing): string => {
  const name = sanitise(agent)
  switch (when) {
    case "next-turn":
      return `${name} hears of your changes at its next turn.`
    case "next-call":
      return `${name} hears of your changes when it next calls the todo tool.`
    case "unknown":
      return `Whether ${name} hears of your changes is not known: none of its hooks has called in this session.`
    case "never":
      return `${name} does not hear of your changes${connect === undefined ? "." : ", because it is not connected to Headway."}`
  }
}

/** What is said of a change that the agent does not know. */
export const notTold = ({ when }: Hearing): string =>
  when === "next-turn" || when === "next-call" ? "not told yet" : "not told"

/** What the agent does not know of a plan, and what it did against a person's decisions. */
export type Unheard = { untold: readonly string[]; against: readonly string[] }

/** More than these say only that there are many. */
const mostLines = 5

export const unheardIn = (ledger: Pick<Ledger, "untold" | "refused">, plan: Plan): Unheard => {
  const untold = [...ledger.untold.values()].flatMap((change) => {
    const { events, contentOf } = asSeen(change, (id) => contentById(plan, id))
    return deedsOf(events, contentOf)
  })
  const statuses = new Map(plan.todos.map(({ content, status }) => [normalise(content), status]))
  const against = [...ledger.refused].flatMap(([text, { content, status }]) => {
    // It has come to be as the agent wanted it.
    if (statuses.get(text) === status) return []
    return deedsOf([{ type: "todo-refused", content, status }], () => content)
  })
  return { untold: lastOf(untold), against: lastOf(against) }
}

const lastOf = (lines: readonly string[]): string[] => {
  const more = lines.length - mostLines
  return more > 0 ? [`${more} earlier`, ...lines.slice(-mostLines)] : [...lines]
}
