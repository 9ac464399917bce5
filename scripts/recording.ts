/** Records the first minute with Headway in a real terminal, and draws it as `docs/first-minute.svg`. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { openTerminal } from "../test/terminal.ts"
import { screenCells } from "./screen-cells.ts"
import { type Frame, screensSvg } from "./screens-svg.ts"

const file = "docs/first-minute.svg"
const title = "The first minute: the demo on the live board, then a plan of one's own from the shell"

/** How often the running board is looked at, and how many pictures of it are enough. */
const look = { everySeconds: 1.2, most: 22 }

export const record = async (): Promise<void> => {
  const root = mkdtempSync(join(tmpdir(), "headway-recording-"))
  const [bin, project] = [join(root, "bin"), join(root, "shop")]
  for (const path of [bin, project]) mkdirSync(path)
  // As it is once the command is installed.
  writeFileSync(
    join(bin, "headway"),
    `#!/bin/sh\nexec "${process.execPath}" "${resolve("dist/bin/headway.js")}" "$@"\n`,
  )
  chmodSync(join(bin, "headway"), 0o755)
  const terminal = openTerminal("bash", ["--norc", "--noprofile"], {
    columns: 100,
    rows: 21,
    cwd: project,
    env: {
      HOME: root,
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      PS1: "$ ",
      BASH_SILENCE_DEPRECATION_WARNING: "1",
    },
  })
  const frames: Frame[] = []
  const keep = (seconds: number): void => {
    const screen = screenCells(terminal.emulator)
    const last = frames.at(-1)
    if (last && JSON.stringify(last.screen) === JSON.stringify(screen)) last.seconds += seconds
    else frames.push({ screen, seconds })
  }
  const prompts = (): number => terminal.screen().filter((line) => line.startsWith("$ ")).length
  /** Types a command, shows it, and what it says. */
  const command = async (words: string, seconds: number): Promise<void> => {
    terminal.type(words)
    await terminal.waitFor((screen) => screen.replaceAll("\n", "").includes(words))
    keep(1)
    terminal.type("\r")
    await terminal.waitFor((screen) => screen.trimEnd().endsWith("\n$"))
    keep(seconds)
  }
  try {
    await terminal.waitFor("$")
    keep(0.8)
    terminal.type("headway demo --speed 2")
    await terminal.waitFor("--speed 2")
    keep(1)
    terminal.type("\r")
    await terminal.waitFor((screen) => !screen.includes("$ headway"))
    for (let count = 0; count < look.most; count += 1) {
      await pause(look.everySeconds * 1000)
      keep(look.everySeconds)
      if (terminal.screen().join("\n").includes("Gemini CLI has stopped")) break
    }
    const still = frames.length - 1
    keep(1.5)
    terminal.type("q")
    await terminal.waitFor((screen) => screen.trimEnd().endsWith("\n$"), 60)
    terminal.type("clear\r")
    await terminal.waitFor((screen) => screen.trim() === "$")
    keep(0.8)
    await command(`echo '{"todos":["Run the tests","Fix what fails"]}' | headway write`, 3)
    await command('headway todo add "Ask for a review"', 1.5)
    await command("headway todo done 1", 1.5)
    await command("headway show", 4)
    if (prompts() === 0) throw new Error("the shell is gone")
    const svg = screensSvg(frames, title, still)
    writeFileSync(file, svg)
    console.log(`${file}: ${Math.ceil(svg.length / 1024)} KB, ${frames.length} frames`)
  } finally {
    terminal.kill()
    await terminal.exited
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}
