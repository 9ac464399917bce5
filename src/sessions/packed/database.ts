/** Reads tables of an agent's SQLite file without changing it. The file may be hostile. */
import { pathToFileURL } from "node:url"
import { HeadwayError } from "../../plan/headway-error.ts"
import { valuesIn } from "../../plan/json.ts"
import type { Condition, LastRows, OwnerRows, SomeRows, Tables } from "../source.ts"
import { hasReadableLog } from "./write-ahead-log.ts"

/** `table` is the name the rows are wanted under. */
export type TableRows = { table: string; rows: unknown[] }

/** In one table. */
const mostRows = 500_000

/** In bytes. Longer texts and binary values are treated as missing, without fetching them. */
const longestText = 64 << 10

/** In characters: how far into a text is looked for what tells the rows that are wanted. */
const searched = 200

/** In rows: how much of a large table is searched at a time. */
const stretch = 20_000

/** How many rows of another table the last rows are looked up for. */
const mostOwners = 100

/** Rows are passed on together, because each time costs a change between two processes: so many, or so much text. */
const [batchRows, batchText] = [2_000, 1 << 20]

/** In bytes: all texts together with what is made of them, and what the driver itself may use. */
const [mostText, mostMemory] = [128 << 20, 128 << 20]

/** What a value in a text takes once it is parsed, in characters. */
const valueSize = 8

