/** Reads tables of an agent's SQLite file, which stays as it is, and which may have been made to harm its reader. */
import { statSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { HeadwayError } from "../../plan/headway-error.ts"
import type { LastRows, SomeRows, Tables } from "../source.ts"

export type TableRows = { table: string; rows: unknown[] }

/** In one table. */
const mostRows = 500_000

/** In bytes. A longer text is read as none, without being fetched, and so are bytes that are not text. */
const longestText = 64 << 10

/** In characters: how far into a text is looked for what tells the rows that are wanted. */
const searched = 200

/** In rows: how much of a large table is searched at a time. */
const stretch = 20_000

/** How many rows of another table the last rows are looked up for. */
const mostOwners = 100

/** Rows are passed on together, because each time costs a change between two processes: so many, or so much text. */
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
    // As statements: a file may hold a table of its own that is called like the function of a pragma.
    const found = database.prepare(`pragma main.table_list(${table})`).all()
    if (found.length !== 1 || (found[0] as { type: string }).type !== "table") return []
    const columns = database.prepare(`pragma main.table_xinfo(${table})`).all()
    const plain = (columns as { name: string; hidden: number }[]).flatMap(({ name, hidden }) => (hidden ? [] : name))
    const [first = "", ...others] = wanted
    return plain.includes(first) ? [first, ...others.filter((name) => plain.includes(name))] : []
  }

  /** `wr` is what SQLite calls a table without row ids, in which stretches cannot be searched. */
  const hasRowIds = (table: string): boolean =>
    (database.prepare(`pragma main.table_list(${table})`).all() as { wr: number }[]).every(({ wr }) => wr === 0)

  /** Texts count against one limit for the whole file, whichever statement they come from. */
  function* batchesOf(
    table: string,
    found: Iterable<Record<string, unknown>>,
    counted: { rows: number },
  ): Generator<TableRows> {
    let rows: unknown[] = []
    let passed = length
    for (const row of found) {
      counted.rows += 1
      for (const value of Object.values(row)) if (typeof value === "string") length += value.length
      if (counted.rows > mostRows || length > mostText) throw tooMuch
      rows.push(row)
      if (rows.length < batchRows && length - passed < batchText) continue
      yield { table, rows }
      rows = []
      passed = length
    }
    yield { table, rows }
  }

  const selecting = (table: string, columns: readonly string[]): string => {
    const isShort = (name: string): string => `typeof(${name}) <> 'blob' and octet_length(${name}) <= ${longestText}`
    const short = columns.map((name) => `case when ${isShort(name)} then ${name} end as ${name}`)
    return `select ${short.join(", ")} from ${table}`
  }

  const allRows = (table: string, columns: readonly string[]): Generator<TableRows> => {
    const statement = database.prepare(`${selecting(table, columns)} limit ${mostRows + 1}`)
    return batchesOf(table, statement.iterate() as Iterable<Record<string, unknown>>, { rows: 0 })
  }

  /** A search through a large table passes on what it found, or nothing, after each stretch: a silent reader is ended. */
  function* someRows(table: string, { columns, where }: SomeRows): Generator<TableRows> {
    const { holding: { column, any: texts } = { column: "", any: [] }, only } = where
    const isHeld = texts.map(() => `instr(substr(${column}, 1, ${searched}), ?) > 0`).join(" or ") || "true"
    const counted = { rows: 0 }
    if (only) {
      const search = database.prepare(`${selecting(table, columns)} where ${only.column} = ? and (${isHeld})`)
      yield* batchesOf(table, search.iterate(only.is, ...texts) as Iterable<Record<string, unknown>>, counted)
      return
    }
    const ahead = database.prepare(
      `select max(rowid) as last from (select rowid from ${table} where rowid > ? order by rowid limit ${stretch})`,
    )
    const search = database.prepare(`${selecting(table, columns)} where rowid > ? and rowid <= ? and (${isHeld})`)
    for (let from = Number.MIN_SAFE_INTEGER; ; ) {
      const [{ last } = { last: null }] = ahead.all(from) as { last: number | null }[]
      if (last === null || last <= from) return
      yield* batchesOf(table, search.iterate(from, last, ...texts) as Iterable<Record<string, unknown>>, counted)
      from = last
    }
  }

  const lastRows = (table: string, { columns, last }: LastRows): Generator<TableRows> => {
    const { time, of, per } = last
    const owners = `select ${per.id} as owner from ${per.table} order by ${per.time} desc limit ${mostOwners}`
    const newest = `select rowid from ${table} where ${of} = owner order by ${time} desc, rowid desc limit 1`
    const statement = database.prepare(
      `${selecting(table, columns)} where rowid in (select (${newest}) from (${owners}))`,
    )
    return batchesOf(table, statement.iterate() as Iterable<Record<string, unknown>>, { rows: 0 })
  }

  /** Whether a table that may be missing has the columns that its rows are told by. */
  const canChoose = (table: string, columns: readonly string[], wish: SomeRows | LastRows): boolean => {
    if (columns.length === 0 || !hasRowIds(table)) return false
    if ("where" in wish) return isSearchable(columns, wish.where)
    const { time, of, per } = wish.last
    return [time, of].every((name) => columns.includes(name)) && columnsOf(per.table, [per.id, per.time]).length === 2
  }

  try {
    for (const rule of rules) database.exec(`pragma ${rule}`)
    const wanted = Object.entries(tables).map(([table, wish]) => {
      const chosen = "columns" in wish ? wish : undefined
      return { table, columns: columnsOf(table, "columns" in wish ? wish.columns : wish), chosen }
    })
    // Another program's database may lie there too.
    if (wanted.some(({ columns, chosen }) => columns.length === 0 && !chosen)) return
    for (const { table, columns, chosen } of wanted) {
      if (!chosen) yield* allRows(table, columns)
      else if (!canChoose(table, columns, chosen)) continue
      else if ("where" in chosen) yield* someRows(table, { ...chosen, columns })
      else yield* lastRows(table, { ...chosen, columns })
    }
  } finally {
    database.close()
  }
}

const isSearchable = (columns: readonly string[], { holding, only }: SomeRows["where"]): boolean =>
  [holding, only].every((one) => !one || columns.includes(one.column))

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
