/** What a path leads to on disk. Nothing throws, for names that no file can have and links that lead in circles too. */
import { realpathSync, type Stats, statSync } from "node:fs"

/** Follows links. Undefined if there is nothing, or nothing that this user may see. */
export const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

export const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true

/** The path with every link followed, or the path itself if nothing is there. */
export const realPath = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
