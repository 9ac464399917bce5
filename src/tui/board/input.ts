/** From what a terminal sends to what the board does: keys, characters that come several at once, pasted text. */
import type { Key } from "ink"
import { type BoardCommand, characterPress, commandFor, type Place, type Press, pressOf } from "./keys.ts"

type BoardInputOptions = {
  where(): Place
  carryOut(command: BoardCommand): void
  /** Text for the line that is being typed. */
  type(text: string): void
  say(text: string): void
}

export const createBoardInput = ({ where, carryOut, type, say }: BoardInputOptions) => {
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

  return {
    /** A key or several characters, as Ink tells them. */
    press(input: string, key: Key): void {
      const pressed = pressOf(input, key)
      if ("key" in pressed) press(pressed)
      else pressMany(pressed.text)
    },
    /** Pasted text is never taken for keys. */
    paste(text: string): void {
      if (where() === "prompt") type(text)
      else if (text !== "") say("Pasted text is taken where you type: press a or / first.")
    },
  }
}
