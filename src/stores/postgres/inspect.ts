/** Facts for the administrator: whether the database is reachable, its schema version and its size. */
import { type Address, readAddress } from "./address.ts"
import { openDatabase } from "./database.ts"
import { explained, isForbidden, notLetIn } from "./errors.ts"
import { migrate, schemaOf } from "./migrate.ts"
import { mayWriteIn } from "./roles.ts"
import { schemaVersion } from "./schema.ts"

export type DatabaseState = {
  /** The URL without its password. */
  name: string
  /** Undefined if there are no Headway tables. */
  schema: number | undefined
  /** The newest schema this Headway knows. */
  known: number
  server: string
  plans: number
  /** Bytes on the disk, indexes included. */
  bytes: number
  /** Whether this user may change plans. */
  isWriter: boolean
  /** Whether the server accepts no changes for now, from any user. */
  isOnlyReading: boolean
}

/** Read-only: reports missing tables. */
export const inspectDatabase = (url: string): Promise<DatabaseState> => withClient(url, inspect)

const inspect = async (sql: Client, address: Address): Promise<DatabaseState> => {
  try {
    return await stateOf(sql, address)
  } catch (cause) {
    throw isForbidden(cause) ? notLetIn(address, cause) : cause
  }
}

const stateOf = async (sql: Client, { name, schema: named }: Address): Promise<DatabaseState> => {
  const state = await schemaOf(sql, { name, schema: named })
  const [server] = await sql.unsafe("select pg_catalog.current_setting('server_version') as version")
  const empty = { name, schema: state?.version, known: schemaVersion, server: String(server?.version) }
  if (!state) return { ...empty, plans: 0, bytes: 0, isWriter: false, isOnlyReading: false }
  const [row] = await sql.unsafe(
    `select (select pg_catalog.count(*) from "${named}".plans)::text as plans,
         (select coalesce(pg_catalog.sum(pg_catalog.pg_total_relation_size(c.oid)), 0)::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = '${named}' and c.relkind = 'r') as bytes,
         ${mayWriteIn(`"${named}"`)} as is_writer, pg_catalog.current_setting('transaction_read_only') = 'on' as is_reading`,
  )
  const [isWriter, isOnlyReading] = [row?.is_writer === true, row?.is_reading === true]
  return { ...empty, plans: Number(row?.plans), bytes: Number(row?.bytes), isWriter, isOnlyReading }
}

/** Creates the tables, or upgrades them to this version's schema. */
export const migrateDatabase = (url: string): Promise<{ from: number; to: number }> => withClient(url, migrate)

type Client = Parameters<typeof migrate>[0]

const withClient = async <Result>(
  url: string,
  action: (sql: Client, address: Address) => Promise<Result>,
): Promise<Result> => {
  const address = readAddress(url)
  const database = openDatabase(address, { mayCreate: false })
  const sql = database.connectAlone({})
  try {
    return await action(sql, address)
  } catch (cause) {
    throw explained(cause, address)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
