/** Every row of the table of stores keeps the contract. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { planFileName } from "../../src/home/paths/file-names.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { holdInMemory, openStore, type StoreName, stores } from "../../src/stores/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { createPostgresStore } from "../../src/stores/postgres/index.ts"
import { createRootStore } from "../../src/stores/root.ts"
import type { PlanKey, Store } from "../../src/stores/store.ts"
import { entryOf, type StoreCase, type StoreUnderTest, storeContract } from "../contracts/store.ts"
import { freshDatabase } from "./postgres/one-server.ts"
import { temporaryFolder } from "./temporary.ts"

let count = 0

/** Writes as a tracker does: the first entry says whose plan it is. */
const putter =
  (store: Store) =>
  async (key: PlanKey, contents: readonly string[]): Promise<void> => {
    count += 1
    await store.append(key, entryOf(`put-${count}`, contents, key))
  }

const opened = new Set<Store>()
afterAll(async () => {
  await Promise.all([...opened].map((store) => store.close()))
})

let database: Promise<string> | undefined

/** A schema of its own for each case: a database takes longer to make. */
const postgresUrl = async (): Promise<string> => {
  database ??= freshDatabase()
  count += 1
  return `${await database}?schema=case_${count}&connections=2`
}

const onlyRead = "another program's lists are only read"

const subjects: Record<StoreName, { open: () => Promise<StoreUnderTest>; skip?: Partial<Record<StoreCase, string>> }> =
  {
    memory: {
      open: async () => {
        const store = createMemoryStore()
        return { store, again: () => store, put: putter(store) }
      },
    },
    file: {
      open: async () => {
        const home = temporaryFolder()
        const store = createFileStore({ home })
        return { store, again: () => createFileStore({ home }), put: putter(store) }
      },
    },
    postgres: {
      open: async () => {
        const url = await postgresUrl()
        const again = (): Store => {
          const store = createPostgresStore({ url })
          opened.add(store)
          return store
        }
        const store = again()
        return { store, again, put: putter(store) }
      },
    },
    root: {
      open: async () => {
        const root = temporaryFolder()
        mkdirSync(join(root, "todos"))
        const put = async (key: PlanKey, contents: readonly string[]): Promise<void> => {
          const items = contents.map((content) => ({ content, status: "pending", activeForm: content }))
          writeFileSync(join(root, "todos", `${planFileName(key)}.json`), JSON.stringify(items))
        }
        const store = createRootStore({ root })
        return { store, again: () => createRootStore({ root }), put }
      },
      skip: {
        "entries are loaded in the order of appending": onlyRead,
        "every field of an entry survives": onlyRead,
        "what the caller does to an entry later changes nothing": onlyRead,
        "loading from a cursor gives only what is new": onlyRead,
        "appending returns all that came after a cursor, the entry included": onlyRead,
        "appenders at the same time lose nothing, and readers agree on the order": onlyRead,
        "a listing is of what is asked for, the newest first": "its lists name no project; see root.test.ts",
        "a position is another one after every change": onlyRead,
        "a listing goes by the summary it was given, until the log has more": onlyRead,
        "a removed plan is gone and can be begun again": onlyRead,
        "an entry for a log that another writer has begun anew is written, and the whole log is read": onlyRead,
        "a sweep that takes the plan restarts its readers": onlyRead,
        "a watcher hears of a plan that is removed": onlyRead,
        "an entry for a log that was removed meanwhile is not written, and the result says so": onlyRead,
        "a sweep removes what a condition holds for, and nothing else": onlyRead,
        "a sweep is told the position of each plan": onlyRead,
        "a sweep asks again right before a plan goes, and what was written meanwhile stays": onlyRead,
        "hostile ids never clash and stay apart": "ids too long for a file name are known only to who wrote them",
        "a watcher hears whose plan changed, until it stops": "the same, for its long id; see root.test.ts",
      },
    },
  }

for (const [name, { open, skip }] of Object.entries(subjects)) storeContract(name, open, skip)

storeContract(
  "file, held in memory when it is full",
  async () => {
    const home = temporaryFolder()
    const store = holdInMemory(createFileStore({ home }))
    return { store, again: () => holdInMemory(createFileStore({ home })), put: putter(store) }
  },
  {
    "a sweep asks again right before a plan goes, and what was written meanwhile stays":
      "its writes wait for their turn",
  },
)

describe("the table of stores", () => {
  test("every row is opened by its URL", async () => {
    const home = temporaryFolder()
    expect(Object.keys(stores).toSorted()).toEqual(Object.keys(subjects).toSorted())
    expect((await openStore("memory:")).name).toBe("memory:")
    expect((await openStore("file:", { home })).name).toBe(`file:${home}`)
    expect((await openStore(`file:${home}/x`)).name).toBe(`file:${home}/x`)
    expect((await openStore(`file://${home}/x`)).name).toBe(`file:${home}/x`)
    expect((await openStore(`root:${home}`)).name).toBe(`root:${home}`)
    expect((await openStore("postgres://ada:secret@db.example/plans")).name).toBe(
      "postgres://ada@db.example:5432/plans",
    )
    expect((await openStore("postgresql://ada@db.example/plans")).name).toBe("postgres://ada@db.example:5432/plans")
  })

  test("a URL that is not a store is refused with the known URLs", async () => {
    await expect(openStore("redis://x")).rejects.toThrow(
      /file:\[FOLDER\], root:FOLDER, memory:, postgres:\/\/USER@HOST\/DATABASE/,
    )
    await expect(openStore("postgrs://ada:secret@x/y")).rejects.toThrow('"postgrs://ada@x/y" is not a store')
    await expect(openStore("constructor:")).rejects.toThrow("is not a store")
    await expect(openStore("")).rejects.toThrow("is not a store")
    await expect(openStore("file:")).rejects.toThrow("needs a folder")
  })
})
