/** Functions and schemas that another user of the database made are not used in place of PostgreSQL's and Headway's. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import postgres from "postgres"
import { expect, test } from "vitest"
import { createPostgresStore, inspectDatabase, migrateDatabase } from "../../../src/stores/postgres/index.ts"
import { entryOf } from "../../contracts/store.ts"
import { freshDatabase } from "./one-server.ts"

/** Each fits the arguments of one of Headway's statements better than the function of PostgreSQL does. */
const planted = ["concat_ws(text, text, text) returns text", "pg_total_relation_size(oid) returns bigint"]

test("a function that another user put into the search path is not called", async () => {
  const url = await freshDatabase()
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const store = createPostgresStore({ url })
  try {
    for (const signature of planted) {
      const body = "begin raise exception 'a function of another user was called'; end"
      await sql.unsafe(`create function public.${signature} language plpgsql as $$ ${body} $$`)
    }
    for (const session of ["one", "two"]) {
      await store.append({ session, agent: "main" }, entryOf(session, []), undefined)
      expect((await store.list()).plans.length).toBeGreaterThan(0)
    }
    expect(await inspectDatabase(url)).toMatchObject({ plans: 2, isWriter: true })
  } finally {
    await store.close()
    await sql.end()
  }
})

test("every statement of the client names PostgreSQL's functions in full", () => {
  const folder = "src/stores/postgres"
  // Functions of the schema have a search path of their own; the script of roles is read by a person first.
  const files = readdirSync(folder).filter((name) => !["schema.ts", "roles.ts"].includes(name))
  const sqlIn = (text: string): string[] =>
    [...text.matchAll(/[`"](?:select|with|insert|update|case) [^`]*?[`"]/g)].map(([one]) => one)
  const called = files.flatMap((name) =>
    sqlIn(readFileSync(join(folder, name), "utf8")).flatMap((statement) =>
      [...statement.matchAll(/(?<![.\w"}])([a-z_]+)\(/g)].map(([, word]) => `${name}: ${word}`),
    ),
  )
  const keywords =
    /: (?:coalesce|least|any|exists|lateral|in|over|filter|values|select|as|from|and|or|not|when|then|else|on|c|b|a|e)$/
  expect(called.filter((one) => !keywords.test(one))).toEqual([])
})

test("tables are not made in a schema of another user, who could replace the functions in it", async () => {
  const url = await freshDatabase()
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe("create role mallory; create schema headway authorization mallory")
    await expect(migrateDatabase(url)).rejects.toMatchObject({
      code: "foreign-schema",
      message: expect.stringContaining("belongs to mallory"),
    })
    const [{ count } = { count: 1 }] = await sql.unsafe(
      "select count(*)::int as count from pg_class where relnamespace = 'headway'::regnamespace",
    )
    expect(count).toBe(0)
  } finally {
    await sql.unsafe("drop schema headway; drop role mallory")
    await sql.end()
  }
})
