/** The board's screen from outside: what it takes, what it gives back, and how it ends. */

import { EventEmitter } from "node:events"
import { describe, expect, test } from "vitest"
import { openBoardScreen } from "../../src/tui/board/screen.ts"
import type { BoardSession } from "../../src/views/board/session.ts"
import { boardSession, morning, noon } from "../views/board/sample.ts"
import { fakeKeyboard } from "./fake-keyboard.ts"
import { memorySource } from "./memory-source.ts"

const taken = "\u001b[?1049h"
const givenBack = "\u001b[?1049l"

const fakeScreen = (columns: number | undefined = 80, rows: number | undefined = 24) => {
  const written: string[] = []
  const stdout = Object.assign(new EventEmitter(), {
    columns,
    rows,
    writable: true,
    write(text: string) {
      written.push(text)
      return true
    },
  })
  return { written, stdout, stream: stdout as unknown as NodeJS.WriteStream }
}

const open = ({
  sessions = morning as readonly BoardSession[],
  signal = undefined as AbortSignal | undefined,
} = {}) => {
  const keyboard = fakeKeyboard()
  const screen = fakeScreen()
  const source = memorySource(sessions)
  const ended = openBoardScreen({
    source,
    stdin: keyboard,
    stdout: screen.stream,
    appearance: { colour: false, ascii: false },
    now: () => noon,
    editText: () => undefined,
    signal,
  })
  return { ended, keyboard, source, ...screen, text: () => screen.written.join("") }
}

const listeners = (): number[] =>
  ["SIGTERM", "SIGHUP", "SIGINT", "SIGTSTP", "SIGCONT", "exit"].map((name) => process.listenerCount(name))

describe("the screen", () => {
  test("is taken with raw keys and restored completely", async () => {
    const before = listeners()
    const board = open()
    expect(board.keyboard.isRaw).toBe(true)
    expect(board.text().startsWith(taken)).toBe(true)
    await board.keyboard.type("")
    await board.keyboard.type("q")
    expect(await board.ended).toBeUndefined()
    expect(board.text().endsWith(givenBack)).toBe(true)
    expect(board.keyboard.isRaw).toBe(false)
    expect(listeners()).toEqual(before)
    expect(board.stdout.eventNames()).toEqual([])
  })

  test("closes on request, also before it has started", async () => {
    const controller = new AbortController()
    const board = open({ signal: controller.signal })
    controller.abort()
    expect(await board.ended).toBeUndefined()
    expect(board.text().endsWith(givenBack)).toBe(true)
    const late = open({ signal: controller.signal })
    expect(await late.ended).toBeUndefined()
    expect(late.text().endsWith(givenBack)).toBe(true)
  })

  test("is restored when drawing fails, and the failure is reported", async () => {
    const board = open()
    await board.keyboard.type("")
    const told = board.ended.catch((cause: Error) => cause.message)
    const broken: BoardSession = {
      ...boardSession({ key: "broken" }),
      get agentType(): string {
        throw new Error("nobody can read this")
      },
    }
    board.source.change([broken])
    expect(await told).toBe("nobody can read this")
    expect(board.text().endsWith(givenBack)).toBe(true)
    expect(board.keyboard.isRaw).toBe(false)
  })

  test("ends like after a hang-up when the terminal is gone", async () => {
    const board = open()
    board.stdout.emit("error", new Error("EIO"))
    expect(await board.ended).toBe("SIGHUP")
    const other = open()
    other.keyboard.emit("end")
    expect(await other.ended).toBe("SIGHUP")
  })

  test("has the usual size on a terminal that does not know its own", async () => {
    const keyboard = fakeKeyboard()
    const { stream, written } = fakeScreen(0, 0)
    const controller = new AbortController()
    const ended = openBoardScreen({
      source: memorySource(morning),
      stdin: keyboard,
      stdout: stream,
      appearance: { colour: false, ascii: false },
      now: () => noon,
      editText: () => undefined,
      signal: controller.signal,
    })
    await keyboard.type("")
    expect(written.join("").match(/\r\n/g)).toHaveLength(23)
    controller.abort()
    await ended
  })
})
