/** Builds everything that is shipped: the command, the doors of the library with their types, and the page. */
import { readFileSync, rmSync } from "node:fs"
import { buildCommand } from "./build-command.ts"
import { buildLibrary } from "./build-library.ts"
import { buildPage } from "./build-page.ts"
import { guardDoors } from "./guard-doors.ts"

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string }

rmSync("dist", { recursive: true, force: true })

await buildCommand(version)
await buildLibrary()
await guardDoors()
await buildPage()
