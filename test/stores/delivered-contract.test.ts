/** A store elsewhere, with the changes kept here first, keeps the contract of every store: on one machine and on two. */
import { join } from "node:path"
import { afterAll } from "vitest"
import { createDeliveredStore } from "../../src/stores/delivered/delivered-store.ts"
import { foldersIn } from "../../src/stores/delivered/folder.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { createPostgresStore } from "../../src/stores/postgres/index.ts"
import type { PlanKey, Store } from "../../src/stores/store.ts"
import { entryOf, storeContract } from "../contracts/store.ts"
import { freshDatabase } from "./postgres/one-server.ts"
import { temporaryFolder } from "./temporary.ts"

let count = 0

const putter =
  (store: Store) =>
  async (key: PlanKey, contents: readonly string[]): Promise<void> => {
    count += 1
    await store.append(key, entryOf(`put-${count}`, contents, key))
  }

const deliveredIn = (home: string, remote: Store) =>
  createDeliveredStore({
    name: "elsewhere",
    folder: foldersIn(join(home, "stores", "elsewhere")),
    person: home,
    open: async () => remote,
    // A machine that is busy is not a store that does not answer.
    timeout: 20_000,
  })

const later = "what is written here meanwhile is delivered later, and begins the plan again"

storeContract(
  "delivered, on one machine",
  async () => {
    const [home, remote] = [temporaryFolder(), createMemoryStore()]
    const store = deliveredIn(home, remote)
    const put = async (key: PlanKey, contents: readonly string[]): Promise<void> => {
      await putter(store)(key, contents)
      // Delivery moves an entry from one log to the other, and with it the position.
      await store.deliver()
    }
    return { store, again: () => deliveredIn(home, remote), put }
  },
  { "a sweep asks again right before a plan goes, and what was written meanwhile stays": later },
)

/** Every look asks, and every change is delivered before the next: as two persons who take turns see it. */
const inStep = (store: ReturnType<typeof deliveredIn>): Store => ({
  ...store,
  async append(key, entry, from) {
    const loaded = await store.append(key, entry, from)
    await store.deliver()
    return loaded.entries.length > 0 ? store.load(key, from) : loaded
  },
})

let database: Promise<string> | undefined
const opened = new Set<Store>()
afterAll(async () => {
  await Promise.all([...opened].map((store) => store.close()))
})

/** A schema of its own for each case: a database takes longer to make. */
const inDatabase = async (): Promise<() => Promise<Store>> => {
  database ??= freshDatabase()
  count += 1
  const url = `${await database}?schema=case_${count}&connections=2`
  return async () => createPostgresStore({ url })
}

storeContract(
  "delivered to PostgreSQL, on two machines in step",
  async () => {
    const connect = await inDatabase()
    const open = () => {
      const home = temporaryFolder()
      const store = createDeliveredStore({
        name: "elsewhere",
        folder: foldersIn(join(home, "stores", "elsewhere")),
        person: home,
        open: connect,
        againAfter: 0,
        timeout: 20_000,
      })
      opened.add(store)
      return inStep(store)
    }
    const store = open()
    return { store, again: open, put: putter(store) }
  },
  {
    "a sweep asks again right before a plan goes, and what was written meanwhile stays": later,
    "a position is another one after every change": "a position is compared on one machine",
  },
)
