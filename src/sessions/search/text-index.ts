/** The search index: texts of sessions by key, each with a stamp of the state they were read from. */
import { crc32 } from "node:zlib"
import type { IndexFile } from "../session-index.ts"

export type Texts = {
  /** Equal stamps mean equal texts. */
  stamp: string
  texts: readonly string[]
  /** Data for the reader's next run. */
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

/** Ignores case and the encoding of letters. */
export const folded = (text: string): string => text.normalize("NFKC").toLowerCase()

/** The raw line: most are only searched and never parsed. */
type Entry = { stamp: string; line: string; folded?: string; known?: Texts | undefined }

export const createTextIndex = (file: IndexFile | undefined): TextIndex => {
  const entries = readEntries(file)
  let isUnsaved = false
  /** In characters: what there is still room for in memory, of lines and of lines as they are searched. */
  const room = { lines: longestIndex, folded: longestIndex }
  for (const { line } of entries.values()) room.lines -= line.length

  const forget = (key: string): void => {
    const { line = "", folded: searched = "" } = entries.get(key) ?? {}
    room.lines += line.length
    room.folded += searched.length
    entries.delete(key)
  }

  /** Some letters expand when folded: texts beyond the limit are folded again each time. */
  const foldedOf = (entry: Entry): string => {
    const text = entry.folded ?? folded(entry.line)
    if (entry.folded !== undefined || text.length > room.folded) return text
    entry.folded = text
    room.folded -= text.length
    return text
  }

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
      forget(key)
      const kept = withinRoom(texts, Math.max(room.lines, little))
      const { stamp, texts: all, more } = kept
      const line = JSON.stringify([key, stamp, all, more])
      entries.set(key, { stamp, line, known: kept })
      room.lines -= line.length
      isUnsaved = true
    },
    keepOnly(keys) {
      for (const key of entries.keys()) {
        if (keys.has(key)) continue
        forget(key)
        isUnsaved = true
      }
    },
    holding(words) {
      const written = words.map((word) => folded(JSON.stringify(word).slice(1, -1)))
      const found = new Set<string>()
      for (const [key, entry] of entries) {
        const text = foldedOf(entry)
        if (written.some((word) => text.includes(word))) found.add(key)
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

/** The checksum detects an index that was edited or damaged. */
const headingOf = (lines: string): string => `headway-texts ${version} ${crc32(lines)}\n`

const printed = (lines: readonly string[]): string => {
  const text = lines.join("\n")
  return headingOf(text) + text
}

/** In characters. Texts beyond this are read again each time, which is slow but correct. */
const longestIndex = 96 << 20

/** In characters: what is searched of the texts under a key when those of the others have used up all room. */
const little = 4_000

/** The first texts that fit. What their reader wants to know is left out with the others: it reads all of them again. */
const withinRoom = (texts: Texts, length: number): Texts => {
  let room = length
  const kept = texts.texts.filter((text) => {
    room -= text.length
    return room >= 0
  })
  return kept.length === texts.texts.length ? texts : { stamp: texts.stamp, texts: kept }
}

const withinBounds = (lines: readonly string[]): string[] => {
  let room = longestIndex
  return lines.filter((line) => {
    room -= line.length
    return room > 0
  })
}

/** A damaged index is ignored. */
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
