/** The place up to which broken JSON was read, and the brackets that are open there. */
import { limits } from "../../plan/index.ts"
import { afterSpace, isComment, type Opening, partners } from "./json-letters.ts"

export type JsonPlace = {
  readonly text: string
  at: number
  /** How many brackets of each kind are open. */
  readonly open: Record<Opening, number>
}

export const beginningOf = (text: string): JsonPlace => ({ text, at: 0, open: { "{": 0, "[": 0, "(": 0 } })

/** Says that nothing can be made of the text. */
export const fail = (place: JsonPlace): never => {
  throw new SyntaxError(`not readable at ${place.at}`)
}

/** The letter there; empty at the end. */
export const letterAt = (place: JsonPlace): string => place.text[place.at] ?? ""

export const isAtEnd = (place: JsonPlace): boolean => place.at >= place.text.length

/** White space and comments. One that is not closed runs to the end. */
export const skip = (place: JsonPlace): void => {
  const { text } = place
  for (;;) {
    place.at = afterSpace(text, place.at)
    if (!isComment(text, place.at)) return
    const terminator = text[place.at + 1] === "/" ? "\n" : "*/"
    const closing = text.indexOf(terminator, place.at + 2)
    place.at = closing < 0 ? text.length : closing + terminator.length
  }
}

/** Everything between two values: one comma, several, none, or three dots for what was left out. */
export const separate = (place: JsonPlace): void => {
  for (skip(place); ; skip(place)) {
    if (letterAt(place) === ",") place.at += 1
    else if (place.text.startsWith("...", place.at)) place.at += 3
    else return
  }
}

/** Whether the innermost open bracket ends here. One of another kind ends it too, if it closes something further out. */
export const isClosed = (place: JsonPlace, opening: "{" | "["): boolean => {
  for (separate(place); !isAtEnd(place); separate(place)) {
    const partner = partners[letterAt(place)]
    if (partner === undefined) return false
    if (partner === opening) {
      place.at += 1
      return true
    }
    if (place.open[partner] > 0) return true
    if (partner === "(") fail(place)
    place.at += 1
  }
  return true
}

/** Reads what is behind the bracket here. */
export const within = <Value>(place: JsonPlace, opening: Opening, read: (place: JsonPlace) => Value): Value => {
  const { open } = place
  if (open["{"] + open["["] + open["("] >= limits.depth) fail(place)
  open[opening] += 1
  place.at += 1
  const value = read(place)
  open[opening] -= 1
  return value
}
