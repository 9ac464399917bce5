/** The keys of the board. Each row has the keys, what they do, where they work, their help line and their hint. */
import type { EditAction } from "./edit.ts"
import { boardList, olderKey } from "./list.ts"
import type { BoardSession } from "./session.ts"
import { type BoardAbilities, type BoardAction, type BoardView, selectedSession } from "./view.ts"

export type BoardCommand =
  | { kind: "action"; action: BoardAction }
  /** Scrolls by this many screens, up if negative. */
  | { kind: "page"; by: number }
  | { kind: "filter" }
  | { kind: "other-pane" }
  | { kind: "edit"; action: EditAction }
  /** Resumes the session in its agent. */
  | { kind: "enter-agent" }
  /** Finishes the line that is being typed. */
  | { kind: "answer" }
  | { kind: "quit" }
  /** Stops the program until the shell continues it. */
  | { kind: "pause" }
  /** Draws the whole screen again, after another program has written over it. */
  | { kind: "redraw" }

/** The active layer: the panes, a page, or the prompt. */
export type BoardPlace = "board" | "todo" | "help" | "prompt"

/** The places with their own hints: either pane, a board without sessions, and each page. */
type HintPlace = "sessions" | "plan" | "none" | "todo" | "help"

type Hint = {
  /** The key as shown. `arrows` becomes the board's arrow signs. @default the first key of the row */
  key?: string
  says: string | ((view: BoardView) => string)
  /** What must be possible or present for the hint to be shown. */
  needs?: "edit" | "waiting" | "filter" | "older"
  /** The hint's position in each place. Hints at the end are shown however narrow the screen is. */
  at: Readonly<Partial<Record<HintPlace, number | "end">>>
}

type KeyRow = {
  /** The places in which the keys do this. In a prompt, a character is text. */
  where: readonly BoardPlace[]
  keys: Readonly<Record<string, BoardCommand>>
  /** The keys exist only on boards with this ability. */
  ability?: keyof BoardAbilities
  /** The line on the page of keys. */
  help?: readonly [keys: string, does: string | ((can: BoardAbilities) => string)]
  hint?: Hint
}

const act = (action: BoardAction): BoardCommand => ({ kind: "action", action })
const move = (by: number): BoardCommand => act({ type: "move", by })
const edit = (action: EditAction): BoardCommand => ({ kind: "edit", action })
const [up, down] = [move(-1), move(1)]
const [first, last] = [move(Number.NEGATIVE_INFINITY), move(Number.POSITIVE_INFINITY)]
const page = (by: number): BoardCommand => ({ kind: "page", by })
const back = act({ type: "back" })
const toSessions = act({ type: "focus", pane: "sessions" })
const toPlan = act({ type: "focus", pane: "plan" })
const quit: BoardCommand = { kind: "quit" }
const erase = (what: "character" | "word" | "all"): BoardCommand => act({ type: "erase", what })
const caret = (to: "left" | "right" | "start" | "end"): BoardCommand => act({ type: "caret", to })

const everywhere: readonly BoardPlace[] = ["board", "todo", "help", "prompt"]
const untyped: readonly BoardPlace[] = ["board", "todo", "help"]
const pages: readonly BoardPlace[] = ["todo", "help"]
/** The page of keys is left out, because it hides everything that could be edited. */
const changing: readonly BoardPlace[] = ["board", "todo"]

const enterSays = ({ pane, session, isUnfolded }: BoardView): string => {
  if (pane === "plan") return "read"
  return session !== olderKey ? "plan" : isUnfolded ? "fold" : "show"
}

