/** Builds everything that is shipped: the command, the doors of the library with their types, and the page. */
import { readFileSync, rmSync } from "node:fs"
import { buildCommand } from "./build-command.ts"
import { buildLibrary } from "./build-library.ts"
import { buildPage } from "./build-page.ts"
import { guardDoors } from "./guard-doors.ts"

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string }

/** A build takes a minute on a small machine, and its first step is what a newcomer waits for. */
const step = (what: string): void => void process.stderr.write(`Building ${what}\n`)

rmSync("dist", { recursive: true, force: true })

step("the command (1 of 3)")
await buildCommand(version)
step("the library and its types (2 of 3)")
await buildLibrary()
await guardDoors()
step("the page (3 of 3)")
await buildPage()
