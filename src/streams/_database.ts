/** Reads the rows of opencode's SQLite file, which stays as it is. */
import { statSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { HeadwayError } from "../plan/index.ts"
import { readOpencodeDatabase } from "./opencode-database.ts"
import type { Signal } from "./stream.ts"

const sessionColumns = ["id", "parent_id", "title", "directory", "version", "time_created", "time_updated"]

/** Sessions under one root share a name in the signals; each goes by its own id here. */
export type DatabaseSession = { session: string; signals: Signal[] }

/** Throws when the file is no database, or when there is no driver for this machine. */
export const readDatabase = async (path: string): Promise<DatabaseSession[]> => {
  const { default: Database } = await import("libsql").catch((cause: unknown) => {
    throw new HeadwayError("no-sqlite", "opencode's sessions need the package libsql, which does not load here.", {
      cause,
    })
  })
  const database = new Database(readOnlyUrl(path))
  try {
    const columnsOf = (table: string): string[] =>
      (database.prepare(`select name from pragma_table_info('${table}')`).all() as { name: string }[]).map(
        ({ name }) => name,
      )
    // Another program's database may lie there too.
    const columns = columnsOf("session").filter((name) => sessionColumns.includes(name))
    if (!columns.includes("id") || !columnsOf("todo").includes("session_id")) return []
    const sessions = database.prepare(`select ${columns.join(", ")} from session`).all()
    const todos = database.prepare("select * from todo").all()
    return readOpencodeDatabase({ sessions, todos })
  } finally {
    database.close()
  }
}

/**
 * The driver's own option for reading only lets writes through, and leaves files of its own beside the database; the
 * words of SQLite itself do not. A log that is not yet in the file needs its shared memory, which its writer has made.
 */
const readOnlyUrl = (path: string): string => {
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  const hasMemory = statSync(`${path}-shm`, { throwIfNoEntry: false }) !== undefined
  return `file:${pathToFileURL(path).pathname}?mode=ro${hasLog && hasMemory ? "" : "&immutable=1"}`
}
