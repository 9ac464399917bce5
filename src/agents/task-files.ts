/** Reads the files of a folder that make up one list, up to a limit. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { readForeignText } from "../home/reading/foreign-file.ts"
import { type Problem, sanitise, warning } from "../plan/index.ts"

export type TaskFile = { name: string; text: string }

/** The limits of a list, because all its files are in memory at the same time. */
const [mostFiles, longestFile, longestAll] = [2_000, 4 << 20, 64 << 20]

export const readTaskFiles = (folder: string): { files: TaskFile[]; problems: Problem[] } => {
  const names = readdirSync(folder).filter((name) => !name.startsWith(".") && name.endsWith(".json"))
  const files: TaskFile[] = []
  const problems: Problem[] = []
  let length = 0
  for (const name of names.slice(0, mostFiles)) {
    try {
      const text = readForeignText(join(folder, name), Math.min(longestFile, longestAll - length))
      length += text.length
      files.push({ name, text })
    } catch (cause) {
      // A file that disappears while it is read is ignored.
      const { code, message } = cause as NodeJS.ErrnoException
      if (code === "ENOENT") continue
      problems.push(warning("unreadable-task", `${sanitise(name).slice(0, 200)} was skipped: ${message}.`))
    }
  }
  if (names.length > mostFiles)
    problems.push(warning("many-tasks", `Only ${mostFiles} of ${names.length} tasks were read, the most of one list.`))
  return { files, problems }
}
