/** What a person decided about a todo, as the ledger knows it. */
import { nativeIdOf, type Todo } from "../todo.ts"
import type { Ledger, Stamp } from "./ledger.ts"

/** Whether the last word on a field of a todo (or on its being there at all) is a person's. */
export const personSet = (ledger: Ledger, id: string, field: string): Stamp | undefined => {
  const record = ledger.todos.get(id)
  const stamp = record && Object.hasOwn(record.set, field) ? record.set[field] : record?.added
  return stamp?.by.kind === "person" ? stamp : undefined
}

/** A person added this todo or gave it its wording. It stays theirs when an agent words it a little differently. */
export const isPersons = (ledger: Ledger, id: string): boolean =>
  ledger.todos.get(id)?.added.by.kind === "person" || personSet(ledger, id, "content") !== undefined

/** A person added, reworded or changed this todo. What only reads like it is another todo, which they said nothing about. */
export const isChangedByPerson = (ledger: Ledger, id: string): boolean =>
  isPersons(ledger, id) || Object.values(ledger.todos.get(id)?.set ?? {}).some((stamp) => stamp?.by.kind === "person")

/** A person's own words are in this todo: its text, a note, or why it is blocked. They do not go with a list that leaves it out. */
export const hasPersonsWords = (ledger: Ledger, { id, notes, reason }: Todo): boolean => {
  const { set = {} } = ledger.todos.get(id) ?? {}
  if (isPersons(ledger, id)) return true
  const isPersonsField = (field: string): boolean => set[field]?.by.kind === "person"
  return (notes !== undefined && isPersonsField("notes")) || (reason !== undefined && isPersonsField("reason"))
}

/** A person added this todo, and the agent's own list has never had it. */
export const isUnknownToAgent = (ledger: Ledger, todo: Todo): boolean => {
  const { added, isKnown = false } = ledger.todos.get(todo.id) ?? {}
  return added?.by.kind === "person" && !isKnown && nativeIdOf(todo) === undefined
}
