/** The table of stores: one row each, loaded only when it is asked for. */
import { HeadwayError } from "../plan/index.ts"
import type { Store } from "./store.ts"

type StoreRow = {
  /** How a `--store` value for this store looks. */
  url: string
  about: string
  open: (url: string, options: { home: string }) => Promise<Store>
}

export const stores = {
  file: {
    url: "file:[FOLDER]",
    about: "Files in Headway's home: a journal per plan and the published list.",
    open: async (url, { home }) =>
      (await import("./file.ts")).createFileStore({ home: url.replace(/^file:(?:\/\/)?/, "") || home }),
  },
  memory: {
    url: "memory:",
    about: "Nothing is kept when the process ends.",
    open: async () => (await import("./memory.ts")).createMemoryStore(),
  },
} as const satisfies Record<string, StoreRow>

export type StoreName = keyof typeof stores

/** Opens the store a URL names; `home` is where `file:` without a folder lives. */
export const openStore = async (url: string, options: { home: string }): Promise<Store> => {
  const name = /^([a-z]+):/.exec(url)?.[1] ?? ""
  if (Object.hasOwn(stores, name)) return stores[name as StoreName].open(url, options)
  const known = Object.values(stores).map((row) => row.url)
  throw new HeadwayError("unknown-store", `"${url}" names no store. Use one of: ${known.join(", ")}.`)
}

export type { Cursor, Loaded, PlanKey, PlanSummary, Snapshot, Store } from "./store.ts"
