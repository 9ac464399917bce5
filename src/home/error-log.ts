/** The error log: failures outside the main work go to a file of limited size and to the host. It never throws. */
import { lstatSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { sanitiseBlock } from "../plan/text/sanitise.ts"
import { isOwnFolder } from "./writing/own-folder.ts"
import { appendToFile, makeFolder, replaceFile } from "./writing/write-file.ts"

export type ErrorSink = (error: unknown) => void

export type ErrorSinkOptions = {
  home: string
  now?: () => Date
  /** Called with each error. Exceptions from it are ignored. */
  onError?: (error: unknown) => void
  /** @default process.env */
  env?: Readonly<Record<string, string | undefined>>
}

const maxSize = 1_000_000
const keptSize = 250_000
const maxText = 20_000

export const createErrorSink = ({
  home,
  now = () => new Date(),
  onError,
  env = process.env,
}: ErrorSinkOptions): ErrorSink => {
  const path = join(home, "errors.log")
  return (error) => {
    try {
      onError?.(error)
    } catch {}
    if (env.HEADWAY_NO_ERROR_LOG === "1") return
    try {
      if (!isOwnFolder(home)) return
      makeFolder(home)
      shorten(path, join(home, "tmp"))
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      appendToFile(path, `[${now().toISOString()}] ${logged(text.slice(0, maxText))}\n`)
    } catch {}
  }
}

/**
 * An error may quote anything, such as a file name: continuation lines are indented, so that none looks like an entry.
 */
const logged = (text: string): string => sanitiseBlock(text).replace(/\n(?! )/g, "\n    ")

/** Keeps the newest part, from the start of a line. */
const shorten = (path: string, temporary: string): void => {
  const { size = 0 } = lstatSync(path, { throwIfNoEntry: false }) ?? {}
  if (size <= maxSize) return
  const kept = readFileSync(path).subarray(-keptSize)
  replaceFile(path, kept.subarray(kept.indexOf(10) + 1).toString("utf8"), temporary)
}
