/** Where the evidence of a session is kept in the home's cache: asked by commands that must not take longer for it. */
import { existsSync } from "node:fs"
import { basename, join } from "node:path"

export const evidenceFolder = (home: string): string => join(home, "cache", "evidence")

/** `place` is mostly the path of its file. Two may share a name: what is kept there says which one it is of. */
export const evidenceFileOf = (home: string, place: string): string => {
  const name = basename(place)
    .replace(/[^\w.-]/g, "_")
    .slice(-60)
  return join(evidenceFolder(home), `${name}-${numberOf(place).toString(36)}.json`)
}

export const hasEvidenceFile = (home: string, place: string): boolean => existsSync(evidenceFileOf(home, place))

/** FNV-1a: to load what hashes for safety would take longer than all the rest. */
const numberOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
