/** How long the commands take that agents and shells call all the time, against a bare start of Node. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bareStart, bin, byTurns, milliseconds, type Row, runNode } from "./measure.ts"

export const start = async (): Promise<Row[]> => {
  const home = mkdtempSync(join(tmpdir(), "headway-bench-"))
  const todos = Array.from({ length: 10 }, (_, index) => ({ content: `Write part ${index + 1} of the report` }))
  runNode([bin, "write", "--new", "--session", "bench"], { home, input: JSON.stringify({ todos }) })
  let flips = 0
  const patch = () => {
    flips += 1
    const status = flips % 2 === 0 ? "pending" : "completed"
    runNode([bin, "write", "--new", "--session", "bench"], {
      home,
      input: JSON.stringify({ todos: [{ id: "1", status }] }),
    })
  }
  const claudesWords = JSON.stringify({ session_id: "bench", cwd: process.cwd(), model: { id: "a-model" } })
  const times = byTurns(
    {
      bare: bareStart,
      version: () => void runNode([bin, "--version"], { home }),
      show: () => void runNode([bin, "show", "--session", "bench"], { home }),
      write: patch,
      statusline: () => void runNode([bin, "statusline"], { home, input: claudesWords }),
      launched: () =>
        void runNode([bin, "statusline"], { home, input: claudesWords, env: { HEADWAY_LAUNCHER: "whole" } }),
    },
    25,
  )
  rmSync(home, { recursive: true })
  const row = (what: string, time: number, limit: number): Row => ({
    what,
    figure: milliseconds(time),
    ratio: time / times.bare,
    limit,
  })
  return [
    { what: "node -e 0", figure: milliseconds(times.bare) },
    row("headway --version", times.version, 1.3),
    row("headway show, small plan", times.show, 1.3),
    row("headway write, one patch", times.write, 1.5),
    row("headway statusline, started by the launcher", times.launched, 1.2),
    row("headway statusline, called directly", times.statusline, 1.2),
  ]
}
