/** The board on a whole terminal: takes it, draws, waits for the end, and gives it back as it was. */
import type { BoardSource } from "../../views/board/session.ts"
import { type Look, LookProvider } from "../components/look.tsx"
import { createFrameWriter } from "../terminal/frame-writer.ts"
import { type InkHost, openInkHost } from "../terminal/ink-host.ts"
import { createKeyboard } from "../terminal/keyboard.ts"
import { listenToTerminal, stopProcess, turnOfLoop } from "../terminal/terminal-events.ts"
import { createTerminalModes } from "../terminal/terminal-modes.ts"
import { Board } from "./board.tsx"
import { createBoardModel } from "./model.ts"

export type BoardScreenOptions = {
  source: BoardSource
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  look: Look
  now: () => Date
  /** Lets a person change a text in an editor of their own; nothing when it stays as it was. The terminal is theirs meanwhile. */
  editText(text: string): string | undefined | Promise<string | undefined>
  /** Closes the board from outside. */
  signal?: AbortSignal | undefined
}

/**
 * Resolves when the person has quit, the signal was aborted, or the system asked to end: then with the name of what it sent.
 * The terminal is given back by then, and also when the process ends in any other way.
 */
export const openBoard = async (options: BoardScreenOptions): Promise<NodeJS.Signals | undefined> => {
  const { stdout, signal } = options
  let quit = (): void => undefined
  let end = (_name: NodeJS.Signals): void => undefined
  let fail = (_cause: unknown): void => undefined
  const over = new Promise<NodeJS.Signals | undefined>((resolve, reject) => {
    quit = () => resolve(undefined)
    end = resolve
    fail = reject
  })
  const screen = createScreen(options, { quit, fail })
  const stopListening = listenToTerminal(options.stdin, stdout, {
    ...screen,
    end: (name) => screen.mayEnd(name) && end(name),
  })
  signal?.addEventListener("abort", quit)
  if (signal?.aborted) quit()
  try {
    screen.open()
    return await over
  } finally {
    signal?.removeEventListener("abort", quit)
    stopListening()
    screen.close()
  }
}

const createScreen = (
  { source, stdin, stdout, look, now, editText }: BoardScreenOptions,
  { quit, fail }: { quit(): void; fail(cause: unknown): void },
) => {
  const modes = createTerminalModes(stdin, stdout)
  const writer = createFrameWriter(stdout)
  const size = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24, ascii: look.ascii })
  let host: InkHost | undefined
  let isAway = false
  let isOver = false

  const redraw = (): void => {
    writer.forget()
    if (!isAway) model.resize(size())
  }

  const take = (): void => {
    modes.enter()
    writer.forget()
    model.resize(size())
    host = openInkHost(
      <LookProvider {...look}>
        <Board model={model} onFrame={writer.show} />
      </LookProvider>,
      { keyboard, onError: fail },
    )
  }

  const giveBack = (): void => {
    host?.close()
    host = undefined
    modes.leave()
    stdin.pause()
  }

  /** Hands the terminal to somebody else for a while. */
  const away = async <Result,>(task: () => Result | Promise<Result>): Promise<Result> => {
    isAway = true
    giveBack()
    try {
      return await task()
    } finally {
      // An interrupt that was meant for the editor reaches this process too; it is let by.
      await turnOfLoop()
      isAway = false
      if (!isOver) take()
    }
  }

  const pause = (): void => {
    if (!isAway) void away(stopProcess)
  }

  const model = createBoardModel({
    source,
    size: size(),
    now,
    editText: (text) => away(() => editText(text)),
    onQuit: quit,
    onPause: pause,
    onRedraw: redraw,
  })

  const keyboard = createKeyboard(stdin, model.paste)

  return {
    open: take,
    close() {
      isOver = true
      model.close()
      writer.close()
      giveBack()
    },
    resize: redraw,
    mayEnd: (name: NodeJS.Signals): boolean => !(isAway && name === "SIGINT"),
    pause,
    goOn() {
      if (isAway) return
      // Whoever had the terminal meanwhile may have left it in any state, and raw mode is only set where it seems to be off.
      if (stdin.isTTY) stdin.setRawMode(false)
      modes.enter()
      redraw()
    },
    exit: modes.leave,
  }
}