const rows: readonly KeyRow[] = [
  {
    where: everywhere,
    keys: { up, k: up, down, j: down },
    help: ["up down, j k", "move"],
    hint: {
      key: "arrows",
      says: ({ page }) => (page ? "scroll" : "move"),
      at: { sessions: 1, plan: 1, todo: 1, help: 1 },
    },
  },
  { where: untyped, keys: { g: first, home: first, G: last, end: last }, help: ["g G, home end", "first, last"] },
  {
    where: untyped,
    keys: { pageup: page(-1), "ctrl+b": page(-1), pagedown: page(1), "ctrl+f": page(1) },
    help: ["page up, page down", "a screen at a time"],
  },
  {
    where: ["board"],
    keys: { left: toSessions, h: toSessions, right: toPlan, l: toPlan, tab: { kind: "other-pane" } },
    help: [
      "left right, h l, tab",
      ({ terminal }) => (terminal ? "from one pane to the other" : "from one column to the next"),
    ],
  },
  {
    where: untyped,
    keys: { enter: act({ type: "open" }) },
    help: ["enter", ({ terminal }) => (terminal ? "open the plan; in a plan, show all of a todo" : "open the plan")],
    hint: { says: enterSays, at: { sessions: 2, plan: 12 } },
  },
  {
    where: everywhere,
    keys: { escape: back },
    help: ["esc", ({ terminal }) => (terminal ? "back; clears a filter" : "back")],
    hint: { key: "esc", says: "back", at: { plan: 2, todo: "end", help: "end" } },
  },
  { where: [], keys: {}, hint: { key: "esc", says: "clear filter", needs: "filter", at: { none: 1 } } },
  { where: pages, keys: { left: back, h: back, q: back } },
  {
    where: changing,
    keys: { o: { kind: "enter-agent" } },
    ability: "open",
    help: ["o", "open the session in its agent"],
    hint: { says: "open in agent", at: { sessions: 3, plan: 10, todo: 10 } },
  },
  {
    where: ["board"],
    keys: { "/": { kind: "filter" } },
    help: [
      "/",
      ({ search, terminal }) => {
        if (!terminal) return "search the text of sessions"
        return search ? "search the text of sessions; in a plan, its todos" : "filter sessions, or in a plan its todos"
      },
    ],
    hint: {
      says: ({ can, pane }) => (can.search && pane === "sessions" ? "find" : "filter"),
      at: { sessions: 5, plan: 13 },
    },
  },
  {
    where: ["board"],
    keys: { A: act({ type: "unfold" }) },
    help: ["A", "list older sessions too, or fold them again"],
    hint: {
      says: ({ isUnfolded }) => (isUnfolded ? "fold older" : "older"),
      needs: "older",
      at: { sessions: 7, none: 2 },
    },
  },
  {
    where: ["board"],
    keys: { w: act({ type: "next-waiting" }) },
    help: ["w", "next session that waits for you"],
    hint: { says: "next waiting", needs: "waiting", at: { sessions: 4 } },
  },
  {
    where: untyped,
    keys: { "ctrl+t": act({ type: "fold" }) },
    help: ["ctrl+t", "the whole plan, or what is around the current todo"],
    hint: { says: ({ isCollapsed }) => (isCollapsed ? "show all" : "fold"), at: { sessions: 11, plan: 14 } },
  },
  {
    where: changing,
    keys: { space: edit("toggle") },
    help: ["space", "mark as done, or as not done again"],
    hint: { says: "done", needs: "edit", at: { plan: 3, todo: 3 } },
  },
  {
    where: changing,
    keys: { s: edit("start") },
    help: ["s", "start a todo"],
    hint: { says: "start", needs: "edit", at: { plan: 5, todo: 5 } },
  },
  {
    where: changing,
    keys: { a: edit("add") },
    help: ["a", "add a todo"],
    hint: { says: "add", needs: "edit", at: { sessions: 8, plan: 4, todo: 4 } },
  },
  {
    where: changing,
    keys: { n: edit("note") },
    help: ["n", "add a note to a todo"],
    hint: { says: "note", needs: "edit", at: { plan: 6, todo: 6 } },
  },
  {
    where: changing,
    keys: { r: edit("reword") },
    help: ["r", "rename the session; in a plan, reword a todo"],
    hint: { says: ({ pane }) => (pane === "plan" ? "reword" : "rename"), at: { sessions: 6, plan: 7, todo: 7 } },
  },
  {
    where: changing,
    keys: { b: edit("block") },
    help: ["b", "block a todo, and say why"],
    hint: { says: "block", needs: "edit", at: { plan: 8, todo: 8 } },
  },
  {
    where: changing,
    keys: { d: edit("drop") },
    help: ["d", "drop a todo: it will not be done"],
    hint: { says: "drop", needs: "edit", at: { plan: 9, todo: 9 } },
  },
  { where: changing, keys: { x: edit("remove") }, help: ["x", "remove a todo from the plan"] },
  { where: changing, keys: { K: edit("up"), J: edit("down") }, help: ["K J", "move a todo up or down"] },
  {
    where: changing,
    keys: { u: edit("undo") },
    help: ["u", "undo"],
    hint: { says: "undo", needs: "edit", at: { sessions: 9, plan: 11, todo: 11 } },
  },
  { where: changing, keys: { U: edit("redo"), "ctrl+r": edit("redo") }, help: ["U, ctrl+r", "redo what was undone"] },
  {
    where: changing,
    keys: { e: edit("text") },
    ability: "terminal",
    help: ["e", "edit the plan in your editor"],
    hint: { says: "edit", needs: "edit", at: { sessions: 10, plan: 15, todo: 12 } },
  },
  {
    where: untyped,
    keys: { "?": act({ type: "help" }) },
    help: ["?", "this page"],
    hint: { says: "help", at: { sessions: "end", plan: "end", none: "end" } },
  },
  {
    where: ["board"],
    keys: { q: quit },
    ability: "terminal",
    help: ["q, ctrl+c", "quit"],
    hint: { says: "quit", at: { sessions: "end", plan: "end", none: "end" } },
  },
  { where: everywhere, keys: { "ctrl+c": quit } },
  { where: everywhere, keys: { "ctrl+z": { kind: "pause" } }, help: ["ctrl+z", "back to the shell; fg returns here"] },
  { where: everywhere, keys: { "ctrl+l": { kind: "redraw" } }, help: ["ctrl+l", "draw the screen again"] },
  { where: [], keys: {}, ability: "mouse", help: ["mouse", "click selects, a second click opens; the wheel moves"] },
  { where: ["prompt"], keys: { enter: { kind: "answer" } } },
  { where: ["prompt"], keys: { backspace: erase("character"), delete: erase("character") } },
  { where: ["prompt"], keys: { "ctrl+w": erase("word"), "ctrl+u": erase("all") } },
  { where: ["prompt"], keys: { left: caret("left"), right: caret("right") } },
  { where: ["prompt"], keys: { home: caret("start"), "ctrl+a": caret("start") } },
  { where: ["prompt"], keys: { end: caret("end"), "ctrl+e": caret("end") } },
]

