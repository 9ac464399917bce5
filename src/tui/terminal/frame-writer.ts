/** Writes frames to the terminal: only changed rows, at a limited rate. */

import { createPace, systemTimer, type Timer } from "./pace.ts"
import type { Painted } from "./paint.ts"
import { inOneStep } from "./terminal-modes.ts"

/** The part of an output stream that is used. */
export type FrameOutput = {
  /** False when it takes nothing more for now; `drain` says when it does again. */
  write(text: string): boolean
  once(event: "drain", listener: () => void): unknown
}

export type FrameWriter = {
  /** Shows a whole frame, its rows separated by line breaks. Of several in a short time only the last is written. */
  show(frame: Painted): void
  /** The screen is not what was last written: the next frame is written whole, and one that waits is not written. */
  forget(): void
  /** Writes nothing any more. */
  close(): void
}

/** Thirty frames a second are as many as a person sees. */
const frameTime = 33

export const createFrameWriter = (output: FrameOutput, timer: Timer = systemTimer): FrameWriter => {
  let shown: readonly string[] | undefined
  let wanted: string | undefined
  let isBlocked = false
  let isClosed = false

  const writeWanted = (): void => {
    if (isClosed || isBlocked || wanted === undefined) return
    const rows = wanted.split("\n")
    const text = shown === undefined ? wholeFrame(rows) : changedRows(shown, rows)
    wanted = undefined
    shown = rows
    if (text === "" || output.write(text)) return
    // Frames that arrive while the terminal is busy replace each other, without a queue.
    isBlocked = true
    output.once("drain", () => {
      isBlocked = false
      pace.ask()
    })
  }
  const pace = createPace(writeWanted, frameTime, timer)

  return {
    show(frame) {
      wanted = frame
      pace.ask()
    },
    forget() {
      shown = undefined
      wanted = undefined
    },
    close() {
      isClosed = true
      pace.stop()
    },
  }
}

/** The rest of a row is cleared before its text: after a full row, clearing would also remove its last character. */
const clearRow = "\u001b[K"
/** Plain style, from the first corner on nothing. */
const clearScreen = "\u001b[m\u001b[H\u001b[J"

const wholeFrame = (rows: readonly string[]): string => inOneStep(clearScreen + rows.join("\r\n"))

const changedRows = (before: readonly string[], rows: readonly string[]): string => {
  const parts: string[] = []
  let cursor = -1
  const count = Math.max(before.length, rows.length)
  for (let row = 0; row < count; row += 1) {
    const text = rows[row] ?? ""
    if (text === before[row]) continue
    parts.push(row === cursor ? "\r\n" : `\u001b[${row + 1};1H`, clearRow, text)
    cursor = row + 1
  }
  // One row is written in one piece anyway.
  return parts.length > 3 ? inOneStep(parts.join("")) : parts.join("")
}
