/** Several questions to the one process that reads databases. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import Database from "libsql"
import { expect, onTestFinished, test } from "vitest"
import { createUnpacker } from "../../src/sessions/packed/unpack.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const databaseOf = (path: string, id: string): string => {
  const database = new Database(path)
  database.exec("create table session (id text)")
  database.prepare("insert into session values (?)").run(id)
  database.close()
  return path
}

const opened = () => {
  const unpacker = createUnpacker()
  onTestFinished(unpacker.close)
  const folder = temporaryFolder()
  const [one, other] = ["one", "other"].map((id) => databaseOf(join(folder, `${id}.db`), id))
  return {
    folder,
    one: one ?? "",
    other: other ?? "",
    idsIn: async (path: string) => (await unpacker.rows(path, { session: ["id"] })).session,
  }
}

test("each of two files that are asked for at once gets its own rows, and so does the next", async () => {
  const { one, other, idsIn } = opened()
  expect(await Promise.all([idsIn(one), idsIn(other)])).toEqual([[{ id: "one" }], [{ id: "other" }]])
  expect(await idsIn(one)).toEqual([{ id: "one" }])
})

test("a damaged file fails alone", async () => {
  const { folder, one, other, idsIn } = opened()
  const damaged = join(folder, "damaged.db")
  writeFileSync(damaged, "SQLite format 3\0 and nothing else".repeat(200))
  const asked = [idsIn(one), idsIn(damaged), idsIn(other)]
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  expect(await asked[2]).toEqual([{ id: "other" }])
})
