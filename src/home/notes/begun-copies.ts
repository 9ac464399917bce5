/**
 * Notes which plans are being copied from another: an old note means that the copy was interrupted and is incomplete.
 */
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { PlanKey } from "../../plan/event.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { planFileName } from "../paths/file-names.ts"
import { foreignTextIn } from "../reading/foreign-file.ts"
import { replaceFile } from "../writing/write-file.ts"

/** The source of this copy, while the copy may be incomplete. An unreadable note names no plan. */
export const begunCopyOf = (home: string, to: PlanKey): Partial<PlanKey> | undefined => {
  const path = pathOf(home, to)
  if (!existsSync(path)) return undefined
  const value = parseJson(foreignTextIn(path) ?? "")
  return isRecord(value) ? value : {}
}

export type Copy = { from: PlanKey; to: PlanKey }

/** If the process is killed at any moment, the note stays. */
export const notingCopy = async (home: string, { from, to }: Copy, copy: () => Promise<void>): Promise<void> => {
  const { session, agent } = from
  replaceFile(pathOf(home, to), JSON.stringify({ session, agent }), join(home, "tmp"))
  await copy()
  forgetCopy(home, to)
}

/** The copy is complete, or can never be completed. */
export const forgetCopy = (home: string, to: PlanKey): void => rmSync(pathOf(home, to), { force: true })

const pathOf = (home: string, to: PlanKey): string => join(home, "cache", "copies", planFileName(to))
