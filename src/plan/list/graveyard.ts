/** What a person removed: an agent's list does not bring it back. */
import type { Actor } from "../event.ts"
import { isOver } from "../log/burials.ts"
import type { Ledger, Tombstone } from "../log/ledger.ts"
import { normalise } from "../text/wording.ts"
import { nativeIdOf } from "../todo.ts"
import type { Wanted } from "./match.ts"

/**
 * What a person removed, by its text, until a todo is given that text again, and who did; of several, one on this machine. A whole
 * list never brings it back; a call that names it may, once the agent knows.
 * What went because a person took a change back may come back with any call by then: only that change was not meant.
 */
export const graveyard = (ledger: Ledger, bringsBack: boolean): ((content: string) => Actor | undefined) => {
  const texts = new Map<string, Actor>()
  for (const one of ledger.removed.values()) {
    const { todo, by, record } = one
    if (!isBuriedIn(one, ledger, bringsBack)) continue
    // The agent may know it by a wording from before the person's.
    for (const wording of [todo.content, ...(record?.formerly ?? [])]) {
      const text = normalise(wording)
      if (!by.isElsewhere || !texts.has(text)) texts.set(text, by)
    }
  }
  return (content) => {
    if (texts.size === 0) return undefined
    const text = normalise(content)
    return isOver(ledger.buried, text) ? undefined : texts.get(text)
  }
}

/** The same by the agent's own number or key, for a todo that the agent is known to have reworded: no text says that it is the one. */
export const numberedGraveyard = (ledger: Ledger, bringsBack: boolean): ((item: Wanted) => Actor | undefined) => {
  let removers: Map<string, Actor | undefined> | undefined
  return ({ extra }) => {
    const native = extra?.nativeId
    // Of several with one number, the last to go is meant.
    removers ??= new Map(
      [...ledger.removed.values()].flatMap((one) => {
        const number = nativeIdOf(one.todo)
        return number === undefined ? [] : [[number, isBuriedIn(one, ledger, bringsBack) ? one.by : undefined] as const]
      }),
    )
    return typeof native === "string" ? removers.get(native) : undefined
  }
}

const isBuriedIn = ({ by, entry, isUndo }: Tombstone, { untold }: Ledger, bringsBack: boolean): boolean =>
  by.kind === "person" && ((!bringsBack && !isUndo) || untold.has(entry))
