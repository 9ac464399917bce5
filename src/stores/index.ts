/** The table of stores: one row each. Those that need more than files load what they need when they are opened. */
import { HeadwayError } from "../plan/index.ts"
import { createFileStore, type ProjectOptions } from "./file.ts"
import { createMemoryStore } from "./memory.ts"
import { createRootStore } from "./root.ts"
import type { Store } from "./store.ts"

export type OpenOptions = {
  /** Where `file:` without a folder lives. */
  home?: string
  /** The home is a folder in a repository. */
  project?: ProjectOptions
}

type StoreRow = {
  /** How a `--store` value for this store looks. */
  url: string
  about: string
  open: (url: string, options: Required<Pick<OpenOptions, "home">> & OpenOptions) => Promise<Store>
}

export const stores = {
  file: {
    url: "file:[FOLDER]",
    about: "Files in Headway's home: a journal per plan and the published list.",
    open: async (url, { home, project }) => {
      const folder = url.replace(/^file:(?:\/\/)?/, "")
      return createFileStore({ home: folder || home, ...(folder || !project ? {} : { project }) })
    },
  },
  root: {
    url: "root:FOLDER",
    about: "Another program's lists under a folder, read-only.",
    open: async (url) => createRootStore({ root: url.slice("root:".length) }),
  },
  memory: {
    url: "memory:",
    about: "Nothing is kept when the process ends.",
    open: async () => createMemoryStore(),
  },
} as const satisfies Record<string, StoreRow>

export type StoreName = keyof typeof stores

/** Opens the store a URL names. */
export const openStore = async (url: string, options: OpenOptions = {}): Promise<Store> => {
  const name = /^([a-z]+):/.exec(url)?.[1] ?? ""
  if (url === "file:" && options.home === undefined) {
    throw new HeadwayError("unknown-store", `"file:" needs a folder: file:FOLDER, or a home.`)
  }
  if (Object.hasOwn(stores, name)) return stores[name as StoreName].open(url, { home: "", ...options })
  const known = Object.values(stores).map((row) => row.url)
  throw new HeadwayError("unknown-store", `"${url}" names no store. Use one of: ${known.join(", ")}.`)
}

export { createErrorSink, type ErrorSink, type ErrorSinkOptions } from "../home/error-log.ts"
export { defaultSettings, loadSettings, type Settings, saveSettings } from "../home/settings.ts"
export type { Cursor, Loaded, PlanKey, PlanSummary, Snapshot, Store } from "./store.ts"
