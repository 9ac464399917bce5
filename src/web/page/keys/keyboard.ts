/** The keyboard of the page: uses the terminal board's table of keys. */
import { useEffect } from "react"
import { type BoardCommand, commandFor } from "../../../views/board/keys.ts"

/** Handles a command in a view. Returns true if it did something. */
export type CommandHandler = (command: BoardCommand, event: KeyboardEvent) => boolean

/** The handlers of the visible parts, the innermost last. */
const handlers: { current: CommandHandler }[] = []

/** Registers a handler. The innermost view that can handle a command gets it. */
export const useCommands = (handler: CommandHandler): void => {
  useEffect(() => {
    const own = { current: handler }
    handlers.push(own)
    return () => {
      handlers.splice(handlers.indexOf(own), 1)
    }
  }, [handler])
}

export const listenToKeys = (): void => {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const { target } = event
    if (!(target instanceof Element) || isTyping(target) || target.closest("dialog")) return
    const key = names[event.key] ?? event.key
    if (isOfControl(target, key)) return
    const command = commandFor(key, "board")
    if (!command) return
    for (const { current } of handlers.toReversed()) {
      if (!current(command, event)) continue
      event.preventDefault()
      return
    }
  })
}

const names: Readonly<Record<string, string>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Enter: "enter",
  Escape: "escape",
  Home: "home",
  End: "end",
  " ": "space",
}

const isTyping = (target: Element): boolean =>
  target.matches("textarea, select, input:not([type=range], [type=checkbox])") ||
  (target as HTMLElement).isContentEditable

/** Whether the browser uses this key itself: to press a button, follow a link or move a slider. */
const isOfControl = (target: Element, key: string): boolean => {
  if (target.matches("button, summary, input")) {
    if (key === "enter" || key === "space") return true
  }
  if (target.matches("a")) return key === "enter"
  return target.matches("input[type=range]") && /^(?:up|down|left|right|home|end)$/.test(key)
}
