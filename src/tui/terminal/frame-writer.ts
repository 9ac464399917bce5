/** Writes frames to the terminal: only changed rows, at a limited rate. */

import { createPace, systemTimer, type Timer } from "./pace.ts"
import type { Painted } from "./paint.ts"
import { inOneStep } from "./terminal-modes.ts"

/** The part of an output stream that the frame writer needs. */
export type FrameOutput = {
  /** Returns false if the stream is busy; `drain` is emitted when it is ready again. */
  write(text: string): boolean
  once(event: "drain", listener: () => void): unknown
}

export type FrameWriter = {
  /** Shows a frame, with rows separated by line breaks. Of several frames in a short time only the last is written. */
  show(frame: Painted): void
  /**
   * Call this when something else has drawn on the screen. Drops a waiting frame and writes the next one completely.
   */
  forget(): void
  /** Stops writing. */
  close(): void
}

/** In milliseconds. Thirty frames a second are enough for a person. */
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

/** Clears a row before its text is written. Clearing after a full row would remove its last character. */
const clearRow = "\u001b[K"
/** Resets the style and clears the screen from the top left corner. */
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
  // A single row needs no marks, because it is written in one piece anyway.
  return parts.length > 3 ? inOneStep(parts.join("")) : parts.join("")
}
