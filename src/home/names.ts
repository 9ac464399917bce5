/** The titles that people gave to sessions: an append-only file in which the last line for a session counts. */
import { statSync } from "node:fs"
import { join } from "node:path"
import { messageOf } from "../plan/headway-error.ts"
import { parseJson } from "../plan/json.ts"
import { isRecord } from "../plan/log/shape.ts"
import { type Problem, warning } from "../plan/problem.ts"
import { sanitise } from "../plan/text/sanitise.ts"
import { foreignTextIn, readForeignText } from "./reading/foreign-file.ts"
import { takingTurns } from "./writing/take-turns.ts"
import { appendToFile, keepAside, makeFolder, replaceFile } from "./writing/write-file.ts"

/** One agent of a session. */
export type NamedAgent = { session: string; agent: string }

/** Names by `nameKey`. */
export type Names = ReadonlyMap<string, string>

export const nameKey = ({ session, agent }: NamedAgent): string => JSON.stringify([session, agent])

export type SessionNames = {
  /** All names as they are now. The file is read again only when it has changed. */
  read(): Names
  /** Without a title, removes the name. Throws file system errors. */
  name(named: NamedAgent, title: string | undefined): Promise<void>
}

/** Problems with the file are reported when it is read; readable names are still used. */
export const openNames = (home: string, report: (problem: Problem) => void = () => {}): SessionNames => {
  const path = join(home, "names.jsonl")
  let known: { stamp: string; names: Names } = { stamp: "", names: new Map() }
  return {
    read() {
      const stamp = stampOf(path)
      if (stamp !== known.stamp) known = { stamp, names: stamp === "" ? new Map() : readNames(path, report) }
      return known.names
    },
    name: (named, title) =>
      takingTurns(join(home, "cache", "turns", "names"), async () => {
        makeFolder(home)
        const line: Line = { v: 1, ...named, title: title === undefined ? null : safe(title) }
        // Starts on a new line, so that an incomplete line left by a crash does not absorb this one.
        const append = (): void => appendToFile(path, `\n${JSON.stringify(line)}\n`, { isDurable: true })
        append()
        const aside = shorten(path, join(home, "tmp"))
        if (aside === undefined) return
        append()
        report(
          warning("names-kept-aside", `${path} could not be read and was kept as ${aside}; names start from scratch.`),
        )
      }),
  }
}

type Line = { v: 1; session: string; agent: string; title: string | null }

/** Empty if there is no file or no home. */
const stampOf = (path: string): string => {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch {
    return ""
  }
}

/** In characters. */
const longestName = 200

const safe = (title: string): string => sanitise([...title.slice(0, 2 * longestName)].slice(0, longestName).join(""))

const readNames = (path: string, report: (problem: Problem) => void): Names => {
  try {
    const { names, damaged } = namesIn(readForeignText(path))
    if (damaged > 0) report(warning("damaged-names", `${path} has ${damagedText(damaged)}; all other names are used.`))
    return names
  } catch (cause) {
    report(
      warning("unreadable-names", `${path} could not be read, so sessions have their own titles: ${messageOf(cause)}`),
    )
    return new Map()
  }
}

const namesIn = (text: string): { names: Names; damaged: number } => {
  const names = new Map<string, string>()
  const { lines, damaged } = linesOf(text)
  for (const { title, ...named } of lines) {
    const key = nameKey(named)
    // The newest stay at the end.
    names.delete(key)
    const name = safe(title ?? "")
    if (name !== "") names.set(key, name)
  }
  return { names, damaged }
}

const damagedText = (count: number): string =>
  count === 1 ? "a line without a name, which was skipped" : `${count} lines without a name, which were skipped`

const linesOf = (text: string): { lines: Line[]; damaged: number } => {
  const parsed = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [parseJson(line)]))
  const lines = parsed.filter(isLine)
  return { lines, damaged: parsed.length - lines.length }
}

const isLine = (value: unknown): value is Line =>
  isRecord(value) &&
  typeof value.session === "string" &&
  typeof value.agent === "string" &&
  (typeof value.title === "string" || value.title === null)

/** In bytes, and how many names are kept when there is more. */
const [mostBytes, mostNames] = [1 << 20, 4_000]

/**
 * Keeps the last name of each session and drops invalid lines. An unreadable file is moved aside; returns its new path.
 */
const shorten = (path: string, temporary: string): string | undefined => {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= mostBytes) return undefined
  const text = foreignTextIn(path)
  if (text === undefined) return keepAside(path)
  const lines = [...namesIn(text).names].slice(-mostNames).map(([key, title]): Line => {
    const [session, agent] = JSON.parse(key) as [string, string]
    return { v: 1, session, agent, title }
  })
  replaceFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), temporary, { isDurable: true })
  return undefined
}
