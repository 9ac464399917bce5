/** The title of a Copilot CLI session, from `workspace.yaml` in the session's folder. */
import { parseDocument } from "yaml"
import type { ReadDocument } from "../../sessions/source.ts"
import { nameIn } from "../../streams/line.ts"

export const workspaceFile: ReadDocument = ({ text }) => {
  const title = nameIn(parsed(nameLines(text)))
  return title === undefined ? [] : [{ type: "session", title }]
}

/** In characters. A name is short, and the parser becomes slow for long texts. */
const longest = 2_000

/** Only the lines of the name; the rest of the file is not parsed. */
const nameLines = (text: string): string => {
  const start = `\n${text}`.indexOf("\nname:")
  if (start < 0) return ""
  const [first = "", ...others] = text.slice(start, start + longest).split("\n")
  const end = others.findIndex((line) => /^\S/.test(line))
  return [first, ...(end < 0 ? others : others.slice(0, end))].join("\n")
}

/** Undefined if the lines cannot be parsed, for example while the file is being written. */
const parsed = (lines: string): unknown => {
  try {
    const document = parseDocument(lines, { schema: "failsafe", prettyErrors: false, logLevel: "silent" })
    return document.errors.length === 0 ? document.get("name") : undefined
  } catch {
    return undefined
  }
}
