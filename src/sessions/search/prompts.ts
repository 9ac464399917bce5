/** Reads what people typed in sessions: bytes are searched first, and a second read covers only what is new. */
import { loadStream } from "../../agents/index.ts"
import { readForeignText } from "../../home/reading/foreign-file.ts"
import { groupedBy } from "../../plan/grouped.ts"
import { createLineSplitter } from "../../streams/lines.ts"
import type { Signal, Stream } from "../../streams/stream.ts"
import { createSearch } from "../file/byte-search.ts"
import { findLines } from "../file/found-lines.ts"
import { textBefore, withSessionBytes } from "../file/session-bytes.ts"
import { isCompressed } from "../packed/is-compressed.ts"
import type { Unpacker } from "../packed/unpack.ts"
import { promptText } from "../title.ts"
import type { Found } from "../walk.ts"

/** The position of a read, so that the next one continues there. */
export type PromptsRead = {
  offset: number
  /** The bytes just before the offset: when others are there, the file is another one. */
  before: string
}

export type Prompts = {
  /** In the order they were typed. */
  texts: string[]
  /** Absent when the whole file must be read again next time. */
  read?: PromptsRead
}

/** What was typed to one agent of one of the sessions in a database. */
export type SessionPrompts = { session: string; agent: string; texts: string[] }

/** Throws what the system reports, and where it is not a session's file. */
export const readPrompts = async (
  { path, place: { reading } }: Found,
  { known, unpacker }: { known: Prompts | undefined; unpacker: Unpacker },
): Promise<Prompts> => {
  const stream = reading.as === "lines" ? await loadStream(reading.stream) : undefined
  if (!stream) return { texts: [] }
  if (stream.isDocument) return { texts: bounded(promptsIn(stream.open().read(readForeignText(path, longestLine)))) }
  return isCompressed(path) ? readCompressed(path, stream, unpacker) : readLines(path, stream, known)
}

/** Whether a file is a database that says what was typed in its sessions. */
export const holdsPrompts = ({ place: { reading } }: Found): boolean =>
  reading.as === "database" && reading.prompts !== undefined

/** All sessions of a database with typed prompts. Throws errors of the file system or the database. */
export const readDatabasePrompts = async (
  { path, place: { reading } }: Found,
  unpacker: Unpacker,
): Promise<SessionPrompts[]> => {
  if (reading.as !== "database" || !reading.prompts) return []
  const [read, rows] = [await reading.load(), await unpacker.rows(path, reading.prompts)]
  return read(rows).flatMap((signals) => {
    const about = signals.filter((signal) => signal.type === "session")
    const session = about.find((signal) => signal.session !== undefined)?.session
    if (session === undefined) return []
    return Array.from(
      groupedBy(about, ({ agent = "main" }) => agent),
      ([agent, own]) => ({
        session,
        agent,
        texts: bounded(promptsIn(own)),
      }),
    ).filter(({ texts }) => texts.length > 0)
  })
}

const readLines = (path: string, stream: Stream, known: Prompts | undefined): Prompts =>
  withSessionBytes(path, {}, (file) => {
    const from = known?.read
    const goesOn = from !== undefined && from.offset <= file.size && textBefore(file, from.offset) === from.before
    const texts = goesOn ? [...(known?.texts ?? [])] : []
    const reader = stream.open()
    const search = createSearch(stream.promptNeedles ?? usualNeedles)
    const offset = findLines(file, goesOn ? from.offset : 0, search, ({ start, end, text }) => {
      if (end - start <= longestLine) texts.push(...promptsIn(reader.read(text())))
      return true
    })
    return { texts: bounded(texts), read: { offset, before: textBefore(file, offset) } }
  })

const readCompressed = async (path: string, stream: Stream, unpacker: Unpacker): Promise<Prompts> => {
  const texts: string[] = []
  const reader = stream.open()
  const splitter = createLineSplitter({ onLine: (line) => texts.push(...promptsIn(reader.read(line))), onSkipped() {} })
  await unpacker.bytes(path, splitter.push)
  splitter.end()
  return { texts: bounded(texts) }
}

/** Every known format uses this word for the person. */
const usualNeedles = ['"user']

/** In bytes: with the pictures that a person may have put into a prompt. */
const longestLine = 16 << 20

const promptsIn = (signals: readonly Signal[]): string[] =>
  signals.flatMap((signal) => {
    const text = signal.type === "session" && signal.asked !== undefined ? promptText(signal.asked) : ""
    return text === "" ? [] : [text.slice(0, longestPrompt)]
  })

/** In characters. */
const [longestPrompt, mostOfFile] = [4_000, 256_000]

/** Keeps the first and last prompts of a long session, and repeated ones once. */
const bounded = (texts: readonly string[]): string[] => {
  const distinct = texts.filter((text, index) => text !== texts[index - 1])
  let room = mostOfFile
  const [first, ...others] = distinct
  const last = others.toReversed().filter((text) => {
    room -= text.length
    return room > 0
  })
  return first === undefined ? [] : [first, ...last.reverse()]
}
