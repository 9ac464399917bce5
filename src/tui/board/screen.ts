/** The full-screen board: takes over the terminal, draws, and restores it at the end. */
import type { BoardSession, BoardSource } from "../../views/board/session.ts"
import type { Line } from "../../views/index.ts"
import type { Appearance } from "../components/appearance.tsx"
import { createFrameWriter } from "../terminal/frame-writer.ts"
import { createKeyboard } from "../terminal/keyboard.ts"
import { paintRows } from "../terminal/paint.ts"
import { listenForHangUp, listenToSystem, stopProcess, turnOfLoop } from "../terminal/terminal-events.ts"
import { createTerminalModes } from "../terminal/terminal-modes.ts"
import { type BoardModelOptions, createBoardModel } from "./model.ts"

export type BoardScreenOptions = {
  source: BoardSource
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  appearance: Appearance
  now: () => Date
  /**
   * Opens a text in the person's editor, which has the terminal until it ends. Returns undefined if the text is
   * unchanged.
   */
  editText(text: string): string | undefined | Promise<string | undefined>
  /** Resumes a session in its agent, which may take the terminal. Returns a message for afterwards. */
  openInAgent?: ((session: BoardSession) => string | undefined | Promise<string | undefined>) | undefined
  find?: BoardModelOptions["find"]
  foldDays?: BoardModelOptions["foldDays"]
  isUnfolded?: BoardModelOptions["isUnfolded"]
  /** Whether the board receives clicks and the wheel; text can then be selected with shift held. @default true */
  hasMouse?: boolean | undefined
  /** Closes the board from outside. */
  signal?: AbortSignal | undefined
  /** Receives the last frame when the person has left, so that the caller can print it. */
  onLeft?: ((lines: readonly Line[]) => void) | undefined
}

/**
 * Resolves when the person has quit, the signal was aborted, or the system asked to end (then with the system signal's
 * name). The terminal is restored by then, and also if the process ends in any other way.
 */
export const openBoardScreen = async (options: BoardScreenOptions): Promise<NodeJS.Signals | undefined> => {
  const { stdin, stdout, signal } = options
  let quit = (): void => undefined
  let end = (_name: NodeJS.Signals): void => undefined
  let fail = (_cause: unknown): void => undefined
  const over = new Promise<NodeJS.Signals | undefined>((resolve, reject) => {
    quit = () => resolve(undefined)
    end = resolve
    fail = reject
  })
  const screen = createScreen(options, { quit, fail })
  let inSight: readonly Line[] | undefined
  const stops = [
    listenToSystem({ ...screen, end: (name) => screen.mayEnd(name) && end(name) }),
    listenForHangUp(stdin, stdout, () => end("SIGHUP")),
  ]
  stdout.on("resize", screen.resize)
  signal?.addEventListener("abort", quit)
  if (signal?.aborted) quit()
  try {
    screen.open()
    const ended = await over
    if (ended === undefined) inSight = screen.lines()
    return ended
  } finally {
    signal?.removeEventListener("abort", quit)
    stdout.off("resize", screen.resize)
    for (const stop of stops) stop()
    screen.close()
    // Printed on the normal screen, because the board's alternate screen is already gone.
    if (inSight) options.onLeft?.(inSight)
  }
}

const createScreen = (
  { source, stdin, stdout, appearance, now, editText, openInAgent, hasMouse = true, ...options }: BoardScreenOptions,
  { quit, fail }: { quit(): void; fail(cause: unknown): void },
) => {
  const borrowed = ["other-screen", "no-cursor", "no-wrapping", "marked-pastes"] as const
  const modes = createTerminalModes(stdout, hasMouse ? [...borrowed, "mouse"] : borrowed)
  const writer = createFrameWriter(stdout)
  const size = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24, ascii: appearance.ascii })
  let isAway = true
  let isOver = false

  const draw = (): void => {
    if (isAway) return
    try {
      writer.show(paintRows(model.lines(), appearance.colour))
    } catch (cause) {
      fail(cause)
    }
  }

  const redraw = (): void => {
    writer.forget()
    if (!isAway) model.resize(size())
  }

  const take = (): void => {
    isAway = false
    // Before anything is drawn: until then the terminal would echo keys into the frame.
    keyboard.begin()
    modes.enter()
    redraw()
  }

  const giveBack = (): void => {
    isAway = true
    writer.forget()
    keyboard.end()
    modes.leave()
  }

  /** Gives the terminal to another program temporarily. */
  const away = async <Result>(task: () => Result | Promise<Result>): Promise<Result> => {
    giveBack()
    try {
      return await task()
    } finally {
      // An interrupt meant for the editor reaches this process too, and is ignored here.
      await turnOfLoop()
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
    openInAgent: openInAgent && ((session) => away(() => openInAgent(session))),
    find: options.find,
    foldDays: options.foldDays,
    isUnfolded: options.isUnfolded,
    hasMouse,
    onQuit: quit,
    onPause: pause,
    onRedraw: redraw,
  })

  model.subscribe(draw)
  const keyboard = createKeyboard({ stdin, onKeys: model.press })

  return {
    open: take,
    lines: model.lines,
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
      // Another program may have left the terminal in any state, and raw mode is only set if Node believes it is off.
      giveBack()
      take()
    },
    exit: giveBack,
  }
}
