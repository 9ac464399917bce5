/** What somebody who may do everything changed in the tables by hand, and what a check says about it. */
import postgres, { type Sql } from "postgres"
import { expect, test } from "vitest"
import { createFold } from "../../../src/plan/index.ts"
import { createPostgresStore } from "../../../src/stores/postgres/index.ts"
import { runCli } from "../../cli/run-cli.ts"
import { temporaryFolder } from "../temporary.ts"
import { freshDatabase } from "./one-server.ts"

const planOf = (session: string) => `(select id from headway.plans where session = '${session}')`

/** By session, what is done to its plan, and what the check says. Each log has five entries. */
const damages: Record<string, { sql: (session: string) => string[]; says: string | RegExp }> = {
  middle: {
    sql: (one) => [`delete from headway.entries where plan = ${planOf(one)} and seq = 3`],
    says: /1 entry .*missing: they were removed from the table by hand/,
  },
  end: {
    sql: (one) => [`delete from headway.entries where plan = ${planOf(one)} and seq >= 4`],
    says: "2 entries at the end of its log are missing",
  },
  counter: {
    sql: (one) => [
      `update headway.plans set last = 3 where session = '${one}'`,
      `update headway.summaries set seq = 3 where plan = ${planOf(one)}`,
    ],
    says: "its counter was changed by hand: it leaves out 2 entries",
  },
  key: {
    sql: (one) => [`update headway.plans set key = gen_random_uuid() where session = '${one}'`],
    says: "its key was changed by hand, so that it is not found by its session",
  },
  digest: {
    sql: (one) => [`update headway.entries set id = gen_random_uuid() where plan = ${planOf(one)} and seq = 2`],
    says: "1 entry of its log was replaced by hand: the id is not that of the row",
  },
  bodies: {
    sql: (one) => [
      `update headway.entries e set entry = o.entry from headway.entries o
       where e.plan = ${planOf(one)} and o.plan = e.plan and e.seq in (2, 3) and o.seq = 5 - e.seq`,
    ],
    says: "2 entries of its log were replaced by hand: the id is not that of the row",
  },
  order: {
    sql: (one) => [
      `update headway.entries set seq = -seq where plan = ${planOf(one)} and seq in (3, 5)`,
      `update headway.entries set seq = 8 + seq where plan = ${planOf(one)} and seq < 0`,
    ],
    says: "the order of its log was changed by hand: what follows from 1 entry comes before",
  },
  opening: {
    sql: (one) => [
      `update headway.entries set seq = -seq where plan = ${planOf(one)} and seq in (1, 2)`,
      `update headway.entries set seq = 3 + seq where plan = ${planOf(one)} and seq < 0`,
    ],
    says: "the order of its log was changed by hand: what follows from 1 entry comes before",
  },
  listing: {
    sql: (one) => [
      `update headway.summaries set summary = replace(summary, 'Writing', 'Stealing') where plan = ${planOf(one)}`,
    ],
    says: "the listing does not match its log",
  },
  state: {
    sql: (one) => [
      `update headway.snapshots set state = replace(state, '"Write"', '"Steal"') where plan = ${planOf(one)}`,
    ],
    says: "the folded state that is kept with it does not match its log",
  },
}

test("a check names each plan that was changed by hand, and no other", { timeout: 120_000 }, async () => {
  const url = `${await freshDatabase()}?connect_timeout=30`
  const home = temporaryFolder()
  const run = (words: readonly string[], input = "") => runCli([...words, "--store", url], { home, input })
  const input = '{"todos":[{"content":"Read","status":"completed"},{"content":"Write","status":"in_progress"}]}'
  const sessions = [...Object.keys(damages), "whole", "gone"]
  for (const session of sessions) {
    await run(["write", "--new", "--session", session], input)
    for (const words of [
      ["todo", "add", "Ask Ada"],
      ["todo", "rm", "Ask Ada"],
      ["todo", "note", "1", "n"],
    ])
      await run([...words, "--session", session])
    const { entry } = JSON.parse((await run(["history", "--session", session, "--json"])).out).entries.at(-2) ?? {}
    await run(["todo", "undo", ...(entry === undefined ? [] : [entry]), "--session", session])
  }
  const store = createPostgresStore({ url })
  for (const session of sessions) {
    const key = { session, agent: "main" }
    const { entries, cursor } = await store.load(key)
    const fold = createFold()
    for (const entry of entries) fold.add(entry)
    expect(entries).toHaveLength(5)
    await store.writeSnapshot?.(key, { cursor, state: fold.snapshot() })
  }
  await store.close()
  expect(await run(["store", "check"])).toMatchObject({ code: 0, out: "" })
  const sql: Sql = postgres(url, { max: 1, onnotice: () => {} })
  for (const [session, { sql: statements }] of Object.entries(damages))
    for (const statement of statements(session)) await sql.unsafe(statement)
  await sql.unsafe("delete from headway.plans where session = 'gone'")
  await sql.end()
  const { code, out } = await run(["store", "check", "--json"])
  const { problems, found } = JSON.parse(out) as {
    problems: string[]
    found: { session: string; problem: string }[]
  }
  expect(code).toBe(1)
  expect(problems).toContain("5 entries of the database belong to no plan: the row of their plan was removed by hand.")
  for (const [session, { says }] of Object.entries(damages)) {
    const own = found.filter((one) => one.session === session).map(({ problem }) => problem)
    expect([session, own]).toEqual([session, expect.arrayContaining([expect.stringMatching(says)])])
  }
  expect(found.filter(({ session }) => session === "whole")).toEqual([])
})
