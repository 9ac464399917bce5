/** Full-text search over the titles, prompts and lists of sessions. */
import { loadSources } from "../../agents/index.ts"
import { groupedBy } from "../../plan/grouped.ts"
import { createUnpacker, type Unpacker } from "../packed/unpack.ts"
import type { IndexFile } from "../session-index.ts"
import type { Env } from "../source.ts"
import { type Found, walk } from "../walk.ts"
import { holdsPrompts, type Prompts, type PromptsRead, readDatabasePrompts, readPrompts } from "./prompts.ts"
import { createTextIndex, folded, type TextIndex } from "./text-index.ts"

/** One agent of a session, as needed for searching. */
export type Searched = {
  session: string
  agent: string
  title?: string | undefined
  /** The agent's own file, or the database that its session is in. */
  path?: string | undefined
  /** In ISO form. */
  updated: string
  /** Its list, read unless the stamp is known. Absent if it has none. */
  list?: { stamp: string; read: () => Promise<readonly string[]> } | undefined
}

export type FoundIn = "title" | "prompt" | "todo"

/** A line of a text that holds some of the words. */
export type FoundLine = { in: FoundIn; text: string }

export type FoundSession<One> = { one: One; lines: FoundLine[] }

export type Search = {
  /** The sessions that contain every word, best first: in the title, in one line, anywhere; then newest first. */
  find<One extends Searched>(words: readonly string[], all: readonly One[]): Promise<FoundSession<One>[]>
}

export type SearchOptions = {
  env: Env
  /** The person's home. */
  home: string
  /** Where what was read is kept for the next time. */
  file?: IndexFile | undefined
}

/** Unreadable sessions are not found; nothing is thrown. */
export const createSearch = ({ env, home, file }: SearchOptions): Search => {
  let index: TextIndex | undefined
  return {
    async find(words, all) {
      index ??= createTextIndex(file)
      const wanted = words.map((word) => folded(word.trim())).filter((word) => word !== "")
      if (wanted.length === 0) return []
      const files = await filesHere({ env, home })
      await bringUpToDate(index, all, files)
      return chosen(all, wanted, { index, files })
    },
  }
}

/** With a session: what was typed in it, from a database that holds many. */
const promptsKey = (path: string, one?: Whose): string => (one ? `prompts ${path} ${whoseKey(one)}` : `prompts ${path}`)
const todosKey = (one: Whose): string => `todos ${whoseKey(one)}`

type Whose = Pick<Searched, "session" | "agent">

const whoseKey = ({ session, agent }: Whose): string => JSON.stringify([session, agent])

const bringUpToDate = async (index: TextIndex, all: readonly Searched[], files: readonly Found[]): Promise<void> => {
  await readNewPrompts(index, files)
  for (const one of all) {
    if (!one.list || index.stampOf(todosKey(one)) === one.list.stamp) continue
    const texts = await one.list.read().catch((): string[] => [])
    index.set(todosKey(one), { stamp: one.list.stamp, texts: texts.map((text) => text.slice(0, longestTodo)) })
  }
  const listed = all.flatMap((one) => (one.list ? [todosKey(one)] : []))
  index.keepOnly(new Set([...files.flatMap((found) => keysOf(index, found)), ...listed]))
  try {
    index.save()
  } catch {
    // It is read again the next time.
  }
}

/** In characters. */
const longestTodo = 2_000

const filesHere = async ({ env, home }: Pick<SearchOptions, "env" | "home">): Promise<Found[]> => {
  const found = new Map<string, Found>()
  for (const source of Object.values(await loadSources()))
    for (const folder of source.homes(env, home))
      for (const one of walk(source, folder, () => {}).found)
        if ((one.place.reading.as === "lines" || holdsPrompts(one)) && !found.has(one.path)) found.set(one.path, one)
  return [...found.values()]
}

const readNewPrompts = async (index: TextIndex, files: readonly Found[]): Promise<void> => {
  const unpacker = createUnpacker()
  try {
    for (const found of files) {
      const stamp = found.stamp.join(" ")
      if (keysOf(index, found).every((key) => index.stampOf(key) === stamp)) continue
      await (holdsPrompts(found) ? readDatabase : readFile)({ index, found, stamp, unpacker })
    }
  } finally {
    unpacker.close()
  }
}

type ReadInto = { index: TextIndex; found: Found; stamp: string; unpacker: Unpacker }

