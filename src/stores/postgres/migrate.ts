/** Upgrades the tables of a schema, one client at a time, and decides which clients may use which schema. */
import type postgres from "postgres"
import { HeadwayError, sanitise } from "../../plan/index.ts"
import type { Address } from "./address.ts"
import { isCut, isForbidden, isMissing } from "./errors.ts"
import { type Migration, migrations, oldestSchema, schemaVersion } from "./schema.ts"

export type SchemaState = { version: number; needs: number }

/** Throws if this Headway and the schema are incompatible. A newer schema that only adds things can be used. */
export const isUsable = ({ name }: Address, { version, needs }: SchemaState, known = schemaVersion): void => {
  if (needs > known)
    throw new HeadwayError(
      "newer-schema",
      `${name} was brought to schema ${version} by a newer Headway; this one knows schema ${known}. Update Headway to use it.`,
    )
  if (version < oldestSchema)
    throw new HeadwayError(
      "older-schema",
      `${name} has schema ${version}; this Headway needs ${oldestSchema}. Run "headway store migrate" as the owner of the database.`,
    )
}

/** Applies missing migrations in one transaction. Returns the versions before (0 if there was none) and after. */
export const migrate = async (
  sql: postgres.Sql,
  address: Address,
  steps: readonly Migration[] = migrations,
): Promise<{ from: number; to: number }> => {
  const schema = `"${address.schema}"`
  let found = 0
  try {
    return (await sql.begin(async (transaction) => {
      const ask: Ask = (text) => transaction.unsafe(text).catch(leaveToDriver)
      // Our own lock for the schema: others wait until this transaction ends.
      await ask(`select pg_catalog.pg_advisory_xact_lock(1214603351, pg_catalog.hashtext('${address.schema}'))`)
      const [server] = await ask(
        `select pg_catalog.current_setting('server_version_num')::int as number, pg_catalog.current_setting('server_version') as version,
           pg_catalog.current_setting('server_encoding') as encoding, pg_catalog.to_regclass('${schema}.about') is not null as is_there`,
      )
      assertServer(address, server)
      const [state] = server?.is_there ? await ask(`select version, needs from ${schema}.about`) : []
      const { version: from, needs } = state ? readState(address, state) : { version: 0, needs: 0 }
      const last = steps.at(-1)?.version ?? 0
      found = from
      if (state) isUsable(address, { version: Math.max(from, oldestSchema), needs }, last)
      if (!state) await makeSchema(address, ask)
      for (const { version, needs, sql: text } of steps) {
        if (version <= from) continue
        await ask(text(schema))
        await ask(`update ${schema}.about set version = ${version}, needs = ${needs}`)
      }
      // PostgreSQL lets everyone call a new function, and no default of a schema takes that away.
      if (from < last) await ask(`revoke execute on all functions in schema ${schema} from public`)
      return { from, to: Math.max(from, last) }
    })) as { from: number; to: number }
  } catch (cause) {
    if (!isForbidden(cause)) throw cause
    const user = sanitise(address.user)
    const text =
      found > 0
        ? `${address.name} has schema ${found}, and the user ${user} may not upgrade it.`
        : `${address.name} has no tables of this Headway yet, and the user ${user} may not create them.`
    const advice = 'Run "headway store migrate" as the owner of the database.'
    throw new HeadwayError("no-schema", `${text} ${advice}`, { cause })
  }
}

type Ask = (text: string) => Promise<postgres.RowList<postgres.Row[]>>

/**
 * Never settles if the connection is lost: the driver then rejects the transaction as a whole. If this statement were rejected, the driver
 * would send a rollback over the connection that is gone, which throws where no code can catch it, and so end the process.
 */
const leaveToDriver = (cause: unknown): Promise<never> =>
  isCut(cause) ? new Promise<never>(() => {}) : Promise.reject(cause)

/** The owner of a schema can replace the functions in it, which others then call with their own rights. */
const makeSchema = async ({ schema, name }: Address, ask: Ask): Promise<void> => {
  await ask(`create schema if not exists "${schema}"`)
  const [found] = await ask(
    `select r.rolname::text as owner, r.rolname = current_user as is_own
     from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid = n.nspowner where n.nspname = '${schema}'`,
  )
  if (found?.is_own === true) return
  const owner = sanitise(String(found?.owner))
  throw new HeadwayError(
    "foreign-schema",
    `The schema "${schema}" in ${name} belongs to ${owner}, who could change what Headway runs there. Run "headway store migrate" as ${owner}, or name another schema with ?schema=NAME.`,
  )
}

/** The version of the schema; undefined where there is none. */
export const schemaOf = async (
  sql: postgres.Sql,
  address: Pick<Address, "schema" | "name">,
): Promise<SchemaState | undefined> => {
  try {
    const [row] = await sql.unsafe(`select version, needs from "${address.schema}".about`)
    return row && readState(address, row)
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw cause
  }
}

/** Any comparison with what is not a number would let this Headway use the tables. */
export const readState = ({ name, schema }: Pick<Address, "schema" | "name">, row: postgres.Row): SchemaState => {
  const state = { version: Number(row.version), needs: Number(row.needs) }
  if (Object.values(state).every(Number.isSafeInteger)) return state
  throw new HeadwayError(
    "unknown-schema",
    `${name} does not say which version its tables have: "${schema}".about holds no numbers. Another program has changed it.`,
  )
}

const oldestServer = 130_000

const assertServer = ({ name }: Address, server: postgres.Row | undefined): void => {
  if (Number(server?.number) < oldestServer)
    throw new HeadwayError(
      "old-server",
      `${name} runs PostgreSQL ${sanitise(String(server?.version))}; Headway needs 13 or newer.`,
    )
  if (server?.encoding !== "UTF8")
    throw new HeadwayError(
      "wrong-encoding",
      `${name} is encoded in ${sanitise(String(server?.encoding))}; Headway needs UTF8: createdb --encoding UTF8 --template template0 NAME`,
    )
}
