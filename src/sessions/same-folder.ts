/** Whether two names of folders stand for one folder, links followed. */
import { realpathSync } from "node:fs"

/** A folder that is not known is the same as none. */
export const isSameFolder = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && real(one) === real(other)

const real = (folder: string): string => {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
