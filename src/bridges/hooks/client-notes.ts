/** Which session the process of an agent is in, as its hooks were told last: its server, a child of the same process, is not. */
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { foreignTextIn } from "../../home/foreign-file.ts"
import { isRunning, replaceFile } from "../../home/write-file.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import type { ClientProcess } from "../client-process.ts"

/** An agent's process. An entry counts for that agent alone. */
export type ClientOf = { agentType: string; client: ClientProcess }

export const noteSession = (home: string, client: ClientOf, session: string): void => {
  if (notedSession(home, client) !== session)
    replaceFile(pathOf(home, client), JSON.stringify({ session }), join(home, "tmp"))
}

export const notedSession = (home: string, client: ClientOf): string | undefined => {
  const value = parseJson(foreignTextIn(pathOf(home, client)) ?? "")
  const session = isRecord(value) ? value.session : undefined
  return typeof session === "string" && session !== "" ? session : undefined
}

/** Of processes that are gone. */
export const forgetClients = (home: string): void => {
  try {
    for (const name of readdirSync(folderOf(home))) {
      const pid = Number(/^[a-z-]+-(\d+)-\w+\.json$/.exec(name)?.[1])
      if (pid > 0 && !isRunning(pid)) rmSync(join(folderOf(home), name), { force: true })
    }
  } catch {}
}

/** Only letters, digits and hyphens: agents are named by our own table, and the rest are numbers. */
export const clientName = ({ agentType, client: { pid, started } }: ClientOf): string =>
  `${agentType}-${pid}-${started.replace(/\W/g, "")}`

const folderOf = (home: string): string => join(home, "cache", "clients")

const pathOf = (home: string, client: ClientOf): string => join(folderOf(home), `${clientName(client)}.json`)
