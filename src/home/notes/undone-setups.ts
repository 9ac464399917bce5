/** Records when the set-up of an agent was undone: what its hooks did before says nothing about what they will do. */
import { join } from "node:path"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { foreignTextIn } from "../reading/foreign-file.ts"
import { replaceFile } from "../writing/write-file.ts"

/** The agent comes from our own table, because its name becomes part of a file name. */
export const noteUndone = (home: string, agent: string, at: Date): void => {
  replaceFile(pathOf(home, agent), JSON.stringify({ at: at.toISOString() }), join(home, "tmp"))
}

/** In ISO form; undefined if it never was. */
export const undoneAt = (home: string, agent: string): string | undefined => {
  const value = parseJson(foreignTextIn(pathOf(home, agent)) ?? "")
  return isRecord(value) && typeof value.at === "string" ? value.at : undefined
}

const pathOf = (home: string, agent: string): string => join(home, "cache", "undone", `${agent}.json`)