const readFile = async ({ index, found, stamp, unpacker }: ReadInto): Promise<void> => {
  const key = promptsKey(found.path)
  const known = index.get(key)
  const before = known && { texts: [...known.texts], read: known.more as PromptsRead }
  const { texts, read }: Prompts = await readPrompts(found, { known: before, unpacker }).catch(() => ({ texts: [] }))
  index.set(key, { stamp, texts, ...(read ? { more: read } : {}) })
}

/** A database has an entry of its own, which lists its sessions, and one for each of those. */
const readDatabase = async ({ index, found, stamp, unpacker }: ReadInto): Promise<void> => {
  const all = await readDatabasePrompts(found, unpacker).catch(() => [])
  for (const { texts, ...whose } of all) index.set(promptsKey(found.path, whose), { stamp, texts })
  const more = all.map(({ session, agent }): Whose => ({ session, agent }))
  index.set(promptsKey(found.path), { stamp, texts: [], more })
}

/** The keys of all that is known of a file. */
const keysOf = (index: TextIndex, found: Found): string[] => {
  const key = promptsKey(found.path)
  const whose = holdsPrompts(found) ? ((index.get(key)?.more ?? []) as Whose[]) : []
  return [key, ...whose.map((one) => promptsKey(found.path, one))]
}

const chosen = <One extends Searched>(
  all: readonly One[],
  words: readonly string[],
  { index, files }: { index: TextIndex; files: readonly Found[] },
): FoundSession<One>[] => {
  const holding = index.holding(words)
  const together = filesTogether(files)
  const textsAt = (key: string): readonly string[] => (holding.has(key) ? (index.get(key)?.texts ?? []) : [])
  return all
    .flatMap((one) => {
      const lines = [
        ...matching("title", one.title === undefined ? [] : [one.title], words),
        ...matching("prompt", promptKeys(one, together).flatMap(textsAt), words),
        ...matching("todo", one.list ? textsAt(todosKey(one)) : [], words),
      ]
      const held = new Set(lines.flatMap((line) => line.words))
      return held.size < words.length ? [] : [{ one, lines: best(lines), rank: rankOf(lines, words.length) }]
    })
    .sort((one, other) => other.rank - one.rank || (one.one.updated < other.one.updated ? 1 : -1))
    .map(({ one, lines }) => ({ one, lines: lines.map(({ in: where, text }) => ({ in: where, text })) }))
}

/** The files of one session, by the path of each: what was typed may be in another one than what it goes by. */
const filesTogether = (files: readonly Found[]): Map<string, readonly string[]> => {
  const named = files.filter(({ whose }) => whose.session !== undefined)
  const groups = groupedBy(named, ({ source, whose: { session, agent } }) =>
    JSON.stringify([source.agentType, session, agent ?? "main"]),
  )
  return new Map(
    [...groups.values()].flatMap((group) => {
      const paths = group.map(({ path }) => path)
      return paths.map((path) => [path, paths] as const)
    }),
  )
}

const promptKeys = ({ path, ...one }: Searched, together: ReadonlyMap<string, readonly string[]>): string[] => {
  if (path === undefined) return []
  return [promptsKey(path, one), ...(together.get(path) ?? [path]).map((own) => promptsKey(own))]
}

type Matching = FoundLine & { words: string[] }

const matching = (where: FoundIn, texts: readonly string[], words: readonly string[]): Matching[] =>
  texts.flatMap((text) =>
    text.split("\n").flatMap((line) => {
      const read = folded(line)
      const held = words.filter((word) => read.includes(word))
      return held.length === 0 ? [] : [{ in: where, text: line.trim(), words: held }]
    }),
  )

/** Lines with more matching words come first, each once. */
const best = (lines: readonly Matching[]): Matching[] => {
  const sorted = lines.toSorted((one, other) => other.words.length - one.words.length)
  const byText = new Map<string, Matching>()
  for (const line of sorted) if (!byText.has(line.text)) byText.set(line.text, line)
  return [...byText.values()].slice(0, mostLines)
}

const mostLines = 3

const rankOf = (lines: readonly Matching[], count: number): number => {
  const isWhole = (line: Matching): boolean => line.words.length === count
  if (lines.some((line) => line.in === "title" && isWhole(line))) return 2
  return lines.some(isWhole) ? 1 : 0
}
