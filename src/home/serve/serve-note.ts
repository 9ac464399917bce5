/**
 * The note of a running `headway serve` in the home, so that a second one finds it. It has the address, but no secret.
 */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { foreignTextIn } from "../reading/foreign-file.ts"
import { replaceFile } from "../writing/write-file.ts"

export type ServeNote = {
  pid: number
  /** Its loopback address: scheme, name and port. */
  origin: string
  /** Where other devices reach it, if they do. */
  remote?: string | undefined
}

const fileIn = (home: string): string => join(home, "serve.json")

/** In bytes. */
const longestFile = 4 << 10

/** The note as it was left; the server may no longer run. */
export const readServeNote = (home: string): ServeNote | undefined => {
  const value = parseJson(foreignTextIn(fileIn(home), longestFile) ?? "")
  if (!isRecord(value)) return undefined
  const { pid, origin, remote } = value
  if (typeof pid !== "number" || typeof origin !== "string" || !/^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(origin))
    return undefined
  return { pid, origin, ...(typeof remote === "string" ? { remote } : {}) }
}

export const saveServeNote = (home: string, note: ServeNote): void =>
  void replaceFile(fileIn(home), `${JSON.stringify({ v: 1, ...note })}\n`, join(home, "tmp"))

/** Removes only our own note: another server may have started since. */
export const removeServeNote = (home: string, { pid, origin }: ServeNote): void => {
  const there = readServeNote(home)
  if (there?.pid === pid && there.origin === origin) rmSync(fileIn(home), { force: true })
}
