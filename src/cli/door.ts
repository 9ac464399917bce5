/**
 * All terminal output passes through here: text is sanitised, and only our own styles and gestures reach the terminal.
 */
import { sanitiseShown } from "../plan/text/sanitise.ts"
import { paintRows } from "../tui/terminal/paint.ts"
import { mayColour } from "./colour.ts"
import type { Gesture, Io, Outside, Printed } from "./io.ts"

/** Wraps an `Io` so that everything it prints is sanitised. Properties are read lazily. `isPlain` forbids colour. */
export const withDoor = (outside: Outside, { isPlain = false } = {}): Io => {
  const text = (printed: Printed, stream: "out" | "err"): string =>
    safeText(printed, () => mayColour(outside, stream, isPlain))
  return Object.defineProperties({} as Io, {
    ...Object.getOwnPropertyDescriptors(outside),
    ...valuesOf({
      out: (printed: Printed) => outside.out(text(printed, "out")),
      err: (printed: Printed) => outside.err(text(printed, "err")),
      pour: (printed: Printed) => outside.pour(text(printed, "out")),
    }),
  })
}

const valuesOf = (methods: Pick<Io, "out" | "err" | "pour">): PropertyDescriptorMap =>
  Object.fromEntries(
    Object.entries(methods).map(([name, value]) => [name, { value, enumerable: true, writable: true }]),
  )

const gestures: Readonly<Record<Gesture["gesture"], string>> = { ring: "\u0007", "clear-row": "\r\u001b[K" }

const safeText = (printed: Printed, isColoured: () => boolean): string => {
  if (typeof printed === "string") return sanitiseShown(printed)
  if ("gesture" in printed) return gestures[printed.gesture]
  return printed.length === 0 ? "" : `${paintRows(printed, isColoured())}\n`
}
