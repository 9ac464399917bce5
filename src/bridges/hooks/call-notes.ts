/** Notes on calls that are about to come: a hook is told whose they are, the server that gets them may not be. */
import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { planFileName } from "../../home/file-names.ts"
import { readForeignText } from "../../home/foreign-file.ts"
import { replaceFile } from "../../home/write-file.ts"

/** Whose call it is: the agent's session now, and `main` or a sub-agent in it. */
export type CallNote = { session: string; agent: string }

export const leaveCallNote = (home: string, callId: string, { session, agent }: CallNote): void =>
  void replaceFile(pathOf(home, callId), JSON.stringify({ session, agent }), join(home, "tmp"))

/** The note on a call, which is then gone: a call comes once. */
export const takeCallNote = (home: string, callId: string): CallNote | undefined => {
  const path = pathOf(home, callId)
  try {
    const { session, agent } = JSON.parse(readForeignText(path)) as Record<string, unknown>
    rmSync(path, { force: true })
    return typeof session === "string" && typeof agent === "string" ? { session, agent } : undefined
  } catch {
    return undefined
  }
}

/** Calls that were announced and never came leave theirs behind. */
export const forgetCallNotes = (home: string, before: Date): void => {
  const folder = folderOf(home)
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (statSync(path).mtime < before) rmSync(path, { force: true })
    }
  } catch {}
}

const folderOf = (home: string): string => join(home, "cache", "calls")

const pathOf = (home: string, callId: string): string =>
  join(folderOf(home), `${planFileName({ session: callId, agent: "call" })}.json`)
