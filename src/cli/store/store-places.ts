/** The store of a command, opened directly, without a local copy in the home. */
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { HeadwayError } from "../../plan/headway-error.ts"
import { isElsewhere, openStore, shownUrl } from "../../stores/index.ts"
import { readAddress } from "../../stores/postgres/address.ts"
import type { Store } from "../../stores/store.ts"
import type { Context } from "../command.ts"
import { folderNamed, placeOf, repositoryAround, repositoryStoreOf, urlOf } from "../place/place.ts"

/** As `--store`, the environment or the settings say. What came with a repository is not the person's here either. */
export const openPlainly = async (context: Context, url: string = urlOf(context)): Promise<Store> => {
  const { plans, isReadOnly, isInProject } = placeOf(context)
  if (isReadOnly && url === "file:")
    throw new HeadwayError("not-trusted", `${plans} came with this repository. Use it with "headway project trust".`)
  const folder = folderNamed(context, url)
  const around = folder === undefined ? undefined : repositoryAround(context, folder)
  const repository = url === "file:" && isInProject ? dirname(plans) : around
  if (repository !== undefined) return repositoryStoreOf(context, repository)
  return context.opened.store(`plainly ${url}`, () => openStore(resolved(context, url), { home: plans }))
}

const resolved = (context: Context, url: string): string => {
  const folder = folderNamed(context, url)
  return folder === undefined ? url : `file:${folder}`
}

/** The name of the store, without a password. */
export const storeName = (context: Context, url: string): string => {
  if (isElsewhere(url)) return readAddress(url).name
  return url === "file:" ? `file:${placeOf(context).plans}` : shownUrl(resolved(context, url))
}

export const assertThere = (context: Context, url: string): void => {
  const folder = folderNamed(context, url)
  if (folder !== undefined && !existsSync(folder)) throw new HeadwayError("no-store", `There is no folder ${folder}.`)
}

/** `what` is a sentence about databases. */
export const assertElsewhere = (url: string, what: string): void => {
  if (!isElsewhere(url)) throw new HeadwayError("usage", `${what}: give --store postgres://USER@HOST/DATABASE.`)
}

export const changes = (count: number): string => (count === 1 ? "1 change" : `${count} changes`)

export const passwordText =
  "The password was not saved. Put it into ~/.pgpass (HOST:PORT:DATABASE:USER:PASSWORD, readable by you alone) or PGPASSWORD."
