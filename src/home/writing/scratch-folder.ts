/** Creates a private temporary folder, which the caller removes. */
import { mkdtempSync, realpathSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { HeadwayError } from "../../plan/headway-error.ts"
import { fullPath } from "../paths/full-path.ts"
import { isBeyondOthers } from "./own-folder.ts"

/**
 * Its name begins with "headway-" and what it is for. It is where `TMPDIR` says, unless other users could replace it there
 * by a folder of theirs while it is used; then in the system's temporary folder, or in the person's home. Its path has no links
 * in it: another user may exchange one after the folder it leads to was examined.
 */
export const makeScratchFolder = (use: string): string => {
  const place = [fullPath(tmpdir()), "/tmp", homedir()]
    .map(realOf)
    .find((real) => real !== undefined && isBeyondOthers(real))
  if (place === undefined)
    throw new HeadwayError(
      "unsafe-folder",
      "Other users can replace files in the temporary folder. Set TMPDIR to a folder of your own.",
    )
  return mkdtempSync(join(place, `headway-${use}-`))
}

const realOf = (folder: string | undefined): string | undefined => {
  try {
    return folder === undefined ? undefined : realpathSync(folder)
  } catch {
    return undefined
  }
}
