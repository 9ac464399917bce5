/** Finds which todo of the plan each item of a call means: by text, by id, by nearly the same text, in that order. */

import { isChangedByPerson, isPersons } from "../log/by-person.ts"
import { emptyLedger, type Ledger } from "../log/ledger.ts"
import { hasAllWordsOf, normalise, type Profile, profileOf, similarity, similarityOf } from "../text/wording.ts"
import { isFinished, nativeIdOf, type Todo } from "../todo.ts"

/** What a call says about one todo. What it leaves out stays as it is. */
export type Wanted = Partial<Omit<Todo, "id">> & { id?: string }

export type MatchOptions = {
  ledger: Ledger
  /** The call's ids are the model's own, so an id names the todo that carries it as `nativeId` before ours. */
  modelIds: boolean
  /** Whether a text that is only similar may mean a todo: in a list that says everything it does, in a patch it is new. */
  guesses: boolean
  /** Whether a person removed a todo with this text: such an item means a todo with the very same text, or none. @default none is */
  isBuried?: (content: string) => boolean
  /** The items are of another plan, so that their ids name nothing here: a todo is meant by its text alone. @default false */
  isOtherPlan?: boolean
  /** Whether the agent is known to have reworded the todo that has this id in its list. @default none was */
  isReworded?: (id: string) => boolean
}

/** For each wanted item the index of the todo it means, or undefined when it is new. No todo is meant twice. */
export const match = (
  todos: readonly Todo[],
  wanted: readonly Wanted[],
  { ledger, modelIds, guesses, isBuried = () => false, isOtherPlan = false, isReworded }: MatchOptions,
): (number | undefined)[] => {
  const found: (number | undefined)[] = new Array(wanted.length).fill(undefined)
  if (todos.length === 0) return found
  const taken = new Set<number>()
  const pair = (item: number, todo: number): void => {
    found[item] = todo
    taken.add(todo)
  }
  const openItems = (): number[] => wanted.flatMap((_, item) => (found[item] === undefined ? [item] : []))

  const byId = indexById(todos, modelIds, ledger)
  matchByText((content) => content)
  matchByFormerWording()
  if (isReworded && !isOtherPlan) matchReworded(isReworded)
  for (const item of isOtherPlan ? [] : openItems()) {
    const { id, content } = wanted[item] ?? {}
    if (content !== undefined && isBuried(content)) continue
    const todo = id === undefined ? undefined : byId.get(id)
    const old = todo === undefined ? undefined : todos[todo]
    if (todo === undefined || !old || taken.has(todo)) continue
    // Agents number their todos without those a person added: such a number means another todo.
    const isOthers = guesses && nativeIdOf(old) !== id && isChangedByPerson(ledger, old.id)
    if (content === undefined || (!isOthers && similarity(content, old.content) >= alike)) pair(item, todo)
  }
  matchByText(normalise)
  if (guesses && !isOtherPlan) {
    matchRewordedInPlace()
    matchBySimilarity()
  }
  return found

  /** Equal texts pair in order, but an id that fits decides between them. */
  function matchByText(keyOf: (content: string) => string): void {
    const items = openItems().filter((item) => wanted[item]?.content !== undefined)
    if (items.length === 0) return
    const open = todos.flatMap((_, todo) => (taken.has(todo) ? [] : [todo])).reverse()
    if (open.length === 0) return
    const places = grouped(open, (todo) => keyOf(todos[todo]?.content ?? ""))
    const keyOfItem = (item: number): string => keyOf(wanted[item]?.content ?? "")
    for (const item of items) {
      const id = wanted[item]?.id
      const named = id === undefined ? undefined : byId.get(id)
      if (named === undefined || taken.has(named)) continue
      if (keyOf(todos[named]?.content ?? "") === keyOfItem(item)) pair(item, named)
    }
    for (const item of items) {
      if (found[item] !== undefined) continue
      const list = places.get(keyOfItem(item)) ?? []
      let todo = list.pop()
      while (todo !== undefined && taken.has(todo)) todo = list.pop()
      if (todo !== undefined) pair(item, todo)
    }
  }

  function matchByFormerWording(): void {
    const reworded = todos.flatMap(({ id }, todo) => {
      const formerly = taken.has(todo) ? undefined : ledger.todos.get(id)?.formerly
      return formerly ? [{ todo, formerly }] : []
    })
    if (reworded.length === 0) return
    const worded = openItems().filter((item) => wanted[item]?.content !== undefined)
    const items = grouped(worded.reverse(), (item) => normalise(wanted[item]?.content ?? ""))
    for (const { todo, formerly } of reworded) {
      const group = formerly.map((wording) => items.get(normalise(wording))).find((one) => one && one.length > 0)
      const item = group?.pop()
      if (item !== undefined) pair(item, todo)
    }
  }

  /** A todo that the agent reworded by its own number or key for it is the same under any wording. */
  function matchReworded(isReworded: (id: string) => boolean): void {
    const numbered = new Map(todos.flatMap((todo, index) => (taken.has(index) ? [] : [[nativeIdOf(todo), index]])))
    for (const item of openItems()) {
      const { id = "", content = "", extra } = wanted[item] ?? {}
      const native = extra?.nativeId
      const todo = typeof native === "string" ? numbered.get(native) : undefined
      if (todo !== undefined && !taken.has(todo) && isReworded(id) && !isBuried(content)) pair(item, todo)
    }
  }

  /**
   * A list that only adds words to one todo, or leaves some out, has reworded it, even if a person changed it. In any other list,
   * a similar text means another todo than theirs.
   */
  function matchRewordedInPlace(): void {
    const item = onlyOne(openItems().filter((item) => !isBuried(wanted[item]?.content ?? "")))
    if (item === undefined) return
    const todo = onlyOne(todos.flatMap(({ id }, todo) => (taken.has(todo) || isPersons(ledger, id) ? [] : [todo])))
    const old = todo === undefined ? undefined : todos[todo]
    const { content, status = "pending" } = wanted[item] ?? {}
    if (todo === undefined || !old || content === undefined || (isFinished(old.status) && !isFinished(status))) return
    if (isSamePlace(item, todo) && hasMoreOrFewerWords(old.content, content)) pair(item, todo)
  }

  /** Whether an item and a todo are between the same two, or at the same end. */
  function isSamePlace(item: number, todo: number): boolean {
    const isMatched = (index: number | undefined): boolean => index !== undefined
    return (
      todos.findLastIndex((_, index) => index < todo && taken.has(index)) ===
        (found.slice(0, item).findLast(isMatched) ?? -1) &&
      todos.findIndex((_, index) => index > todo && taken.has(index)) === (found.slice(item + 1).find(isMatched) ?? -1)
    )
  }

  function matchBySimilarity(): void {
    const items = openItems().filter((item) => !isBuried(wanted[item]?.content ?? ""))
    if (items.length === 0) return
    const persons = todos.flatMap(({ id }, todo) => (isChangedByPerson(ledger, id) ? [todo] : []))
    for (const [item, todo] of similarPairs(todos, new Set([...taken, ...persons]), wanted, items)) {
      if (found[item] === undefined && !taken.has(todo)) pair(item, todo)
    }
  }
}

