/** A script that creates two roles, one that only writes plans and one that only reads them; and how to distinguish them. */
import { HeadwayError } from "../../plan/index.ts"

export type RoleScriptOptions = { database: string; schema?: string; writer?: string; reader?: string }

/**
 * To be run with psql by the owner of the tables, once they are there; running it again changes nothing. It sets no
 * passwords: `\password headway_writer` does that without showing one.
 */
export const roleScript = ({
  database,
  schema = "headway",
  writer = "headway_writer",
  reader = "headway_reader",
}: RoleScriptOptions): string => {
  const [base, tables, writes, reads] = [database, schema, writer, reader].map(quoted)
  return `-- Roles for Headway: ${writes} writes plans, ${reads} only reads them. Neither can change tables or other data.
${[writer, reader].map(newRole).join("\n")}
grant connect on database ${base} to ${writes}, ${reads};
grant usage on schema ${tables} to ${writes}, ${reads};
grant select on all tables in schema ${tables} to ${writes}, ${reads};
alter default privileges in schema ${tables} grant select on tables to ${writes}, ${reads};
-- Everything a writer changes, it changes through these functions, which run as their owner.
revoke execute on all functions in schema ${tables} from public;
grant execute on all functions in schema ${tables} to ${writes};
-- But not those that only these functions call: with them one could change how the entries of a plan are counted.
revoke execute on function ${tables}.begin_plan(uuid, text, text, bigint), ${tables}.make_room(bigint) from ${writes};
alter default privileges in schema ${tables} grant execute on functions to ${writes};
-- What goes wrong in one client does not hold up the others.
alter role ${writes} set statement_timeout = '60s';
alter role ${writes} set idle_in_transaction_session_timeout = '60s';
alter role ${writes} set lock_timeout = '30s';
alter role ${reads} set statement_timeout = '60s';
alter role ${reads} set default_transaction_read_only = on;
`
}

/** In SQL, whether a user has the rights of a writer. The mode of a transaction does not say that: a server may only read for a while. */
export const mayWriteIn = (schema: string): string =>
  `pg_catalog.has_function_privilege('${schema}.remove_plan(uuid, bigint, bigint)', 'execute')`

const newRole = (name: string): string =>
  `do $$ begin
  if not exists (select from pg_roles where rolname = ${literal(name)}) then create role ${quoted(name)} login; end if;
end $$;`

const quoted = (name: string): string => {
  if (name === "" || /[\p{Cc}\p{Cf}\p{Cs}$]/u.test(name) || name.length > 63)
    throw new HeadwayError(
      "invalid-name",
      "The name of a database, schema or role must be plain text of at most 63 characters.",
    )
  return `"${name.replaceAll('"', '""')}"`
}

const literal = (name: string): string => `'${name.replaceAll("'", "''")}'`
