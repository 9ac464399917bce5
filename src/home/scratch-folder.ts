/** Creates a private temporary folder, which the caller removes. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fullPath } from "./full-path.ts"

/** Its name begins with "headway-" and what it is for. */
export const makeScratchFolder = (use: string): string =>
  mkdtempSync(join(fullPath(tmpdir()) ?? "/tmp", `headway-${use}-`))
