/** The file name of a plan's journal, on case-sensitive and case-insensitive disks. */
import { existsSync, lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { hashedNameOf, planFileName } from "../../home/paths/file-names.ts"
import type { PlanKey } from "../../plan/event.ts"
import { readOwner } from "./_journal.ts"

/** The plain name, unless a disk that ignores case gave it to other ids before. `isBegun` says whether it is final. */
export const journalNameOf = (folder: string, key: PlanKey): { name: string; isBegun: boolean } => {
  const plain = planFileName(key)
  const owner = readOwner(join(folder, `${plain}.jsonl`))
  if (!owner) {
    const isHashed = existsSync(join(folder, `${hashedNameOf(key)}.jsonl`))
    return { name: isHashed ? hashedNameOf(key) : plain, isBegun: false }
  }
  const isTaken = isOfAnother(key, owner) && isSpelledOtherwise(folder, plain)
  return { name: isTaken ? hashedNameOf(key) : plain, isBegun: true }
}

/** Whether a journal says that it belongs to ids that differ from these only in case. */
export const isOfAnother = (key: PlanKey, owner: PlanKey): boolean =>
  planFileName(owner) !== planFileName(key) && planFileName(owner).toLowerCase() === planFileName(key).toLowerCase()

/**
 * Whether the folder lists this file under a name that differs in case. The journal's own content could claim anything,
 * and a journal that `gc` has moved for a moment has no other name.
 */
export const isSpelledOtherwise = (folder: string, name: string): boolean => {
  const file = `${name}.jsonl`
  const names = readdirSync(folder)
  const other = names.includes(file) ? undefined : names.find((one) => one.toLowerCase() === file.toLowerCase())
  if (other === undefined) return false
  const [own, theirs] = [file, other].map((one) => lstatSync(join(folder, one), { throwIfNoEntry: false }))
  return own !== undefined && own.ino === theirs?.ino && own.dev === theirs.dev
}
