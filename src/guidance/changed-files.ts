/** Reports files that have changed since the model read them, with the changed lines. */
import { escapeForModel, quoteForModel } from "../plan/index.ts"
import type { AttachmentBody } from "./attachment.ts"
import type { ReminderGenerator } from "./remind.ts"
import { shortened } from "./shortened.ts"

export const changedFileType = "edited_text_file"

export type ChangedFileBody = AttachmentBody & {
  type: typeof changedFileType
  filename: string
  /** The changed lines with their numbers; absent if the file was deleted. */
  snippet?: string
}

export type ChangedFilesOptions = {
  /** Reads the current text of a file. Resolves with undefined, or rejects, if there is none. */
  read: (path: string) => Promise<string | undefined>
}

export type ChangedFiles = {
  /** Records that the model has read or written this text of a file. */
  saw(path: string, text: string): void
  /** Stops reporting changes of a file. */
  forget(path: string): void
  /** For `generators`: reports each change once. */
  generator: ReminderGenerator
}

/** For a single agent, because other agents have not read the same files. */
export const createChangedFiles = ({ read }: ChangedFilesOptions): ChangedFiles => {
  const seen = new Map<string, string>()

  const changeOf = async (path: string, before: string): Promise<ChangedFileBody[]> => {
    const now = await read(path).catch(() => undefined)
    // The model itself may have read or written the file in the meantime.
    if (now === before || seen.get(path) !== before) return []
    if (now === undefined) seen.delete(path)
    else seen.set(path, now)
    const filename = shortened(path, longestPath)
    return [{ type: changedFileType, filename, ...(now === undefined ? {} : { snippet: changedLines(before, now) }) }]
  }

  return {
    saw: (path, text) => void seen.set(path, text),
    forget: (path) => void seen.delete(path),
    generator: async () => {
      const changes = await Promise.all([...seen].map(([path, text]) => changeOf(path, text)))
      return changes.flat().map((body) => ({ body, text: changedFileText(body) }))
    },
  }
}

export const changedFileText = ({ filename, snippet }: Omit<ChangedFileBody, "type">): string => {
  const name = escapeForModel(shortened(filename, longestPath))
  if (snippet === undefined) return `${name}, which you have read, was deleted. ${onPurpose}`
  return [`${name} has changed since you saw it. The differences:`, quoteForModel(snippet), onPurpose].join("\n")
}

const onPurpose =
  "The user or a program made this change on purpose: do not undo it unless you are asked to, and do not mention it."

const longestPath = 1000

/** The most changed lines shown; the model can read the rest in the file. */
const mostLines = 60
const longestLine = 300

/** All lines between the first and last changed one, with their current numbers. */
const changedLines = (before: string, now: string): string => {
  const [old, lines] = [before.split(/\r?\n/), now.split(/\r?\n/)]
  let start = 0
  while (start < Math.min(old.length, lines.length) && old[start] === lines[start]) start += 1
  let end = 0
  const most = Math.min(old.length, lines.length) - start
  while (end < most && old.at(-1 - end) === lines.at(-1 - end)) end += 1
  const changed = lines.slice(start, lines.length - end)
  if (changed.length === 0) return `(lines were removed after line ${start})`
  const shown = changed
    .slice(0, mostLines)
    .map((line, index) => `${start + index + 1} ${line.slice(0, longestLine).toWellFormed()}`)
  return [...shown, ...(changed.length > mostLines ? [`… and ${changed.length - mostLines} more lines`] : [])].join(
    "\n",
  )
}
