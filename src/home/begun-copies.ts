/** Which plans are just being copied from another: one that is noted for longer was cut off, and is only a part. */
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { PlanKey } from "../plan/event.ts"
import { planFileName } from "./file-names.ts"
import { replaceFile } from "./write-file.ts"

export const isCopyBegun = (home: string, to: PlanKey): boolean => existsSync(pathOf(home, to))

/** Killed at any moment it leaves the note. */
export const notingCopy = async (home: string, to: PlanKey, copy: () => Promise<void>): Promise<void> => {
  replaceFile(pathOf(home, to), "", join(home, "tmp"))
  await copy()
  rmSync(pathOf(home, to), { force: true })
}

const pathOf = (home: string, to: PlanKey): string => join(home, "cache", "copies", planFileName(to))
