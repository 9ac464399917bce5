/** Records the folder in which the plan of a session began, because its agent may change to another repository later. */
import { statSync } from "node:fs"
import { join } from "node:path"
import { parseJson } from "../plan/json.ts"
import { isRecord } from "../plan/log/shape.ts"
import { planFileName } from "./file-names.ts"
import { foreignTextIn } from "./foreign-file.ts"
import { fullPath } from "./full-path.ts"
import { replaceFile } from "./write-file.ts"

/** A session of an agent; two agents may use the same id. */
export type AgentSession = { agentType: string; session: string }

/** Undefined if none is recorded, or if the folder no longer exists. */
export const placeOfSession = (home: string, of: AgentSession): string | undefined => {
  const value = parseJson(foreignTextIn(pathOf(home, of)) ?? "")
  const folder = isRecord(value) && typeof value.folder === "string" ? fullPath(value.folder) : undefined
  return folder !== undefined && isFolder(folder) ? folder : undefined
}

/** The first folder stays. */
export const notePlace = (home: string, of: AgentSession, folder: string): void => {
  if (placeOfSession(home, of) === undefined)
    replaceFile(pathOf(home, of), JSON.stringify({ folder }), join(home, "tmp"))
}

const pathOf = (home: string, { agentType, session }: AgentSession): string =>
  join(home, "cache", "places", `${planFileName({ session, agent: agentType })}.json`)

/** False for a name that no folder can have, too. */
export const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
