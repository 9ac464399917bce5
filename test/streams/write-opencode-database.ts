/** Makes opencode's SQLite file from the rows that were recorded of a real one. */
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import Database from "libsql"

type Row = Record<string, unknown>

/** `rows` is how the names of the recorded files begin; `children` are sessions beside the recorded ones. */
export const writeOpencodeDatabase = (rows: string, path: string, children: readonly Row[] = []): void => {
  const json = (name: string) => JSON.parse(readFileSync(`${rows}.${name}`, "utf8")) as Row[]
  mkdirSync(dirname(path), { recursive: true })
  const database = new Database(path)
  database.exec("pragma journal_mode = wal")
  // A todo may name a session that is not there: a database that a hostile program wrote need not hold together.
  database.exec("pragma foreign_keys = off")
  database.exec(
    "create table session (id text primary key, parent_id text, slug text, directory text, title text, version text, agent text, time_created integer, time_updated integer)",
  )
  database.exec(
    (JSON.parse(readFileSync(`${rows}.schema.sql`, "utf8").replaceAll(/\n\s*/g, " ")) as { sql: string }[])[0]?.sql ??
      "",
  )
  const insert = (table: string, row: Row) => {
    const names = Object.keys(row)
    const values = names.map(() => "?").join(", ")
    database.prepare(`insert into ${table} (${names.join(", ")}) values (${values})`).run(...Object.values(row))
  }
  for (const row of [...json("session.json"), ...children]) insert("session", row)
  for (const row of json("todo.json")) insert("todo", row)
  if (existsSync(`${rows}.part.json`)) {
    database.exec(
      "create table part (id text primary key, message_id text, session_id text, time_created integer, time_updated integer, data text)",
    )
    for (const row of json("part.json")) insert("part", row)
  }
  if (existsSync(`${rows}.message.json`)) {
    database.exec(
      "create table message (id text primary key, session_id text, time_created integer, time_updated integer, data text)",
    )
    for (const row of json("message.json")) insert("message", row)
  }
  database.exec("pragma wal_checkpoint(truncate)")
  database.close()
}