/** Most texts are not parsed. */
const sizeOf = (text: string): number => text.length + (/^[[{]/.test(text) ? valueSize * valuesIn(text) : 0)

/** Throws if the file is not a database, needs too much, or there is no driver. Some damage makes it run forever. */
export async function* readTables(path: string, tables: Tables): AsyncGenerator<TableRows> {
  const { default: Database } = await import("libsql").catch((cause: unknown) => {
    throw new HeadwayError("no-sqlite", "sessions in a database need the package libsql, which does not load here", {
      cause,
    })
  })
  const database = new Database(readOnlyUrl(path))
  let length = 0
  let decoder = new TextDecoder("utf-8", { ignoreBOM: true })

  /** Invalid bytes are replaced, and a text ends at its first zero byte, as in SQLite. */
  const textIn = (bytes: ArrayBuffer | Uint8Array): string => {
    const text = decoder.decode(bytes)
    const end = text.indexOf("\0")
    return end < 0 ? text : text.slice(0, end)
  }

  /** Only plain columns of real tables: views and computed columns run the author's code. */
  const columnsOf = (table: string, wanted: readonly string[]): string[] => {
    // As statements, because a file may have a table named like a pragma function.
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

  /** All texts count towards one limit for the whole file. */
  function* batchesOf(
    table: string,
    found: Iterable<Record<string, unknown>>,
    counted: { rows: number },
  ): Generator<TableRows> {
    let rows: unknown[] = []
    let passed = length
    for (const row of found) {
      counted.rows += 1
      for (const [name, value] of Object.entries(row)) {
        if (!(value instanceof ArrayBuffer || value instanceof Uint8Array)) continue
        const text = textIn(value)
        row[name] = text
        length += sizeOf(text)
      }
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
    // Texts are read as bytes, because the driver aborts the process on invalid text.
    const bytes = (name: string): string =>
      `case typeof(${name}) when 'text' then cast(${name} as blob) else ${name} end`
    const short = columns.map((name) => `case when ${isShort(name)} then ${bytes(name)} end as ${name}`)
    return `select ${short.join(", ")} from ${table}`
  }

  const allRows = (table: string, columns: readonly string[]): Generator<TableRows> => {
    const statement = database.prepare(`${selecting(table, columns)} limit ${mostRows + 1}`)
    return batchesOf(table, statement.iterate() as Iterable<Record<string, unknown>>, { rows: 0 })
  }

  /** Where the stretches of a table begin and end, by row ids; the first is not part of its stretch. */
  function* stretchesOf(table: string): Generator<[from: number, last: number]> {
    const ahead = database.prepare(
      `select max(rowid) as last from (select rowid from ${table} where rowid > ? order by rowid limit ${stretch})`,
    )
    for (let from = Number.MIN_SAFE_INTEGER; ; ) {
      const [{ last } = { last: null }] = ahead.all(from) as { last: number | null }[]
      if (last === null || last <= from) return
      yield [from, last]
      from = last
    }
  }

  /** A search through a large table reports after each stretch, because a silent reader is killed. */
  function* someRows(name: string, { table = name, columns, where }: SomeRows): Generator<TableRows> {
    const counted = { rows: 0 }
    const search = ({ text, values }: Sql): ((...more: number[]) => Generator<TableRows>) => {
      const statement = database.prepare(`${selecting(table, columns)} where ${text}`)
      return (...more) =>
        batchesOf(name, statement.iterate(...more, ...values) as Iterable<Record<string, unknown>>, counted)
    }
    const { only, of, ...own } = where
    if (only) {
      const { text, values } = sqlOf(where)
      yield* search({ text: `${only.column} = ? and ${text}`, values: [only.is, ...values] })()
    } else if (of && !of.rows.first) {
      // The owners are fewer than what is theirs, which is found by its index.
      const [held, owners] = [sqlOf(own), ownersOf(of.rows, inStretch)]
      const text = `${of.column} in (${owners.text}) and ${held.text}`
      const inOne = search({ text, values: [...owners.values, ...held.values] })
      for (const ends of stretchesOf(of.rows.table)) yield* inOne(...ends)
    } else if (of) {
      yield* search(sqlOf(where))()
    } else {
      const { text, values } = sqlOf(where)
      const inOne = search({ text: `${inStretch} and ${text}`, values })
      for (const ends of stretchesOf(table)) yield* inOne(...ends)
    }
  }

  const lastRows = (name: string, { table = name, columns, last }: LastRows): Generator<TableRows> => {
    const { time, of, per } = last
    const owners = `select ${per.id} as owner from ${per.table} order by ${per.time} desc limit ${mostOwners}`
    const newest = `select rowid from ${table} where ${of} = owner order by ${time} desc, rowid desc limit 1`
    const statement = database.prepare(
      `${selecting(table, columns)} where rowid in (select (${newest}) from (${owners}))`,
    )
    return batchesOf(name, statement.iterate() as Iterable<Record<string, unknown>>, { rows: 0 })
  }

  const hasAll = (table: string, names: readonly string[]): boolean => columnsOf(table, names).length === names.length

  const isSearchable = (table: string, { holding, of, only }: SomeRows["where"]): boolean => {
    if (
      !hasRowIds(table) ||
      !hasAll(
        table,
        [holding, only, of].flatMap((one) => one?.column ?? []),
      )
    )
      return false
    if (!of) return true
    const { id, first, where } = of.rows
    return hasAll(of.rows.table, [id, ...Object.values(first ?? {})]) && isSearchable(of.rows.table, where)
  }

  /** Whether a table that may be missing has the columns that its rows are told by. */
  const canChoose = (table: string, wish: SomeRows | LastRows): boolean => {
    if ("where" in wish) return isSearchable(table, wish.where)
    const { time, of, per } = wish.last
    return hasRowIds(table) && hasAll(table, [time, of]) && hasAll(per.table, [per.id, per.time])
  }

  try {
    for (const rule of rules) database.exec(`pragma ${rule}`)
    const [{ encoding } = { encoding: "UTF-8" }] = database.prepare("pragma encoding").all() as { encoding: string }[]
    decoder = new TextDecoder(encoding, { ignoreBOM: true })
    const wanted = Object.entries(tables).map(([name, wish]) => {
      const chosen = "columns" in wish ? wish : undefined
      const table = chosen?.table ?? name
      return { name, table, columns: columnsOf(table, "columns" in wish ? wish.columns : wish), chosen }
    })
    // Another program's database may be there too.
    if (wanted.some(({ columns, chosen }) => columns.length === 0 && !chosen)) return
    for (const { name, table, columns, chosen } of wanted) {
      if (!chosen) yield* allRows(table, columns)
      else if (columns.length === 0 || !canChoose(table, chosen)) continue
      else if ("where" in chosen) yield* someRows(name, { ...chosen, columns })
      else yield* lastRows(name, { ...chosen, columns })
    }
  } finally {
    database.close()
  }
}

/** A condition, and the texts to put in for its question marks. */
type Sql = { text: string; values: string[] }

const inStretch = "rowid > ? and rowid <= ?"

const sqlOf = ({ holding, of }: Condition): Sql => {
  const held = holding?.any.map(() => `instr(substr(${holding.column}, 1, ${searched}), ?) > 0`)
  const owners = of && ownersOf(of.rows)
  const all = [...(held ? [`(${held.join(" or ")})`] : []), ...(owners ? [`${of.column} in (${owners.text})`] : [])]
  return { text: all.join(" and ") || "true", values: [...(holding?.any ?? []), ...(owners?.values ?? [])] }
}

/** The ids of rows. Beside the least of all values SQLite selects the other columns from the row that has it. */
const ownersOf = ({ table, id, where, first }: OwnerRows, within = "true"): Sql => {
  const { text, values } = sqlOf(where)
  const rows = `from ${table} where ${within} and ${text}`
  const chosen = first
    ? `select ${id} from (select ${id}, min(${first.time}) ${rows} group by ${first.per})`
    : undefined
  return { text: chosen ?? `select ${id} ${rows}`, values }
}

/**
 * Read-only, with an untrusted schema and checked pages; a file that is truncated during the read does not crash the
 * process.
 */
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
 * words of SQLite itself do not. Without the last one SQLite would repair the shared memory of a log, and as root give
 * it another owner.
 */
const readOnlyUrl = (path: string): string =>
  `file:${pathToFileURL(path).pathname}?mode=ro&${hasReadableLog(path) ? "readonly_shm=1" : "immutable=1"}`
