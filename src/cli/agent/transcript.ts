/** A conversation as a file: one line a word of it, only ever appended to; a line that was torn is skipped. */
import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync } from "node:fs"
import { dirname } from "node:path"
import type { Transcript } from "../../agent/index.ts"

export const createFileTranscript = (path: string, childPath?: (agent: string) => string): Transcript => ({
  load: async () => readLines(path),
  append: async (spoken) => appendLine(path, spoken),
  ...(childPath ? { child: (agent) => createFileTranscript(childPath(agent)) } : {}),
})

export const readLines = (path: string): unknown[] => {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return []
    throw cause
  }
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown]
    } catch {
      return []
    }
  })
}

/** On a line of its own, whatever a crash left before it. */
export const appendLine = (path: string, value: unknown, flag: "a" | "ax" = "a"): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const start = flag === "a" && endsOpen(path) ? "\n" : ""
  appendFileSync(path, `${start}${JSON.stringify(value)}\n`, { mode: 0o600, flag })
}

const endsOpen = (path: string): boolean => {
  let file: number
  try {
    file = openSync(path, "r")
  } catch {
    return false
  }
  try {
    const { size } = fstatSync(file)
    const last = Buffer.alloc(1)
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 10
  } finally {
    closeSync(file)
  }
}
