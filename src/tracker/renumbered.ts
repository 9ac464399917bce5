/** Todos that have another number than their agent was told, because entries of others came before theirs in the log. */
import type { Decoded, ToolCall } from "../dialects/dialect.ts"
import {
  error,
  type Fold,
  type Ledger,
  nativeIdOf,
  originOf,
  type Problem,
  quoted,
  todoById,
  warning,
} from "../plan/index.ts"

export type Renumbered = {
  /** The log was read again, with entries of others before those that were known. */
  compare(before: Ledger, after: Ledger): void
  /** Why a call is not applied: it names a todo by a number that means another one by now. */
  wrongIn(call: ToolCall, decoded: Decoded, fold: Pick<Fold, "plan">): Problem[]
  /** The new numbers that the client of a call was not told yet. It knows them afterwards. */
  toTell(call: ToolCall, decoded: Decoded, fold: Pick<Fold, "plan">): Problem[]
  clear(): void
}

const renumbered = "renumbered"

/** A long list of them is not shown in full. */
const mostNamed = 50

type Move = { former: string; id: string; told: Set<string> }

export const createRenumbered = (): Renumbered => {
  let moves: Move[] = []

  const untold = ({ client = "" }: ToolCall): Move[] =>
    moves.filter(({ told, former, id }) => former !== id && !told.has(client))

  /** An id that the agent chose itself still names its todo, whatever number that has. */
  const textOf = ({ plan }: Pick<Fold, "plan">, { id }: Move): string | undefined => {
    const todo = todoById(plan, id)
    return todo && nativeIdOf(todo) === undefined ? todo.content : undefined
  }

  const textsOf = (fold: Pick<Fold, "plan">, some: readonly Move[]): string => {
    const texts = some.flatMap((move) => {
      const text = textOf(fold, move)
      return text === undefined ? [] : [`${quoted(text)} is ${move.id} now, not ${move.former}`]
    })
    const more = texts.length - mostNamed
    return [
      ...texts.slice(0, mostNamed),
      ...(more > 0 ? [`${more} more have other numbers, as the list shows`] : []),
    ].join("; ")
  }

  return {
    compare(before, after) {
      const now = new Map([...after.todos.keys()].map((id) => [nameOf(after, id), id]))
      const present = new Map<string, string>()
      for (const former of before.todos.keys()) {
        const id = now.get(nameOf(before, former))
        if (id !== undefined && id !== former) present.set(former, id)
      }
      for (const move of moves) move.id = present.get(move.id) ?? move.id
      for (const [former, id] of present) moves.push({ former, id, told: new Set() })
    },
    wrongIn(call, { items = [] }, fold) {
      if (call.observed || moves.length === 0) return []
      const named = untold(call).filter((move) => {
        const text = textOf(fold, move)
        return text !== undefined && items.some(({ id, content }) => id === move.former && content !== text)
      })
      if (named.length === 0) return []
      // With those that the call does not name: the next call may.
      const texts = textsOf(fold, [...new Set([...named, ...untold(call)])])
      return [
        error(
          renumbered,
          `Others added todos at the same time: ${texts}. Nothing was changed: send the call again with the numbers you mean.`,
        ),
      ]
    },
    toTell(call, { problems }, fold) {
      if (call.observed || moves.length === 0) return []
      const some = untold(call)
      for (const { told } of some) told.add(call.client ?? "")
      const texts = textsOf(fold, some)
      // Then the call was not applied, and the reply says why.
      if (texts === "" || problems.some(({ code }) => code === renumbered)) return []
      return [warning(renumbered, `Others added todos at the same time: ${texts}.`)]
    },
    clear() {
      moves = []
    },
  }
}

/** What stays the same of a todo, whatever its number. */
const nameOf = (ledger: Ledger, id: string): string => {
  const origin = originOf(ledger, id)
  return JSON.stringify([origin?.entry, origin?.id])
}
