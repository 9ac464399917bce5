/** Records the folder in which the plan of a session began, because its agent may change to another repository later. */

import { join } from "node:path"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { planFileName } from "../paths/file-names.ts"
import { fullPath } from "../paths/full-path.ts"
import { isFolder } from "../paths/on-disk.ts"
import { foreignTextIn } from "../reading/foreign-file.ts"
import { replaceFile } from "../writing/write-file.ts"

/** A session of an agent; two agents may use the same id. */
export type AgentSession = { agentType: string; session: string }

/** `isInHome` if the plan is in the person's home, and stays there should the repository begin to keep plans. */
export type RecordedPlace = { folder: string; isInHome?: boolean | undefined }

/** Undefined if none is recorded, or if the folder no longer exists. */
export const recordedPlace = (home: string, of: AgentSession): RecordedPlace | undefined => {
  const value = parseJson(foreignTextIn(pathOf(home, of)) ?? "")
  if (!isRecord(value) || typeof value.folder !== "string") return undefined
  const folder = fullPath(value.folder)
  if (folder === undefined || !isFolder(folder)) return undefined
  return { folder, ...(typeof value.isInHome === "boolean" ? { isInHome: value.isInHome } : {}) }
}

/** The folder alone. */
export const placeOfSession = (home: string, of: AgentSession): string | undefined => recordedPlace(home, of)?.folder

/** The first place stays. */
export const notePlace = (home: string, of: AgentSession, place: RecordedPlace): void => {
  if (recordedPlace(home, of) === undefined) changePlace(home, of, place)
}

/** The place after the plan of a session was moved. */
export const changePlace = (home: string, of: AgentSession, place: RecordedPlace): void =>
  void replaceFile(pathOf(home, of), JSON.stringify(place), join(home, "tmp"))

const pathOf = (home: string, { agentType, session }: AgentSession): string =>
  join(home, "cache", "places", `${planFileName({ session, agent: agentType })}.json`)
