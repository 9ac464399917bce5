/** What a person removed: an agent's list does not bring it back. */
import type { Actor } from "../event.ts"
import { isOver } from "../log/burials.ts"
import type { Ledger, Tombstone } from "../log/ledger.ts"
import { normalise } from "../text/wording.ts"
import { nativeIdOf } from "../todo.ts"
import type { Wanted } from "./match.ts"

/**
 * The todos that a person removed, by text, until another todo gets that text, and who removed them; if several did, one on
 * this machine. A whole list never brings such a todo back. A call that names it may, once the agent knows of the removal.
 * A todo that was removed by undoing a change may come back with any call once the agent knows.
 */
export const graveyard = (ledger: Ledger, bringsBack: boolean): ((content: string) => Actor | undefined) => {
  const texts = new Map<string, Actor>()
  for (const one of ledger.removed.values()) {
    const { by } = one
    if (!isBuriedIn(one, ledger, bringsBack)) continue
    for (const text of wordingsOf(one)) if (!by.isElsewhere || !texts.has(text)) texts.set(text, by)
  }
  return (content) => {
    if (texts.size === 0) return undefined
    const text = normalise(content)
    return isOver(ledger.buried, text) ? undefined : texts.get(text)
  }
}

/**
 * The same by the agent's own number or key: for a todo that the agent has reworded, so that its text no longer identifies it, and for one
 * whose text another todo was given since.
 */
export const numberedGraveyard = (
  ledger: Ledger,
  bringsBack: boolean,
): ((item: Wanted, isReworded: boolean) => Actor | undefined) => {
  let graves: Map<string, Tombstone> | undefined
  return ({ content = "", extra }, isReworded) => {
    const native = extra?.nativeId
    if (typeof native !== "string") return undefined
    // If several had the number, the one removed last is meant.
    graves ??= new Map(
      [...ledger.removed.values()].flatMap((one) => {
        const number = nativeIdOf(one.todo)
        return number === undefined ? [] : [[number, one] as const]
      }),
    )
    const grave = graves.get(native)
    if (!grave || !isBuriedIn(grave, ledger, bringsBack)) return undefined
    return isReworded || wordingsOf(grave).includes(normalise(content)) ? grave.by : undefined
  }
}

/** The agent may know it by a wording from before the person's. */
const wordingsOf = ({ todo, record }: Tombstone): string[] => [todo.content, ...(record?.formerly ?? [])].map(normalise)

const isBuriedIn = ({ by, entry, isUndo }: Tombstone, { untold }: Ledger, bringsBack: boolean): boolean =>
  by.kind === "person" && ((!bringsBack && !isUndo) || untold.has(entry))
