/** Reports files that changed since the model read them: which, and their new content. */
import { escapeForModel, quoteForModel } from "../plan/index.ts"
import type { AttachmentBody } from "./attachment.ts"
import type { ReminderGenerator } from "./remind.ts"
import { shortened } from "./shortened.ts"

export const changedFileType = "edited_text_file"

export type ChangedFileBody = AttachmentBody & {
  type: typeof changedFileType
  filename: string
  /** The lines that changed, each with its number; absent if the file was deleted. */
  snippet?: string
}

export type ChangedFilesOptions = {
  /** The text of a file as it is now; undefined, or a rejection, where there is none. */
  read: (path: string) => Promise<string | undefined>
}

export type ChangedFiles = {
  /** The model has read this text of a file, or written it. */
  saw(path: string, text: string): void
  /** The model need not be told about it any longer. */
  forget(path: string): void
  /** For `generators`: says each change once. */
  generator: ReminderGenerator
}

/** For one agent: other agents have not read the same files. */
export const createChangedFiles = ({ read }: ChangedFilesOptions): ChangedFiles => {
  const seen = new Map<string, string>()

  const changeOf = async (path: string, before: string): Promise<ChangedFileBody[]> => {
    const now = await read(path).catch(() => undefined)
    // It may have been read or written by the model itself while this was asked.
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

/** Enough to see what happened; the file can be read. */
const mostLines = 60
const longestLine = 300

/** Everything between the first and the last line that differ, with numbers as in the file now. */
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
