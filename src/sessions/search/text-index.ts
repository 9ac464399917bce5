/** Texts of sessions, kept for searching: each under a key, with a stamp that says of what state of things they are. */
import { crc32 } from "node:zlib"
import type { IndexFile } from "../session-index.ts"

export type Texts = {
  /** Of the same stamp they are the same. */
  stamp: string
  texts: readonly string[]
  /** What their reader wants to know the next time. */
  more?: unknown
}

export type TextIndex = {
  /** Undefined where there are none of that key. */
  stampOf(key: string): string | undefined
  get(key: string): Texts | undefined
  set(key: string, texts: Texts): void
  /** Forgets all others. */
  keepOnly(keys: ReadonlySet<string>): void
  /** The keys whose texts may hold at least one of these words, each as `folded` makes it: no other holds any. */
  holding(words: readonly string[]): Set<string>
  /** Keeps what is new for the next time. Throws what the disk reports. */
  save(): void
}

/** Case, and how a letter is written, do not count. */
export const folded = (text: string): string => text.normalize("NFKC").toLowerCase()

/** As it is in the file: most of them are only searched, and never parsed. */
type Entry = { stamp: string; line: string; folded?: string; known?: Texts | undefined }

export const createTextIndex = (file: IndexFile | undefined): TextIndex => {
  const entries = readEntries(file)
  let isUnsaved = false

  const textsOf = (entry: Entry): Texts | undefined => {
    entry.known ??= parsed(entry.line)
    return entry.known
  }

  return {
    stampOf: (key) => entries.get(key)?.stamp,
    get(key) {
      const entry = entries.get(key)
      return entry && textsOf(entry)
    },
    set(key, texts) {
      const { stamp, texts: all, more } = texts
      entries.set(key, { stamp, line: JSON.stringify([key, stamp, all, more]), known: texts })
      isUnsaved = true
    },
    keepOnly(keys) {
      for (const key of entries.keys()) {
        if (keys.has(key)) continue
        entries.delete(key)
        isUnsaved = true
      }
    },
    holding(words) {
      const written = words.map((word) => folded(JSON.stringify(word).slice(1, -1)))
      const found = new Set<string>()
      for (const [key, entry] of entries) {
        entry.folded ??= folded(entry.line)
        if (written.some((word) => entry.folded?.includes(word))) found.add(key)
      }
      return found
    },
    save() {
      if (!isUnsaved || !file) return
      const lines = Array.from(entries.values(), ({ line }) => line)
      file.save(printed(withinBounds(lines)))
      isUnsaved = false
    },
  }
}

const version = 1

/** The sum tells an index as it was written from one that a hand or a failing disk has been at. */
const headingOf = (lines: string): string => `headway-texts ${version} ${crc32(lines)}\n`

const printed = (lines: readonly string[]): string => {
  const text = lines.join("\n")
  return headingOf(text) + text
}

/** In characters. What is beyond it is read again each time, which is slow but right. */
const longestIndex = 96 << 20

const withinBounds = (lines: readonly string[]): string[] => {
  let room = longestIndex
  return lines.filter((line) => {
    room -= line.length
    return room > 0
  })
}

/** One that is damaged counts as not there. */
const readEntries = (file: IndexFile | undefined): Map<string, Entry> => {
  const text = loaded(file)
  const start = text.indexOf("\n") + 1
  const lines = text.slice(start)
  const entries = new Map<string, Entry>()
  if (text.slice(0, start) !== headingOf(lines)) return entries
  for (const line of lines.split("\n")) {
    const [, key, stamp] = beginning.exec(line) ?? []
    if (key !== undefined && stamp !== undefined) entries.set(read(key), { stamp: read(stamp), line })
  }
  return entries
}

const loaded = (file: IndexFile | undefined): string => {
  try {
    return file?.load() ?? ""
  } catch {
    return ""
  }
}

/** The first two of its values, which are texts: the rest is not parsed for them. */
const beginning = /^\[("(?:[^"\\]|\\.)*"),("(?:[^"\\]|\\.)*"),/

const read = (written: string): string => JSON.parse(written) as string

const parsed = (line: string): Texts | undefined => {
  try {
    const [, stamp, texts, more] = JSON.parse(line) as [string, string, string[], unknown]
    return { stamp, texts, more }
  } catch {
    return undefined
  }
}
