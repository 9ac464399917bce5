/** Lets Ink lay out a screen but not write it: every frame is handed over whole. */
import { render } from "ink"
import type { ReactNode } from "react"
import type { Keyboard } from "./keyboard.ts"

export type InkFrames = {
  /** Takes the keys back from Ink, and with them the terminal's raw mode. */
  unmount(): void
}

type InkFramesOptions = {
  keyboard: Keyboard
  size: () => { columns: number; rows: number }
  onFrame(frame: string): void
  /** A component threw. */
  onError(cause: unknown): void
}

export const openInkFrames = (node: ReactNode, { keyboard, size, onFrame, onError }: InkFramesOptions): InkFrames => {
  let isMounted = true
  const { unmount, waitUntilExit } = render(node, {
    stdout: frameStream(size, (frame) => {
      if (isMounted) onFrame(frame)
    }),
    stdin: keyboard as unknown as NodeJS.ReadStream,
    // Ink then gives every frame as it is, also where it takes the machine for a build server.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  })
  waitUntilExit().catch(onError)
  return {
    unmount() {
      isMounted = false
      unmount()
    },
  }
}

/** An output as Ink wants one. It is no terminal, so that Ink leaves cursor and screen alone. */
const frameStream = (size: InkFramesOptions["size"], show: (frame: string) => void): NodeJS.WriteStream => {
  const stream = {
    isTTY: false,
    writable: true,
    get columns() {
      return size().columns
    },
    get rows() {
      return size().rows
    },
    write(frame: string): boolean {
      show(frame)
      return true
    },
    on: () => stream,
    off: () => stream,
  }
  return stream as unknown as NodeJS.WriteStream
}
