/** Puts a text into the strings of recorded data, so that everything else about the data stays genuine. */
import { cpSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Where a string stands: its keys, without the places in lists. */
export type Path = string

/** Decides what becomes of a string. */
export type Change = (value: string, path: Path) => string

/** Words that say what a record is; with others in their place it would not be read. */
const structural =
  /(?:^|\.)(?:type|subtype|role|name|status|op|tool|kind|method|jsonrpc|hook_event_name|tool_name|toolName|dialect|sessionUpdate|timestamp|at|updated|started|date|source)$/

export const isStructural = (path: Path): boolean => structural.test(path)

/** Adds the text to every string that is not needed to know what the record is. */
export const appended =
  (text: string): Change =>
  (value, path) =>
    isStructural(path) ? value : value + text

/** The same with another text for each value, in turn. A value is the same wherever it stands, as ids must be. */
export const appendedInTurn = (texts: readonly string[], first: number): Change => {
  const given = new Map<string, string>()
  return (value, path) => {
    if (isStructural(path)) return value
    const text = given.get(value) ?? texts[(first + given.size) % texts.length] ?? ""
    given.set(value, text)
    return value + text
  }
}

/** Puts the text in place of one field, or behind it. */
export const only =
  (wanted: Path, text: string, isBehind: boolean): Change =>
  (value, path) =>
    path === wanted ? (isBehind ? value + text : text) : value

export const changed = (value: unknown, change: Change, path: Path = ""): unknown => {
  if (typeof value === "string") return changedText(value, change, path)
  if (Array.isArray(value)) return value.map((part) => changed(part, change, path))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, changed(part, change, path === "" ? key : `${path}.${key}`)]),
  )
}

/** Arguments of a call are often JSON in a string. */
const changedText = (value: string, change: Change, path: Path): string => {
  if (!/^\s*\{/.test(value)) return change(value, path)
  try {
    return JSON.stringify(changed(JSON.parse(value), change, path))
  } catch {
    return change(value, path)
  }
}

/** Text of a `.json`, `.jsonl` or event stream file, with its strings changed. */
export const changedFile = (text: string, change: Change): string => {
  try {
    return JSON.stringify(changed(JSON.parse(text), change))
  } catch {
    return text
      .split("\n")
      .map((line) => changedLine(line, change))
      .join("\n")
  }
}

const changedLine = (line: string, change: Change): string => {
  const [, begin = "", json = ""] = /^(data: )?(.*)$/s.exec(line) ?? []
  try {
    return begin + JSON.stringify(changed(JSON.parse(json), change))
  } catch {
    return line
  }
}

/** Every path of a string in a file. */
export const pathsIn = (text: string): Path[] => {
  const paths = new Set<Path>()
  changedFile(text, (value, path) => {
    paths.add(path)
    return value
  })
  return [...paths]
}

/** Copies a folder with the strings of its files changed. */
export const copyChanged = (from: string, to: string, change: Change): void => {
  cpSync(from, to, { recursive: true })
  for (const path of filesUnder(to)) writeFileSync(path, changedFile(readFileSync(path, "utf8"), change))
}

export const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

/** The same files under names that hold the text. */
export const renameFiles = (folder: string, name: string): void => {
  for (const path of filesUnder(folder)) {
    const [ending = ""] = /(?:-agent-main)?\.\w+$/.exec(path) ?? []
    renameSync(path, join(dirname(path), `${name}${ending}`))
  }
}
