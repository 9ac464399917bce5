/** A real terminal for the tests: a program behind a pseudo-terminal, its screen kept by a terminal emulator. */
import { fileURLToPath } from "node:url"
import { type IPty, spawn } from "@lydell/node-pty"
import xterm from "@xterm/headless"

const bin = fileURLToPath(new URL("../dist/bin/headway.js", import.meta.url))

export type TerminalOptions = {
  columns?: number
  rows?: number
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** How much scroll-back the emulator keeps. @default 1000 */
  scrollback?: number
}

export type Terminal = {
  readonly process: IPty
  /** The screen itself, for tests that need more than its words. */
  readonly emulator: xterm.Terminal
  /** Everything the program ever wrote. */
  readonly written: string
  /** Resolves with the exit code. */
  readonly exited: Promise<number>
  /** The rows of the screen, without trailing spaces. */
  screen(): string[]
  /** Scroll-back and screen together. */
  everything(): string[]
  cursor(): { x: number; y: number; isHidden: boolean }
  isAlternate(): boolean
  type(keys: string): void
  resize(columns: number, rows: number): void
  /** Resolves when the screen says so; rejects with the screen when the program ends or it takes too long. */
  waitFor(what: string | RegExp | ((screen: string) => boolean), seconds?: number): Promise<string[]>
  kill(signal?: string): void
}

/** Runs the built `headway` in a terminal. */
export const headwayIn = (argv: readonly string[], options: TerminalOptions = {}): Terminal =>
  openTerminal(process.execPath, [bin, ...argv], options)

export const openTerminal = (file: string, argv: readonly string[], options: TerminalOptions = {}): Terminal => {
  const { columns = 80, rows = 24, env = {}, cwd = process.cwd(), scrollback = 1000 } = options
  const emulator = new xterm.Terminal({ cols: columns, rows, scrollback, allowProposedApi: true })
  const pty = spawn(file, [...argv], {
    cols: columns,
    rows,
    cwd,
    // It becomes TERM, whatever the environment says.
    name: env.TERM ?? "xterm-256color",
    env: { PATH: process.env.PATH, TERM: "xterm-256color", LANG: "C.UTF-8", ...env },
  })
  let written = ""
  let isHidden = false
  const watchers = new Set<() => void>()
  const look = (): void => {
    for (const watcher of watchers) watcher()
  }
  pty.onData((data) => {
    written += data
    const lastShown = data.lastIndexOf("\u001b[?25h")
    const lastHidden = data.lastIndexOf("\u001b[?25l")
    if (lastShown !== lastHidden) isHidden = lastHidden > lastShown
    emulator.write(data, look)
  })
  // Answers of the emulator (where the cursor is, what it can do) go back as a terminal's would.
  emulator.onData((answer) => pty.write(answer))
  let code: number | undefined
  const exited = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => {
      code = exitCode
      // What was written last is still on its way through the emulator.
      emulator.write("", () => {
        look()
        resolve(exitCode)
      })
    })
  })
  const linesFrom = (start: number): string[] => {
    const { active } = emulator.buffer
    const lines = Array.from({ length: active.length - start }, (_, index) =>
      // Behind its last column the emulator may keep what was there before it became narrower.
      (active.getLine(start + index)?.translateToString(true, 0, emulator.cols) ?? "").trimEnd(),
    )
    return lines
  }
  const screen = (): string[] => linesFrom(emulator.buffer.active.baseY).slice(0, emulator.rows)
  return {
    process: pty,
    emulator,
    get written() {
      return written
    },
    exited,
    screen,
    everything: () => linesFrom(0),
    cursor: () => ({ x: emulator.buffer.active.cursorX, y: emulator.buffer.active.cursorY, isHidden }),
    isAlternate: () => emulator.buffer.active.type === "alternate",
    type: (keys) => pty.write(keys),
    resize(width, height) {
      emulator.resize(width, height)
      pty.resize(width, height)
    },
    waitFor(what, seconds = 30) {
      const holds = (text: string): boolean =>
        typeof what === "function" ? what(text) : typeof what === "string" ? text.includes(what) : what.test(text)
      return new Promise((resolve, reject) => {
        const end = (finish: () => void): void => {
          watchers.delete(check)
          clearTimeout(timer)
          finish()
        }
        const fail = (why: string): void =>
          end(() => reject(new Error(`${why} before the screen said ${String(what)}:\n${screen().join("\n")}`)))
        const check = (): void => {
          if (holds(screen().join("\n"))) end(() => resolve(screen()))
          else if (code !== undefined) fail(`The program ended with ${code}`)
        }
        const timer = setTimeout(() => fail(`${seconds} seconds passed`), seconds * 1000)
        watchers.add(check)
        check()
      })
    },
    kill: (signal) => pty.kill(signal),
  }
}
