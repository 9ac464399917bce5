/** Turns keys into board commands, or text for the prompt. */
import { type BoardCommand, type BoardPlace, commandFor } from "../../views/board/keys.ts"
import type { Key } from "../terminal/keyboard.ts"

type BoardInputOptions = {
  place(): BoardPlace
  carryOut(command: BoardCommand): void
  /** Text for the line that is being typed. */
  type(text: string): void
  /** A click or a turn of the wheel. */
  point(key: PointerKey): void
  say(text: string): void
}

/** A key event from the mouse, with its position. */
export type PointerKey = Key & Required<Pick<Key, "at">>

/** Returns a function that takes the keys of one read. */
export const createBoardInput = ({ place, carryOut, type, point, say }: BoardInputOptions) => {
  const press = (key: Key): void => {
    const command = commandFor(boardName(key), place())
    if (command) carryOut(command)
  }

  const paste = (text: string): void => {
    if (place() === "prompt") type(text)
    else say("Text can only be pasted into a prompt: press a or / first.")
  }

  return (keys: readonly Key[]): void => {
    let at = 0
    while (at < keys.length) {
      const typed = place() === "prompt" ? typedAt(keys, at) : []
      const [key] = keys.slice(at, at + 1)
      if (typed.length > 0) type(typed.map(writtenBy).join(""))
      else if (key?.name === "paste") paste(key.text)
      else if (key?.at) point({ ...key, at: key.at })
      else if (key) press(key)
      at += Math.max(1, typed.length)
    }
  }
}

/**
 * Consecutive characters in one read: typed ahead over a slow connection, or pasted in a terminal that does not mark
 * pastes. A line break at the very end counts as Enter; a line break inside is part of the text.
 */
const typedAt = (keys: readonly Key[], from: number): readonly Key[] => {
  const end = keys.findIndex((key, index) => index >= from && writtenBy(key) === "")
  const typed = keys.slice(from, end < 0 ? keys.length : end)
  const isSent = isLineBreak(typed.at(-1))
  const written = isSent ? typed.slice(0, -1) : typed
  return written.length === 1 && written[0]?.name === "tab" ? [] : written
}

const isLineBreak = (key: Key | undefined): boolean => key?.name === "return" || key?.name === "enter"

const writtenBy = (key: Key): string => {
  if (key.ctrl || key.meta || key.name === "paste") return ""
  return isLineBreak(key) ? "\n" : key.name === "tab" ? "\t" : key.text
}

/** The name of a key in the board's table. For named keys, modifiers are ignored. */
const boardName = ({ name, ctrl, meta, text }: Key): string => {
  if (name === "return" || name === "enter") return "enter"
  if (name.length > 1) return name
  if (ctrl) return `ctrl+${name}`
  return meta ? "" : text
}
