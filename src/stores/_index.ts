/** One line about every plan, kept in the cache by size and time of its journal, so that a listing reads only what is new. */
import { readFileSync } from "node:fs"
import { replaceFile } from "./_write-file.ts"
import type { PlanSummary } from "./store.ts"

const version = 2

/** Size and time of the journal the summary was made from. */
export type Indexed = [size: number, time: number, summary: PlanSummary]

export type Index = Record<string, Indexed>

export const loadIndex = (path: string): Index => {
  try {
    const { v, plans } = JSON.parse(readFileSync(path, "utf8")) as { v: number; plans: Index }
    return v === version && typeof plans === "object" && plans !== null ? plans : {}
  } catch {
    return {}
  }
}

export const saveIndex = (path: string, plans: Index, temporary: string): void => {
  replaceFile(path, JSON.stringify({ v: version, plans }), temporary)
}
