/** A keyboard for the tests: an input stream that is typed on by the test. */

import { EventEmitter } from "node:events"

export type FakeKeyboard = NodeJS.ReadStream & {
  /** Resolves when what was typed has been taken. */
  type(keys: string): Promise<void>
}

export const fakeKeyboard = (): FakeKeyboard => {
  const keyboard = Object.assign(new EventEmitter(), {
    isTTY: true,
    isRaw: false,
    setRawMode(isRaw: boolean) {
      keyboard.isRaw = isRaw
      return keyboard
    },
    ref: () => keyboard,
    unref: () => keyboard,
    pause: () => keyboard,
    resume: () => keyboard,
    async type(keys: string) {
      keyboard.emit("data", Buffer.from(keys))
      await new Promise((passed) => setImmediate(passed))
    },
  })
  return keyboard as unknown as FakeKeyboard
}
