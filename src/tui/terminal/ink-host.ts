/** Lets Ink read keys and keep components alive, but never write: the screen belongs to somebody else. */
import { render } from "ink"
import type { ReactNode } from "react"
import type { Keyboard } from "./keyboard.ts"

export type InkHost = {
  /** Ends the components and takes the keys back, and with them the terminal's raw mode. */
  close(): void
}

type InkHostOptions = {
  keyboard: Keyboard
  /** A component threw. */
  onError(cause: unknown): void
}

export const openInkHost = (node: ReactNode, { keyboard, onError }: InkHostOptions): InkHost => {
  const { unmount, waitUntilExit } = render(node, {
    stdout: nowhere(),
    stdin: keyboard as unknown as NodeJS.ReadStream,
    // Everything happens at once, also where Ink takes the machine for a build server.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  })
  waitUntilExit().catch(onError)
  return { close: unmount }
}

/** An output as Ink wants one. It is no terminal, so that Ink does not even try to set a cursor. */
const nowhere = (): NodeJS.WriteStream => {
  const stream = {
    isTTY: false,
    writable: true,
    columns: 80,
    rows: 24,
    write: () => true,
    on: () => stream,
    off: () => stream,
  }
  return stream as unknown as NodeJS.WriteStream
}
