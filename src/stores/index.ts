/** The table of stores: one row each. Those that need more than files load what they need when they are opened. */
import { resolve } from "node:path"
import { HeadwayError, type PlanKey } from "../plan/index.ts"
import { journalInHome, journalPosition } from "./_position.ts"
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
      const folder = folderIn(url)
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

/** The folder a `file:` URL names; empty where it names none. */
const folderIn = (url: string): string => url.replace(/^file:(?:\/\/)?/, "")

const nameIn = (url: string): string => /^([a-z]+):/.exec(url)?.[1] ?? ""

/** Names where a store keeps its plans, so that two commands can tell whether they look at the same. */
export const placeIn = ({ url, home }: { url: string; home: string }): string =>
  nameIn(url) === "file" ? resolve(folderIn(url) || home) : url

/** Ways to a position that need nothing else of the store, for those stores that have one. */
const quickPositions: Partial<Record<string, (url: string, home: string, key: PlanKey) => string | undefined>> = {
  file: (url, home, key) => journalPosition(journalInHome(folderIn(url) || home, key)),
}

/** The position of a plan, as `Store.position` says it. The store is opened only where there is no quicker way. */
export const positionIn = async (
  { url, home, key }: { url: string; home: string; key: PlanKey },
  open: () => Promise<Store>,
): Promise<string | undefined> => {
  const quick = quickPositions[nameIn(url)]
  return quick ? quick(url, home, key) : (await open()).position(key)
}

/** The file of a plan's journal, or where it will be; undefined for a store that does not keep it in the home. */
export const journalIn = ({ url, home, key }: { url: string; home: string; key: PlanKey }): string | undefined =>
  url === "file:" ? journalInHome(home, key) : undefined

/** Opens the store a URL names. */
export const openStore = async (url: string, options: OpenOptions = {}): Promise<Store> => {
  const name = nameIn(url)
  if (url === "file:" && options.home === undefined) {
    throw new HeadwayError("unknown-store", `"file:" needs a folder: file:FOLDER, or a home.`)
  }
  if (Object.hasOwn(stores, name)) return stores[name as StoreName].open(url, { home: "", ...options })
  const known = Object.values(stores).map((row) => row.url)
  throw new HeadwayError("unknown-store", `"${url}" is not a store. Use one of: ${known.join(", ")}.`)
}

export { createErrorSink, type ErrorSink, type ErrorSinkOptions } from "../home/error-log.ts"
export { defaultSettings, loadSettings, offersList, type Settings, saveSettings } from "../home/settings.ts"
export { type HoldOptions, holdInMemory } from "./_hold-in-memory.ts"
export type { Cursor, Loaded, PlanFilter, PlanKey, PlanSummary, Snapshot, Store } from "./store.ts"
export { selectPlans, summarise } from "./store.ts"
