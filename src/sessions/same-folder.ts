/** Whether two paths name the same folder, following links. */
import { realpathSync } from "node:fs"

/** An unknown folder equals no other folder. */
export const isSameFolder = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && real(one) === real(other)

const real = (folder: string): string => {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
