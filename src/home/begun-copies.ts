/** Which plans are just being copied from another: one that is noted for longer was cut off, and is only a part. */
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { PlanKey } from "../plan/event.ts"
import { parseJson } from "../plan/json.ts"
import { isRecord } from "../plan/log/shape.ts"
import { planFileName } from "./file-names.ts"
import { foreignTextIn } from "./foreign-file.ts"
import { replaceFile } from "./write-file.ts"

/** The plan that this one is a copy of, as long as it may be a part only. A note that cannot be read names no plan. */
export const begunCopyOf = (home: string, to: PlanKey): Partial<PlanKey> | undefined => {
  const path = pathOf(home, to)
  if (!existsSync(path)) return undefined
  const value = parseJson(foreignTextIn(path) ?? "")
  return isRecord(value) ? value : {}
}

export type Copy = { from: PlanKey; to: PlanKey }

/** Killed at any moment it leaves the note. */
export const notingCopy = async (home: string, { from, to }: Copy, copy: () => Promise<void>): Promise<void> => {
  const { session, agent } = from
  replaceFile(pathOf(home, to), JSON.stringify({ session, agent }), join(home, "tmp"))
  await copy()
  forgetCopy(home, to)
}

/** It is whole, or can never be made so. */
export const forgetCopy = (home: string, to: PlanKey): void => rmSync(pathOf(home, to), { force: true })

const pathOf = (home: string, to: PlanKey): string => join(home, "cache", "copies", planFileName(to))
