/** The board over sessions in memory, as a program of its own for the tests that need a real terminal. */

import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openBoardScreen } from "../../src/tui/board/screen.ts"
import { morning, noon, shop } from "../views/board/sample.ts"
import { memorySource } from "./memory-source.ts"

const source = memorySource(process.env.BOARD === "empty" ? [] : morning)

/** As the command does it: a file, an editor that takes the terminal, the file again. */
const editText = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "headway-board-"))
  const file = join(folder, "plan.md")
  writeFileSync(file, text)
  spawnSync("sh", ["-c", `${process.env.EDITOR} "$1"`, "sh", file], { stdio: "inherit" })
  const written = readFileSync(file, "utf8")
  rmSync(folder, { recursive: true })
  return written
}

// The agents go on without the person.
process.on("SIGUSR2", () =>
  source.change(source.sessions.map((one) => (one.key === shop.key ? { ...one, state: "waiting" } : one))),
)
process.on("SIGURG", () => {
  throw new Error("something went wrong")
})

const { AGENT: agent, NO_MOUSE: noMouse } = process.env

const ended = await openBoardScreen({
  source,
  hasMouse: noMouse === undefined,
  openInAgent: agent
    ? ({ title }) => {
        spawnSync("sh", ["-c", agent], { stdio: "inherit" })
        return `Back from ${title}.`
      }
    : undefined,
  stdin: process.stdin,
  stdout: process.stdout,
  appearance: { colour: process.env.NO_COLOR === undefined, ascii: process.env.ASCII !== undefined },
  now: () => noon,
  editText,
})
console.log(`ended: ${ended ?? "quit"}`)
