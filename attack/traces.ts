/** What a folder looks like, down to times and modes, to see afterwards that nothing in it was touched. */
import { createHash } from "node:crypto"
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from "node:fs"
import { join } from "node:path"

export type Traces = ReadonlyMap<string, string>

/** Of all below the given paths. Links are not followed. */
export const tracesOf = (...paths: readonly string[]): Traces =>
  new Map(paths.flatMap(belowIncluding).map((path) => [path, traceOf(path)]))

/** What was added, changed or removed, a sentence each. */
export const changesBetween = (before: Traces, after: Traces): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [was, is] = [before.get(path), after.get(path)]
    if (was === is) return []
    if (was === undefined) return [`${path} was made`]
    return [is === undefined ? `${path} was removed` : `${path} was changed: ${was} became ${is}`]
  })

const belowIncluding = (path: string): string[] => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return []
  return found.isDirectory() ? [path, ...readdirSync(path).flatMap((name) => belowIncluding(join(path, name)))] : [path]
}

const traceOf = (path: string): string => {
  const stats = lstatSync(path)
  const { mode, mtimeMs, size, uid } = stats
  return [mode.toString(8), uid, stats.isDirectory() ? "" : size, mtimeMs, contentOf(path, stats)].join(" ")
}

const contentOf = (path: string, stats: Stats): string => {
  if (stats.isSymbolicLink()) return readlinkSync(path)
  return stats.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 12) : ""
}
