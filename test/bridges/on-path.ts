/** A `headway` on the PATH that starts the built program, as an installer would put it there. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { version } from "../../src/cli/version.ts"

export const ownBin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))

/** An executable file that does what the lines of a shell say. Returns its folder, for a PATH. */
export const programOnPath = (folder: string, name: string, ...lines: string[]): string => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), ["#!/bin/sh", ...lines, ""].join("\n"), { mode: 0o755 })
  return folder
}

/** The tests run from source, which says another version than the build. */
export const headwayOnPath = (folder: string): string =>
  programOnPath(
    folder,
    "headway",
    `if [ "$1" = --version ]; then echo ${version}; exit; fi`,
    `exec "${process.execPath}" "${ownBin}" "$@"`,
  )
