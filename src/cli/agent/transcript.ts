/** A conversation as an append-only file, one message per line; incomplete lines are skipped. */
import { closeSync, constants, fstatSync, readSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { openPlainFile, readPlainFile } from "../../home/reading/plain-file.ts"
import { makeFolderInside } from "../../home/writing/write-file.ts"
import { parseJson } from "../../plan/json.ts"
import type { Transcript } from "../../reference-agent/index.ts"

export const createFileTranscript = (path: string, childPath?: (agent: string) => string): Transcript => ({
  load: async () => readLines(path),
  append: async (spoken) => appendLine(path, spoken),
  ...(childPath ? { child: (agent) => createFileTranscript(childPath(agent)) } : {}),
})

export const readLines = (path: string): unknown[] => {
  let text: string
  try {
    text = readPlainFile(path).toString("utf8")
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return []
    throw cause
  }
  return text.split("\n").flatMap((line) => {
    const value = parseJson(line)
    return value === undefined ? [] : [value]
  })
}

/** On its own line, whatever a crash left before it. `isNew` throws if the file already exists. */
export const appendLine = (path: string, value: unknown, { isNew = false } = {}): void => {
  makeFolderInside(dirname(path))
  const { O_RDWR, O_APPEND, O_CREAT, O_EXCL } = constants
  const file = openPlainFile(path, O_RDWR | O_APPEND | O_CREAT | (isNew ? O_EXCL : 0))
  try {
    writeFileSync(file, `${endsOpen(file) ? "\n" : ""}${JSON.stringify(value)}\n`)
  } finally {
    closeSync(file)
  }
}

const endsOpen = (file: number): boolean => {
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 10
}
