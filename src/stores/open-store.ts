/**
 * The table of stores, one row each. A store's modules are loaded when it is opened, so that importing the library
 * loads none of them.
 */
import { HeadwayError } from "../plan/index.ts"
import type { DeliveredOptions } from "./delivered/delivered-store.ts"
import type { ProjectOptions } from "./file/index.ts"
import { createMemoryStore } from "./memory.ts"
import { shownUrl } from "./shown-url.ts"
import type { Store } from "./store.ts"

export type OpenOptions = {
  /** Where `file:` without a folder lives. */
  home?: string
  /** The home is a folder in a repository. */
  project?: ProjectOptions
  /** Keep changes for a remote store in the home first, and deliver them when it is reachable. @default false */
  delivery?: DeliveryOptions
}

export type DeliveryOptions = Pick<DeliveredOptions, "now" | "writer" | "stays" | "staysAfter" | "isGlance"> & {
  /** The person's home, even if plans are kept in a repository. */
  person: string
}

type StoreRow = {
  /** How a `--store` value for this store looks. */
  url: string
  about: string
  /** It may be on another machine: its plans are then kept in the home as well. */
  isElsewhere?: true
  open: (url: string, options: Required<Pick<OpenOptions, "home">> & OpenOptions) => Promise<Store>
}

export const stores = {
  file: {
    url: "file:[FOLDER]",
    about: "Files in Headway's home: a journal per plan and the published list.",
    open: async (url, { home, project }): Promise<Store> => {
      const folder = folderIn(url)
      const { createFileStore } = await import("./file/index.ts")
      return createFileStore({ home: folder || home, ...(folder || !project ? {} : { project }) })
    },
  },
  root: {
    url: "root:FOLDER",
    about: "Another program's lists under a folder, read-only.",
    open: async (url) => {
      const { createRootStore } = await import("./root.ts")
      return createRootStore({ root: url.slice("root:".length) })
    },
  },
  memory: {
    url: "memory:",
    about: "Nothing is kept when the process ends.",
    open: async () => createMemoryStore(),
  },
  postgres: {
    url: "postgres://USER@HOST/DATABASE",
    about: "A PostgreSQL database that a whole team shares.",
    isElsewhere: true,
    open: async (url, { delivery }) => {
      const open = async () => (await loadPostgres()).createPostgresStore({ url })
      if (!delivery) return open()
      const { openDelivered } = await import("./delivered/open-delivered.ts")
      return openDelivered(url, open, delivery)
    },
  },
} as const satisfies Record<string, StoreRow>

export type StoreName = keyof typeof stores

/** Opens the store a URL names. */
export const openStore = async (url: string, options: OpenOptions = {}): Promise<Store> => {
  const name = nameIn(url)
  if (url === "file:" && options.home === undefined) {
    throw new HeadwayError("unknown-store", `"file:" needs a folder: file:FOLDER, or a home.`)
  }
  if (Object.hasOwn(stores, name)) return stores[name as StoreName].open(url, { home: "", ...options })
  const known = Object.values(stores).map((row) => row.url)
  throw new HeadwayError("unknown-store", `"${shownUrl(url)}" is not a store. Use one of: ${known.join(", ")}.`)
}

/** Whether a store may be on another machine. */
export const isElsewhere = (url: string): boolean => {
  const name = nameIn(url)
  const row: StoreRow | undefined = Object.hasOwn(stores, name) ? stores[name as StoreName] : undefined
  return row?.isElsewhere === true
}

/** The folder in a `file:` URL, or an empty string. */
export const folderIn = (url: string): string => url.replace(/^file:(?:\/\/)?/, "")

export const nameIn = (url: string): string => {
  const scheme = /^([a-z]+):/.exec(url)?.[1] ?? ""
  return scheme === "postgresql" ? "postgres" : scheme
}

/** Its driver is an optional peer of the library, and part of the command. */
const loadPostgres = async () => {
  try {
    return await import("./postgres/index.ts")
  } catch (cause) {
    const { code, message = "" } = cause as { code?: string; message?: string }
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes("'postgres'")) throw cause
    const text =
      "A store in PostgreSQL needs the package postgres, which is not installed. Install it: npm install postgres"
    throw new HeadwayError("missing-package", text, { cause })
  }
}

export { type HoldOptions, holdInMemory } from "./_hold-in-memory.ts"
