/** The error sink: what failed beside the work goes to a bounded file and to the host. It never fails itself. */
import { appendFileSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { makeFolder, replaceFile } from "./write-file.ts"

export type ErrorSink = (error: unknown) => void

export type ErrorSinkOptions = {
  home: string
  now?: () => Date
  /** The host's own ear. What it throws is swallowed. */
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
      makeFolder(home)
      shorten(path, join(home, "tmp"))
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      appendFileSync(path, `[${now().toISOString()}] ${text.slice(0, maxText)}\n`, { mode: 0o600 })
    } catch {}
  }
}

/** Keeps the newest part, from the start of a line. */
const shorten = (path: string, temporary: string): void => {
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  if (size <= maxSize) return
  const kept = readFileSync(path).subarray(-keptSize)
  replaceFile(path, kept.subarray(kept.indexOf(10) + 1).toString("utf8"), temporary)
}
