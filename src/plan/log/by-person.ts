/** What a person decided about a todo, as the ledger knows it. */
import { nativeIdOf, type Todo } from "../todo.ts"
import type { Ledger, Stamp } from "./ledger.ts"
import { isUntoldAbout } from "./untold.ts"

/**
 * Who set a field of a todo; undefined if it is as it was added. After a person undid their own change, the person counts
 * until the agent knows of the undo; then the one who had set the field before.
 */
export const setterOf = (ledger: Ledger, id: string, field: string): Stamp | undefined => {
  const { set = {} } = ledger.todos.get(id) ?? {}
  return Object.hasOwn(set, field) ? wordIn(ledger, id, set[field]) : undefined
}

/** Who added a todo, in the same way. */
export const adderOf = (ledger: Ledger, id: string): Stamp | undefined =>
  wordIn(ledger, id, ledger.todos.get(id)?.added)

const wordIn = (ledger: Ledger, id: string, given: Stamp | undefined): Stamp | undefined => {
  let stamp = given
  while (stamp?.former !== undefined && !isUntoldAbout(ledger, stamp.entry, id)) stamp = stamp.former ?? undefined
  return stamp
}

/** Whether a person made this change, and the agent does not know yet what it did to the todo. */
export const isUntoldWord = (ledger: Ledger, id: string, stamp: Stamp | undefined): boolean =>
  stamp?.by.kind === "person" && isUntoldAbout(ledger, stamp.entry, id)

/** The stamp of the last change of a field, or of the todo's addition, if a person made it. */
export const personSet = (ledger: Ledger, id: string, field: string): Stamp | undefined => {
  const stamp = setterOf(ledger, id, field) ?? adderOf(ledger, id)
  return stamp?.by.kind === "person" ? stamp : undefined
}

/** Whether a person set the field, apart from who added the todo. */
export const isSetByPerson = (ledger: Ledger, id: string, field: string): boolean =>
  setterOf(ledger, id, field)?.by.kind === "person"

/** Whether a person added this todo or gave it its wording. It stays theirs if an agent words it slightly differently. */
export const isPersons = (ledger: Ledger, id: string): boolean =>
  adderOf(ledger, id)?.by.kind === "person" || personSet(ledger, id, "content") !== undefined

/** Whether a person added, reworded or changed this todo. A text that is only similar means another todo. */
export const isChangedByPerson = (ledger: Ledger, id: string): boolean =>
  isPersons(ledger, id) ||
  Object.keys(ledger.todos.get(id)?.set ?? {}).some((field) => isSetByPerson(ledger, id, field))

/** Whether a todo contains a person's own words: its text, a note, or a reason. A list that leaves it out does not remove it. */
export const hasPersonsWords = (ledger: Ledger, { id, notes, reason }: Todo): boolean => {
  if (isPersons(ledger, id)) return true
  return (
    (notes !== undefined && isSetByPerson(ledger, id, "notes")) ||
    (reason !== undefined && isSetByPerson(ledger, id, "reason"))
  )
}

/** Whether a person added this todo, and the agent's own list has never had it. */
export const isUnknownToAgent = (ledger: Ledger, todo: Todo): boolean => {
  const { isKnown = false } = ledger.todos.get(todo.id) ?? {}
  return adderOf(ledger, todo.id)?.by.kind === "person" && !isKnown && nativeIdOf(todo) === undefined
}
