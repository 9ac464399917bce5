/** Takes the README's pictures: draws the board in a terminal as `docs/board.svg`, records the first minute, and shoots the page. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { headwayIn } from "../test/terminal.ts"
import { pagePictures } from "./page-pictures.ts"
import { record } from "./recording.ts"
import { screenCells } from "./screen-cells.ts"
import { screenSvg } from "./screen-svg.ts"

const file = "docs/board.svg"
const title = "The board: three agents from three vendors, and the plan of one of them with its sub-agent"

const home = mkdtempSync(join(tmpdir(), "headway-picture-"))
const terminal = headwayIn(["demo", "--speed", "4"], { columns: 100, rows: 21, env: { HOME: home } })
try {
  // By then a person has added a todo, one agent waits for them, and the sub-agent is still at work.
  await terminal.waitFor("Gemini CLI has stopped")
  // Any key makes room for the hints; the selection ends where it was, on the agent that has a sub-agent.
  terminal.type("kj")
  await terminal.waitFor("q quit")
  const svg = screenSvg(screenCells(terminal.emulator), title)
  writeFileSync(file, svg)
  console.log(`${file}: ${Math.ceil(svg.length / 1024)} KB`)
} finally {
  terminal.type("q")
  await terminal.exited
  rmSync(home, { recursive: true, force: true })
}

await record()
await pagePictures()