/** Whether the key is a character, which a prompt adds to its text. */
const isCharacter = (key: string): boolean => key.length === 1 || key === "space"

const keysIn = (place: BoardPlace): ReadonlyMap<string, BoardCommand> => {
  const own = rows.filter(({ where }) => where.includes(place)).flatMap(({ keys }) => Object.entries(keys))
  return new Map(place === "prompt" ? own.filter(([key]) => !isCharacter(key)) : own)
}

const commands: Readonly<Record<BoardPlace, ReadonlyMap<string, BoardCommand>>> = {
  board: keysIn("board"),
  todo: keysIn("todo"),
  help: keysIn("help"),
  prompt: keysIn("prompt"),
}

/** The command of a key here, or undefined. */
export const commandFor = (key: string, place: BoardPlace): BoardCommand | undefined => commands[place].get(key)

/** The rows of the page of keys, for a board with these abilities. */
export const keyHelp = (can: BoardAbilities): (readonly [keys: string, does: string])[] =>
  rows.flatMap(({ help, ability }) => {
    if (!help || (ability && !can[ability])) return []
    const [keys, does] = help
    // In a browser, these keys belong to the browser.
    const own = keys.split(", ").filter((key) => can.terminal || !(key.startsWith("ctrl+") || key === "tab"))
    return own.length === 0 ? [] : [[own.join(", "), typeof does === "string" ? does : does(can)]]
  })

export type KeyHint = { key: string; says: string; isAtEnd: boolean }

/** The keys that do something here: the most useful ones first, and those that are always shown at the end. */
export const keyHints = (view: BoardView, sessions: readonly BoardSession[]): KeyHint[] => {
  const session = selectedSession(view, sessions)
  const place = view.page ?? (session || view.session === olderKey ? view.pane : "none")
  const has = {
    edit: session?.isEditable === true,
    waiting: sessions.some(({ state }) => state === "waiting"),
    filter: view.filters.sessions !== "",
    older: boardList(view, sessions).places.has(olderKey),
  }
  return rows
    .flatMap(({ keys, ability, hint }) => {
      const rank = hint?.at[place]
      if (!hint || rank === undefined || (ability && !view.can[ability]) || (hint.needs && !has[hint.needs])) return []
      const { key = Object.keys(keys)[0] ?? "", says } = hint
      const words = typeof says === "string" ? says : says(view)
      return [{ key, says: words, isAtEnd: rank === "end", rank: rank === "end" ? Number.MAX_SAFE_INTEGER : rank }]
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ key, says, isAtEnd }) => ({ key, says, isAtEnd }))
}
