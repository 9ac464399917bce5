/** The lines of a journal as entries, and a sentence about lines that are not. */
import type { Seal } from "../../home/trust/seal.ts"
import { type Entry, type Problem, readEntry, warning } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"

/** How many lines were not read in full. */
export type Skipped = {
  unreadable: number
  /** Written by a newer Headway. */
  future: number
  /** Read, except for events of an unknown type. */
  partly: number
}

export const noneSkipped: Readonly<Skipped> = { unreadable: 0, future: 0, partly: 0 }

/**
 * At the end of half an entry, which a full disk or a crash has left: what was never acknowledged is not missed. No entry ends like
 * this, and earlier versions skip such a line as one that they cannot read.
 */
export const unfinishedMark = " (not written in full)"

/** Adds the entries of complete lines, and counts the lines that are not entries. */
export const collectEntries = (text: string, entries: Entry[], skipped: Skipped, seal?: Seal): void => {
  for (const line of text.split("\n")) {
    if (line === "" || line === "\r" || withoutReturn(line).endsWith(unfinishedMark)) continue
    const value = parseJson(line)
    const entry = readEntry(value)
    if (entry === undefined) skipped.unreadable += 1
    else if (entry === "future") skipped.future += 1
    else {
      entries.push(seal ? attributed(entry, line, seal) : entry)
      if (entry !== value) skipped.partly += 1
    }
  }
}

/**
 * An entry that claims to be by the person or by Headway, but was not written on this machine, is attributed to someone
 * else.
 */
const attributed = (entry: Entry, line: string, seal: Seal): Entry =>
  entry.by.kind === "agent" || seal.holds(withoutReturn(line))
    ? entry
    : { ...entry, by: { ...entry.by, kind: "other" } }

/** Git may convert line ends to CRLF on checkout. */
const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line)

export const unfinishedLine = (path: string): Problem =>
  warning(
    "unfinished-entry",
    `The last line of ${path} was not written in full, as on a full disk: it is marked so, and skipped.`,
  )

export const problemsOf = (path: string, { unreadable, future, partly }: Skipped): Problem[] => [
  ...(unreadable > 0
    ? [
        warning(
          "unreadable-entries",
          `${lines(unreadable)} of ${path} could not be read and ${were(unreadable)} skipped; the file is kept as it is.`,
        ),
      ]
    : []),
  ...(future > 0
    ? [
        warning(
          "future-entries",
          `${lines(future)} of ${path} ${were(future)} written by a newer Headway and skipped; update to see them.`,
        ),
      ]
    : []),
  ...(partly > 0
    ? [
        warning(
          "unknown-events",
          `${lines(partly)} of ${path} ${partly > 1 ? "hold" : "holds"} changes of a kind this Headway does not know; they were left out and the rest was read.`,
        ),
      ]
    : []),
]

const lines = (count: number): string => `${count} ${count > 1 ? "lines" : "line"}`
const were = (count: number): string => (count > 1 ? "were" : "was")
