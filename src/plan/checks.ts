/** The checks of a plan from its log: what a person wants checked, and the last results. */
import type { CheckRan, Entry, PlanCheck } from "./event.ts"
import { normalise } from "./text/wording.ts"
import type { Plan } from "./todo.ts"

export type KeptCheck = {
  check: PlanCheck
  /** How its todo was worded when it was set; not known of older logs. */
  wording?: string
  /** The last result of Headway's check, when, and how its todo was worded then. */
  last?: CheckRan & { at: string; wording?: string }
}

/** In the order in which they were set. Only what the person at this machine set and ran counts: an entry that came with a repository proves nothing. */
export const checksIn = (entries: readonly Entry[]): KeptCheck[] => {
  const kept = new Map<string, KeptCheck>()
  const lastOf = lastRunsIn(entries)
  for (const { events, by, names } of entries) {
    for (const event of events) {
      if (event.type === "check-set" && by.kind === "person")
        kept.set(checkKey(event.check), { check: event.check, ...wordingIn(names, event.check) })
      if (event.type === "check-removed" && by.kind === "person") kept.delete(checkKey(event.check))
    }
  }
  return [...kept.values()].map((one) => withLast(one, lastOf(one.check)))
}

/** The last result of each check, even one that is not in the log, such as one from the project's file. */
export const lastRunsIn = (entries: readonly Entry[]): ((check: PlanCheck) => KeptCheck["last"]) => {
  const ran = new Map<string, KeptCheck["last"]>()
  for (const { events, by, at, names } of entries) {
    for (const event of events)
      if (event.type === "check-ran" && by.kind === "person")
        ran.set(checkKey(event.check), { ...event, at, ...wordingIn(names, event.check) })
  }
  return (check) => ran.get(checkKey(check))
}

const wordingIn = (names: Entry["names"], { todo = "" }: PlanCheck): { wording?: string } =>
  names && Object.hasOwn(names, todo) ? { wording: names[todo] ?? "" } : {}

/**
 * Whether a todo still is the one that was worded like this. An agent's list may put another todo in its place that only reads
 * alike; a person who rewords a todo means the same one.
 */
export const wordingsOf = (
  { todos }: Plan,
  entries: readonly Entry[],
): ((todo: string | undefined, wording: string | undefined) => boolean) => {
  const contents = new Map(todos.map(({ id, content }) => [id, normalise(content)]))
  const reworded = new Map<string, string>()
  for (const { events, by } of entries)
    for (const event of events)
      if (
        by.kind === "person" &&
        !by.isElsewhere &&
        event.type === "todo-changed" &&
        event.from.content &&
        event.to.content
      )
        reworded.set(JSON.stringify([event.id, normalise(event.from.content)]), normalise(event.to.content))
  return (todo, wording) => {
    if (todo === undefined || wording === undefined) return true
    const now = contents.get(todo)
    let text: string | undefined = normalise(wording)
    for (let steps = 0; text !== undefined && steps < mostRewordings; steps += 1) {
      if (text === now) return true
      text = reworded.get(JSON.stringify([todo, text]))
    }
    return false
  }
}

/** One by one. A person does not reword a todo more often. */
const mostRewordings = 100

const withLast = (one: KeptCheck, last: KeptCheck["last"]): KeptCheck => (last ? { ...one, last } : one)

export const checkKey = ({ todo = "", command = "", file = "" }: PlanCheck): string =>
  JSON.stringify([todo, command, file])
