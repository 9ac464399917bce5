/** The path of this program, for configurations that call it. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Built, it is next to the parts of the program; run from source, it is the one the build makes. */
export const ownBin = (): string => {
  const beside = fileURLToPath(new URL("../headway.js", import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL("../../../dist/bin/headway.js", import.meta.url))
}

/** The script that starts this program only when there is something to say. */
export const ownScript = (): string => join(dirname(ownBin()), "headway-launcher")
