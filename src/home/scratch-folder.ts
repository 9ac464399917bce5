/** A folder for a moment, where the system keeps such things: for its owner alone, and removed by the one who asked for it. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fullPath } from "./full-path.ts"

/** Its name begins with "headway-" and what it is for. */
export const makeScratchFolder = (use: string): string =>
  mkdtempSync(join(fullPath(tmpdir()) ?? "/tmp", `headway-${use}-`))
