/** From what a terminal sends to what the board does: keys, characters that come several at once, pasted text. */
import type { Key } from "ink"
import { type BoardCommand, characterPress, commandFor, type Press, pressOf } from "./board-keys.ts"

type BoardInputOptions = {
  where(): "board" | "page" | "prompt"
  carryOut(command: BoardCommand): void
  /** Text for the line that is being typed. */
  type(text: string): void
  say(text: string): void
}

/** Sent by a terminal around what is pasted, once it was asked to; Ink takes the first character away. */
const [pasteBegins, pasteEnds] = ["[200~", "[201~"]
const longestPaste = 10_000

/** Takes a key or several characters, as Ink tells them. */
export const createBoardInput = ({ where, carryOut, type, say }: BoardInputOptions) => {
  let pasted: string | undefined

  const press = (pressed: Press): void => {
    const command = commandFor(pressed, where())
    if (command) carryOut(command)
  }

  /** Several at once: typed ahead over a slow line, or pasted into a terminal that does not say so. */
  const pressMany = (text: string): void => {
    let rest = text
    while (rest !== "" && where() !== "prompt") {
      const character = String.fromCodePoint(rest.codePointAt(0) ?? 0)
      rest = rest.slice(character.length)
      press(characterPress(character))
    }
    if (rest === "") return
    // Only a line break at the very end is a key that was pressed; one inside came with a text.
    const isDone = /[\r\n]$/.test(rest)
    type(isDone ? rest.slice(0, -1) : rest)
    if (isDone) press({ key: "enter" })
  }

  /** Text between the marks of a paste is never taken for keys. */
  const takePasted = (input: string, pressed: Press): boolean => {
    if (input === pasteBegins) pasted = ""
    else if (pasted === undefined) return false
    else if (input !== pasteEnds) {
      pasted = (pasted + ("key" in pressed && pressed.key === "enter" ? "\n" : input)).slice(0, longestPaste)
    } else {
      const text = pasted
      pasted = undefined
      if (where() === "prompt") type(text)
      else if (text !== "") say("Pasted text is taken where you type: press a or / first.")
    }
    return true
  }

  return (input: string, key: Key): void => {
    const pressed = pressOf(input, key)
    const isInterrupt = "key" in pressed && pressed.key === "ctrl+c"
    if (!isInterrupt && takePasted(input, pressed)) return
    if ("key" in pressed) press(pressed)
    else if (where() === "prompt" || !isSequence(input)) pressMany(pressed.text)
  }
}

/** What is left of an escape sequence that nobody knows; its letters are no keys. */
const isSequence = (input: string): boolean => input.length > 1 && /^[[O][\d;:?<=>]*[ -/]*[@-~]$/.test(input)
