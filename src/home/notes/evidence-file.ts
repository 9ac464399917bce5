/** The cache file for a session's evidence. Kept small, because it is loaded by commands that must start fast. */
import { existsSync } from "node:fs"
import { basename, join } from "node:path"

export const evidenceFolder = (home: string): string => join(home, "cache", "evidence")

/**
 * `place` is usually the path of its file. Two places may share a file name; the content says which one it belongs to.
 */
export const evidenceFileOf = (home: string, place: string): string => {
  const name = basename(place)
    .replace(/[^\w.-]/g, "_")
    .slice(-60)
  return join(evidenceFolder(home), `${name}-${numberOf(place).toString(36)}.json`)
}

export const hasEvidenceFile = (home: string, place: string): boolean => existsSync(evidenceFileOf(home, place))

/** FNV-1a, because loading a cryptographic hash would take longer than everything else. */
const numberOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
