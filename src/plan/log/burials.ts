/** The texts of todos that a person removed, and whether a todo was given such a text again: then the removal is over. */
import { normalise } from "../text/wording.ts"

/** `endedBy` is the first todo that had the text after it was removed. */
export type Burial = { readonly endedBy?: string }

export const isOver = (buried: ReadonlyMap<string, Burial>, text: string): boolean =>
  buried.get(text)?.endedBy !== undefined

/** A person removed a todo with these wordings. */
export const buryWordings = (buried: Map<string, Burial>, wordings: readonly string[]): void => {
  for (const wording of wordings) buried.set(normalise(wording), {})
}

/** A todo has this text now, so the text no longer counts as removed by a person. */
export const endBurial = (buried: Map<string, Burial>, content: string, todo: string): void => {
  if (buried.size === 0) return
  const text = normalise(content)
  const burial = buried.get(text)
  if (burial && burial.endedBy === undefined) buried.set(text, { endedBy: todo })
}

/** It was undone that a todo has this text: the removal before it counts again. */
export const reopenBurial = (buried: Map<string, Burial>, content: string, todo: string): void => {
  const text = normalise(content)
  if (buried.get(text)?.endedBy === todo) buried.set(text, {})
}
