/** The URL of a database for a user of its own who may look at plans and not change them, by the script for roles. */
import postgres from "postgres"
import { roleScript } from "../../../src/stores/postgres/index.ts"

let made = 0

export const readerOf = async (url: string): Promise<string> => {
  const { pathname } = new URL(url)
  made += 1
  // Roles are for all databases of the server.
  const [reader, writer] = [`looks_${process.pid}_${made}`, `keeps_${process.pid}_${made}`]
  const sql = postgres(url.split("?")[0] ?? "", { max: 1, onnotice: () => {} })
  await sql.unsafe(roleScript({ database: decodeURIComponent(pathname.slice(1)), reader, writer }))
  await sql.unsafe(`alter role ${reader} password 'look'`)
  await sql.end()
  return url.replace(/\/\/.*@/, `//${reader}:look@`)
}
