/** Reads tables of an agent's SQLite file, which stays as it is, and which may have been made to harm its reader. */
import { statSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { HeadwayError } from "../plan/headway-error.ts"
import type { Tables } from "./source.ts"

export type TableRows = { table: string; rows: unknown[] }

/** In one table. */
const mostRows = 500_000

/** In bytes. A longer text is read as none, without being fetched, and so are bytes that are not text. */
const longestText = 64 << 10

/** Rows are passed on together, because each time costs a change between two processes: this many, or this much text. */
const [batchRows, batchText] = [2_000, 1 << 20]

/** In bytes: all texts together, and what the driver itself may use. */
const [mostText, mostMemory] = [128 << 20, 128 << 20]

/** Throws when the file is not a database, asks for too much, or there is no driver here. Some damage keeps it busy for ever. */
export async function* readTables(path: string, tables: Tables): AsyncGenerator<TableRows> {
  const { default: Database } = await import("libsql").catch((cause: unknown) => {
    throw new HeadwayError("no-sqlite", "sessions in a database need the package libsql, which does not load here", {
      cause,
    })
  })
  const database = new Database(readOnlyUrl(path))
  let length = 0

  /** Only plain columns of a real table: a view, or a column that is computed, is a program of its writer's. */
  const columnsOf = (table: string, wanted: readonly string[]): string[] => {
    const found = database.prepare("select type from pragma_table_list where schema = 'main' and name = ?").all(table)
    if (found.length !== 1 || (found[0] as { type: string }).type !== "table") return []
    const columns = database.prepare("select name, hidden from pragma_table_xinfo(?)").all(table)
    const plain = (columns as { name: string; hidden: number }[]).flatMap(({ name, hidden }) => (hidden ? [] : name))
    const [first = "", ...others] = wanted
    return plain.includes(first) ? [first, ...others.filter((name) => plain.includes(name))] : []
  }

  function* rowsOf(table: string, columns: readonly string[]): Generator<TableRows> {
    const isShort = (name: string): string => `typeof(${name}) <> 'blob' and octet_length(${name}) <= ${longestText}`
    const short = columns.map((name) => `case when ${isShort(name)} then ${name} end as ${name}`)
    const statement = database.prepare(`select ${short.join(", ")} from ${table} limit ${mostRows + 1}`)
    let rows: unknown[] = []
    let [count, passed] = [0, length]
    for (const row of statement.iterate() as Iterable<Record<string, unknown>>) {
      count += 1
      for (const value of Object.values(row)) if (typeof value === "string") length += value.length
      if (count > mostRows || length > mostText) throw tooMuch
      rows.push(row)
      if (rows.length < batchRows && length - passed < batchText) continue
      yield { table, rows }
      rows = []
      passed = length
    }
    yield { table, rows }
  }

  try {
    for (const rule of rules) database.exec(`pragma ${rule}`)
    const wanted = Object.entries(tables).map(([table, columns]) => [table, columnsOf(table, columns)] as const)
    // Another program's database may be there too.
    if (wanted.some(([, columns]) => columns.length === 0)) return
    for (const [table, columns] of wanted) yield* rowsOf(table, columns)
  } finally {
    database.close()
  }
}

/** Nothing is written, what the schema says is not trusted, pages are checked, and a file that is cut short while it is read crashes nothing. */
const rules = [
  "query_only = on",
  "trusted_schema = off",
  "cell_size_check = on",
  "mmap_size = 0",
  `hard_heap_limit = ${mostMemory}`,
]

const tooMuch = new HeadwayError("too-large", "it holds more sessions and todos than Headway reads")

/**
 * The driver's own option for reading only lets writes through, and leaves files of its own beside the database; the
 * words of SQLite itself do not. A log that is not yet in the file needs its shared memory, which its writer has made.
 */
const readOnlyUrl = (path: string): string => {
  const sizeOf = (file: string): number | undefined => {
    const stats = statSync(file, { throwIfNoEntry: false })
    return stats?.isFile() ? stats.size : undefined
  }
  const hasLog = (sizeOf(`${path}-wal`) ?? 0) > 0 && sizeOf(`${path}-shm`) !== undefined
  return `file:${pathToFileURL(path).pathname}?mode=ro${hasLog ? "" : "&immutable=1"}`
}
