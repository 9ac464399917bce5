/** Which key does what on the board. */
import type { Key } from "ink"
import type { BoardWish } from "../../views/board/edit.ts"
import type { BoardAction } from "../../views/board/view.ts"

export type BoardCommand =
  | { kind: "action"; action: BoardAction }
  /** So many screens up (negative) or down. */
  | { kind: "page"; by: number }
  | { kind: "filter" }
  | { kind: "other-pane" }
  | { kind: "wish"; wish: BoardWish }
  /** The line that is being typed is done. */
  | { kind: "answer" }
  | { kind: "quit" }
  /** Stops the program until the shell continues it. */
  | { kind: "pause" }
  /** Draws everything again, after something else has written over it. */
  | { kind: "redraw" }

const act = (action: BoardAction): BoardCommand => ({ kind: "action", action })
const move = (by: number): BoardCommand => act({ type: "move", by })
const wish = (name: BoardWish): BoardCommand => ({ kind: "wish", wish: name })
const back = act({ type: "back" })
const toSessions = act({ type: "focus", pane: "sessions" })
const toPlan = act({ type: "focus", pane: "plan" })

type Commands = Readonly<Record<string, BoardCommand>>

/** Keys that do the same wherever they are pressed. */
const everywhere: Commands = {
  up: move(-1),
  down: move(1),
  escape: back,
  "ctrl+c": { kind: "quit" },
  "ctrl+z": { kind: "pause" },
  "ctrl+l": { kind: "redraw" },
}

const boardKeys: Commands = {
  ...everywhere,
  home: move(Number.NEGATIVE_INFINITY),
  end: move(Number.POSITIVE_INFINITY),
  pageup: { kind: "page", by: -1 },
  "ctrl+b": { kind: "page", by: -1 },
  pagedown: { kind: "page", by: 1 },
  "ctrl+f": { kind: "page", by: 1 },
  left: toSessions,
  right: toPlan,
  tab: { kind: "other-pane" },
  enter: act({ type: "open" }),
  "ctrl+t": act({ type: "fold" }),
}

/** Letters that only move. */
const moveLetters: Commands = {
  j: move(1),
  k: move(-1),
  g: move(Number.NEGATIVE_INFINITY),
  G: move(Number.POSITIVE_INFINITY),
}

/** Letters that change the todo in sight. */
const wishLetters: Commands = {
  " ": wish("toggle"),
  a: wish("add"),
  b: wish("block"),
  d: wish("drop"),
  u: wish("undo"),
  e: wish("text"),
}

const boardLetters: Commands = {
  ...moveLetters,
  ...wishLetters,
  h: toSessions,
  l: toPlan,
  "/": { kind: "filter" },
  "?": act({ type: "help" }),
  w: act({ type: "next-waiting" }),
  q: { kind: "quit" },
}

/** From a page there is nowhere to go but back. */
const pageKeys: Commands = { ...boardKeys, left: back }
/** Over the page of keys nothing is in sight that could be changed. */
const helpLetters: Commands = { ...moveLetters, h: back, q: back, "?": back }
const todoLetters: Commands = { ...moveLetters, ...wishLetters, h: back, q: back, "?": act({ type: "help" }) }

const erase = (what: "character" | "word" | "all"): BoardCommand => act({ type: "erase", what })
const caret = (to: "left" | "right" | "start" | "end"): BoardCommand => act({ type: "caret", to })

/** Where a line is being typed letters are text. */
const promptKeys: Commands = {
  ...everywhere,
  enter: { kind: "answer" },
  backspace: erase("character"),
  "ctrl+w": erase("word"),
  "ctrl+u": erase("all"),
  left: caret("left"),
  right: caret("right"),
  home: caret("start"),
  "ctrl+a": caret("start"),
  end: caret("end"),
  "ctrl+e": caret("end"),
}

const tables = {
  board: { keys: boardKeys, letters: boardLetters },
  help: { keys: pageKeys, letters: helpLetters },
  todo: { keys: pageKeys, letters: todoLetters },
  prompt: { keys: promptKeys, letters: {} },
} satisfies Record<string, { keys: Commands; letters: Commands }>

/** A key with a name, or what was typed: a character, or several that came at once. */
export type Press = { key: string } | { text: string }

/** What lies on top: the panes, a page, or a line that is being typed. */
export type Place = keyof typeof tables

/** What a key does here; nothing for one that is not known. */
export const commandFor = (press: Press, where: Place): BoardCommand | undefined => {
  const commands: Commands = "key" in press ? tables[where].keys : tables[where].letters
  const name = "key" in press ? press.key : press.text
  return Object.hasOwn(commands, name) ? commands[name] : undefined
}

const named: readonly [flag: keyof Key, name: string][] = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  // What most terminals send for the backspace key Ink calls delete.
  ["delete", "backspace"],
]

/** A key as Ink tells it. */
export const pressOf = (input: string, key: Key): Press => {
  const [, name] = named.find(([flag]) => key[flag]) ?? []
  if (name !== undefined) return { key: name }
  if (key.ctrl) return { key: `ctrl+${input}` }
  // Alt with a letter is no letter.
  return input.length === 1 && !key.meta ? characterPress(input) : { text: key.meta ? "" : input }
}

/** One character of several that came at once. */
export const characterPress = (character: string): Press => {
  const code = character.charCodeAt(0)
  if (character === "\r" || character === "\n") return { key: "enter" }
  if (character === "\t") return { key: "tab" }
  if (character === "\b" || character === "\u007f") return { key: "backspace" }
  return code >= 1 && code <= 26 ? { key: `ctrl+${String.fromCharCode(code + 96)}` } : { text: character }
}
