/** How far each plan was read from the remote store and delivered to it: one small file per plan, safe to lose. */
import { existsSync, lstatSync, readdirSync, rmSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { hashedNameOf, planFileName } from "../../home/paths/file-names.ts"
import { foreignTextIn } from "../../home/reading/foreign-file.ts"
import { replaceFile } from "../../home/writing/write-file.ts"
import { type Problem, warning } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import type { Cursor, PlanKey } from "../store.ts"
import type { DeliveryFolder } from "./folder.ts"

export type Mark = {
  key: PlanKey
  /** How far the remote store was read, if its cursors can be saved. */
  cursor?: Cursor | undefined
  /** Otherwise: the process that read it last and knows how far. */
  reader?: string | undefined
  /** The position of the mirror then: one with another may have lost entries, and is compared with the remote store. */
  mirror?: string | undefined
  /** What could not be read there and is not in the mirror. */
  skipped?: Problem[] | undefined
  /** How many entries that wait are delivered already, and which was the first of them. */
  delivered?: { first: string; count: number } | undefined
}

export type Marks = {
  read(key: PlanKey): Mark | undefined
  /** Also records that the plan is in use now. */
  write(mark: Mark): void
  /** Milliseconds since the plan was last asked for; undefined where it never was. */
  age(key: PlanKey): number | undefined
  /** The plans that were asked for within some milliseconds. */
  recent(within: number): PlanKey[]
  remove(key: PlanKey): void
}

export const openMarks = ({ marks: folder, temporary }: Pick<DeliveryFolder, "marks" | "temporary">): Marks => {
  const pathOf = (key: PlanKey): string => join(folder, `${markName(key)}.json`)
  const written = new Map<string, string>()
  return {
    read: (key) => markIn(pathOf(key)),
    write(mark) {
      const path = pathOf(mark.key)
      const text = JSON.stringify(mark)
      if (written.get(path) === text && existsSync(path)) {
        const now = new Date()
        utimesSync(path, now, now)
        return
      }
      replaceFile(path, text, temporary)
      written.set(path, text)
    },
    age: (key) => ageOf(pathOf(key)),
    recent: (within) =>
      namesIn(folder).flatMap((name) => {
        const path = join(folder, name)
        const age = ageOf(path)
        return age !== undefined && age <= within ? (markIn(path)?.key ?? []) : []
      }),
    remove(key) {
      written.delete(pathOf(key))
      rmSync(pathOf(key), { force: true })
    },
  }
}

/** Unique on any disk: upper-case letters are encoded for case-insensitive ones. */
export const markName = (key: PlanKey): string => {
  const name = planFileName(key)
  const large = [...name.matchAll(/[A-Z]/g)].map(({ index }) => index.toString(36)).join("-")
  const whole = large === "" ? name : `${name}.${large}`
  return whole.length > longestName ? hashedNameOf(key) : whole
}

/** In bytes, with room for an ending. */
const longestName = 240

/** By the clock of the disk: it is compared by processes that start later. */
const ageOf = (path: string): number | undefined => {
  const time = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs
  return time === undefined ? undefined : Math.abs(Date.now() - time)
}

const markIn = (path: string): Mark | undefined => {
  const read = parseJson(foreignTextIn(path) ?? "")
  if (!isRecord(read) || !isRecord(read.key)) return undefined
  const { session, agent } = read.key
  if (typeof session !== "string" || typeof agent !== "string") return undefined
  const { cursor, reader, mirror, skipped, delivered } = read
  return {
    key: { session, agent },
    ...(isRecord(cursor) ? { cursor } : {}),
    ...(typeof reader === "string" ? { reader } : {}),
    ...(typeof mirror === "string" ? { mirror } : {}),
    ...(Array.isArray(skipped) ? { skipped: skipped.flatMap(problemIn) } : {}),
    ...(isRecord(delivered) && typeof delivered.first === "string" && typeof delivered.count === "number"
      ? { delivered: { first: delivered.first, count: delivered.count } }
      : {}),
  }
}

const problemIn = (value: unknown): Problem[] =>
  isRecord(value) && typeof value.code === "string" && typeof value.message === "string"
    ? [warning(value.code, value.message)]
    : []

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"))
  } catch {
    return []
  }
}