const onlyOne = (indexes: readonly number[]): number | undefined => (indexes.length === 1 ? indexes[0] : undefined)

const grouped = (indexes: readonly number[], keyOf: (index: number) => string): Map<string, number[]> => {
  const groups = new Map<string, number[]>()
  for (const index of indexes) {
    const key = keyOf(index)
    const group = groups.get(key)
    if (group) group.push(index)
    else groups.set(key, [index])
  }
  return groups
}

/** Alike enough to believe an id that a model may have renumbered. */
const alike = 0.4
/** Alike enough without any id, standing anywhere, or at the same place. */
const similarAnywhere = 0.6
const similarInPlace = 0.45
/** Above this many comparisons only neighbours are compared, fewer of them the more items there are. */
export const maxComparisons = 40_000
const neighbourhood = 8

/** "Fix the login" and "Fix the login bug", but not "Deploy to staging" and "Deploy to production". */
const hasMoreOrFewerWords = (one: string, other: string): boolean => {
  const [first, second] = [profileOf(one), profileOf(other)]
  return (
    similarityOf(first, second) >= similarAnywhere && (hasAllWordsOf(first, second) || hasAllWordsOf(second, first))
  )
}

const similarPairs = (
  todos: readonly Todo[],
  taken: ReadonlySet<number>,
  wanted: readonly Wanted[],
  items: readonly number[],
): [item: number, todo: number][] => {
  const open = todos.flatMap((_, todo) => (taken.has(todo) ? [] : [todo]))
  if (open.length === 0) return []
  const profiles = new Map<number, Profile>()
  const compareAll = open.length * items.length <= maxComparisons
  const reach = Math.min(neighbourhood, Math.floor(maxComparisons / (2 * items.length)))
  if (!compareAll && reach === 0) return []
  const scored: { item: number; todo: number; score: number }[] = []
  for (const [rank, item] of items.entries()) {
    const { content, status = "pending" } = wanted[item] ?? {}
    if (content === undefined) continue
    const profile = profileOf(content)
    // A profile is larger than its text: those that no later item is compared with are not kept.
    if (!compareAll) profiles.delete(open[rank - reach - 1] ?? -1)
    const candidates = compareAll ? open : open.slice(Math.max(0, rank - reach), rank + reach)
    for (const todo of candidates) {
      const old = todos[todo]
      if (!old || (isFinished(old.status) && !isFinished(status))) continue
      const oldProfile = profiles.get(todo) ?? profileOf(old.content)
      profiles.set(todo, oldProfile)
      const score = similarityOf(profile, oldProfile)
      if (score < (todo === item ? similarInPlace : similarAnywhere)) continue
      scored.push({ item, todo, score: score + (todo === item ? 0.15 : 0) })
    }
  }
  return scored.sort((one, other) => other.score - one.score).map(({ item, todo }) => [item, todo])
}

/** Which todo an id names: ours before the agent's own, unless the ids are the model's. */
export const indexById = (
  todos: readonly Todo[],
  modelIds: boolean,
  ledger: Ledger = emptyLedger,
): Map<string, number> => {
  const ours = todos.flatMap((todo, index): [string, number][] =>
    modelIds && !goesByOurId(todo, ledger) ? [] : [[todo.id, index]],
  )
  const theirs = todos.flatMap((todo, index): [string, number][] => {
    const id = nativeIdOf(todo)
    return id === undefined ? [] : [[id, index]]
  })
  return new Map(modelIds ? [...ours, ...theirs] : [...theirs, ...ours])
}

/**
 * Whether an id that a model gives can be ours. It means nothing to an agent that has its own id for the todo, and agents
 * number their todos without those a person added.
 */
export const goesByOurId = (todo: Todo, ledger: Ledger): boolean =>
  nativeIdOf(todo) === undefined && !isPersons(ledger, todo.id)
