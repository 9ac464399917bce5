/** A keyboard for the tests: an input stream as Ink wants one, typed on by the test. */

import { EventEmitter } from "node:events"

export type FakeKeyboard = NodeJS.ReadStream & {
  /** Resolves when what was typed has been taken. */
  type(keys: string): Promise<void>
}

export const fakeKeyboard = (): FakeKeyboard => {
  let typed: string | null = null
  const keyboard = Object.assign(new EventEmitter(), {
    isTTY: true,
    isRaw: false,
    setRawMode(isRaw: boolean) {
      keyboard.isRaw = isRaw
      return keyboard
    },
    setEncoding: () => keyboard,
    ref: () => keyboard,
    unref: () => keyboard,
    pause: () => keyboard,
    resume: () => keyboard,
    read: () => {
      const text = typed
      typed = null
      return text
    },
    async type(keys: string) {
      typed = keys
      keyboard.emit("readable")
      // Ink waits one turn of the loop to tell the escape key from a sequence that begins with it.
      await new Promise((passed) => setImmediate(passed))
      await new Promise((passed) => setImmediate(passed))
    },
  })
  return keyboard as unknown as FakeKeyboard
}
