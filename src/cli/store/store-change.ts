/** Prepares a store: its tables, its roles, and the setting that makes all commands use it. */
import { forgetAllKept } from "../../home/notes/aside.ts"
import { saveSettings } from "../../home/settings.ts"
import { HeadwayError, messageOf } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { isElsewhere, shownUrl } from "../../stores/index.ts"
import { readAddress } from "../../stores/postgres/address.ts"
import type { Context } from "../command.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { homeOf, urlOf } from "../place/place.ts"
import { type leaveOption, leaveStore } from "./store-delivery.ts"
import { assertElsewhere, passwordText, storeName } from "./store-places.ts"

export const storeMigrate = async (context: Context): Promise<number> => {
  const { io, values } = context
  const url = urlOf(context)
  assertElsewhere(url, "Only a database has tables")
  const { migrateDatabase } = await import("../../stores/postgres/index.ts")
  const { from, to } = await migrateDatabase(url)
  const store = storeName(context, url)
  if (values.json) io.out(printJson({ store, from, to }))
  else if (from === to) io.out(`${sanitise(store)} already has schema ${to}\n`)
  else io.out(`${sanitise(store)} has schema ${to} now${from > 0 ? `, it had ${from}` : ""}\n`)
  return 0
}

export const storeRoles = async (context: Context): Promise<number> => {
  const { io, values } = context
  const url = urlOf(context)
  assertElsewhere(url, "Only a database has roles")
  const { roleScript } = await import("../../stores/postgres/index.ts")
  const { database, schema } = readAddress(url)
  const script = roleScript({ database, schema })
  io.out(values.json ? printJson({ store: storeName(context, url), script }) : script)
  return 0
}

export const storeUse = async (context: Context<{ "leave-waiting": typeof leaveOption }>): Promise<number> => {
  const { io, values, words } = context
  const [, url] = words
  if (!url) throw new HeadwayError("usage", "use needs a store: headway store use postgres://USER@HOST/DATABASE")
  if (!isElsewhere(url) && url !== "file:")
    throw new HeadwayError("usage", 'A store to use is postgres://USER@HOST/DATABASE, or "file:" for your home.')
  const store = storeName(context, url)
  const kept = shownUrl(url)
  await leaveStore(context, url)
  saveSettings(homeOf(context), { store: kept })
  forgetAllKept(homeOf(context))
  if (values.json) io.out(printJson({ store }))
  else io.out(`plans are kept in ${sanitise(store)} from now on\n`)
  if (kept !== url) say(io, passwordText)
  const why = isElsewhere(url) ? await whyUnusable(url) : undefined
  if (why !== undefined) say(io, `It cannot be used right now: ${why} Until it can, changes are kept in your home.`)
  return 0
}

/** A mistyped address is noticed best while it is in view. */
const whyUnusable = async (url: string): Promise<string | undefined> => {
  const { inspectDatabase } = await import("../../stores/postgres/index.ts")
  return inspectDatabase(url).then(() => undefined, messageOf)
}
