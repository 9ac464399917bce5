/** Caches the evidence of a session in the home: valid while its files are unchanged. */
import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Brief } from "../../evidence/brief.ts"
import { evidenceFileOf, evidenceFolder } from "../../home/notes/evidence-file.ts"
import { foreignTextIn } from "../../home/reading/foreign-file.ts"
import { replaceFile } from "../../home/writing/write-file.ts"
import { isRecord } from "../../plan/log/shape.ts"

/** Increase this when the rules change: evidence by older rules is then computed again. */
const version = 7

/** A file as it was read: the same stamp means the same content. */
export type EvidenceStamp = readonly [path: string, id: number, size: number, time: number]

export type EvidenceCache = {
  /**
   * Returns undefined if nothing is cached, or a file has changed since. Costs one stat per file, and none if `stamps`
   * of all files are given. For `place` see `evidencePlace`.
   */
  load(place: string, stamps?: readonly EvidenceStamp[]): Brief | undefined
  save(place: string, stamps: readonly EvidenceStamp[], brief: Brief): void
}

/** The cache key of a session's evidence: its file, and also its id if the file may have many sessions. */
export const evidencePlace = ({ path, session }: { path: string; session: string }): string =>
  path.endsWith(".jsonl") ? path : `${path}#${session}`

/** In bytes. Longer evidence is computed again each time. */
const longest = 1 << 20
const mostFiles = 500

export const evidenceCacheIn = (home: string): EvidenceCache => ({
  load(place, stamps) {
    const kept = keptIn(foreignTextIn(evidenceFileOf(home, place), longest))
    if (kept?.place !== place) return undefined
    return (stamps ? isSameStamps(kept.stamps, stamps) : kept.stamps.every(isSame)) ? kept.brief : undefined
  },
  save(place, stamps, brief) {
    const text = JSON.stringify({ version, place, stamps, brief })
    if (Buffer.byteLength(text) > longest) return
    try {
      replaceFile(evidenceFileOf(home, place), text, join(home, "tmp"))
      removeOldest(evidenceFolder(home))
    } catch {
      // Without a cache, only the next read takes longer.
    }
  },
})

/** The current stamps of the files; undefined if the first cannot be read. Others that no longer exist are left out. */
export const evidenceStamps = (paths: readonly string[]): EvidenceStamp[] | undefined => {
  const stamps = paths.map(stampAt)
  return stamps[0] && stamps.flatMap((stamp) => (stamp ? [stamp] : []))
}

const stampAt = (path: string): EvidenceStamp | undefined => {
  try {
    const { ino, size, mtimeMs } = statSync(path)
    return [path, ino, size, mtimeMs]
  } catch {
    return undefined
  }
}

export const isSameStamps = (one: readonly EvidenceStamp[], other: readonly EvidenceStamp[]): boolean =>
  one.length === other.length && one.every((stamp, index) => stamp.every((part, at) => part === other[index]?.[at]))

const isSame = (stamp: EvidenceStamp): boolean => {
  const now = stampAt(stamp[0])
  return now !== undefined && isSameStamps([stamp], [now])
}

type Kept = { place: string; stamps: readonly EvidenceStamp[]; brief: Brief }

/** Undefined for anything that is not what `save` writes. */
const keptIn = (text: string | undefined): Kept | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? "")
    if (!isRecord(value) || value.version !== version || !Array.isArray(value.stamps)) return undefined
    if (value.stamps.length === 0 || !value.stamps.every(Array.isArray)) return undefined
    const { brief } = value
    if (!isRecord(brief) || !Array.isArray(brief.todos) || !brief.todos.every(isBriefTodo)) return undefined
    return value as Kept
  } catch {
    return undefined
  }
}

const isBriefTodo = (value: unknown): boolean =>
  isRecord(value) &&
  [value.id, value.content, value.word].every((one) => typeof one === "string") &&
  Array.isArray(value.sentences) &&
  value.sentences.every((one) => typeof one === "string")

const removeOldest = (folder: string): void => {
  const names = readdirSync(folder)
  if (names.length <= mostFiles) return
  const aged = names.flatMap((name) => {
    const stamp = stampAt(join(folder, name))
    return stamp ? [{ path: stamp[0], time: stamp[3] }] : []
  })
  // Removes several at once, so that this is not needed each time.
  const oldest = aged.toSorted((one, other) => one.time - other.time).slice(0, names.length - mostFiles + 50)
  for (const { path } of oldest) rmSync(path, { force: true })
}
