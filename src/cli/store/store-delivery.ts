/** Delivers what waits for a database: when a person asks for it, and before its plans are copied or another store is used. */
import { loadSettings } from "../../home/settings.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { type Delivered, deliverWaiting } from "../../stores/delivered/deliver-waiting.ts"
import { folderOf } from "../../stores/delivered/open-delivered.ts"
import { waitingText } from "../../stores/delivered/waiting-stores.ts"
import { isElsewhere, waitingForOthers } from "../../stores/index.ts"
import type { Context } from "../command.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { homeOf, urlOf } from "../place/place.ts"
import { assertElsewhere, changes, storeName } from "./store-places.ts"

/** For the changes that are left where they are when the store is changed. */
export const leaveOption = {
  type: "boolean",
  about: "use: change the store although changes wait for the old one, and leave them in their folder",
} as const

/** For the changes that were written for another address. Only the person knows whether the same database is at both. */
export const fromOption = {
  type: "string",
  value: "STORE",
  about: "deliver: deliver what waits for this earlier address of the same database",
} as const

export const storeDeliver = async (context: Context<{ from: typeof fromOption }>): Promise<number> => {
  const { io, values } = context
  const url = urlOf(context)
  assertElsewhere(url, "Changes are delivered to a database only")
  const { from } = values
  if (from !== undefined) assertElsewhere(from, "has changes waiting for it")
  const own = await deliverTo(context, url, from === undefined ? undefined : folderOf(from, homeOf(context)).path)
  const { delivered } = own
  const others = await waitingForOthers(url, homeOf(context))
  const left = [own].filter(({ undelivered }) => undelivered > 0)
  const store = storeName(context, url)
  if (values.json) io.out(printJson({ store, delivered, left, waiting: others }))
  else {
    io.out(`${changes(delivered)} delivered to ${sanitise(store)}\n`)
    for (const one of left) say(io, leftText(one))
    for (const one of others) if (one.folder !== own.folder) say(io, `waiting: ${waitingText(one)}`)
  }
  return own.undelivered > 0 ? 1 : 0
}

const deliverTo = (context: Context, url: string, folder?: string): Promise<Delivered> => {
  const home = homeOf(context)
  return deliverWaiting(folder ?? folderOf(url, home).path, url, { home, now: context.io.now })
}

/** What still waits for the source of a copy, and is not in it. */
export const deliverBeforeCopy = async (context: Context, from: string): Promise<Delivered | undefined> => {
  if (!isElsewhere(from)) return undefined
  const delivered = await deliverTo(context, from)
  return delivered.undelivered > 0 ? delivered : undefined
}

/** Throws if changes wait for the store that would no longer be used, unless they are to be left. */
export const leaveStore = async (
  context: Context<{ "leave-waiting": typeof leaveOption }>,
  to: string,
): Promise<void> => {
  const { io, values } = context
  const home = homeOf(context)
  const from = loadSettings(home).store
  const folder = isElsewhere(from) ? folderIfValid(from, home) : undefined
  if (folder === undefined || (isElsewhere(to) && folderOf(to, home).path === folder)) return
  const own = await deliverTo(context, from, folder)
  const { delivered, undelivered } = own
  const store = storeName(context, from)
  if (delivered > 0) say(io, `${changes(delivered)} delivered that waited for ${store}`)
  if (undelivered === 0) return
  const left = leftText(own)
  const then = `they stay there until "headway store deliver --store ${store}" delivers them.`
  const moved = isElsewhere(to)
    ? ` If the same database is at the new address, "headway store deliver --from ${store}" then delivers them there.`
    : ""
  if (!values["leave-waiting"])
    throw new HeadwayError(
      "undelivered",
      `The store was not changed. ${left} Try again later, or give --leave-waiting: ${then}${moved}`,
    )
  say(io, `${left} With --leave-waiting ${then}${moved}`)
}

/** A setting that is not a URL has no folder, and is replaced. */
const folderIfValid = (url: string, home: string): string | undefined => {
  try {
    return folderOf(url, home).path
  } catch {
    return undefined
  }
}

export const leftText = ({ undelivered, folder, why }: Delivered): string =>
  `${undelivered === 1 ? "1 change waits" : `${undelivered} changes wait`} in ${folder}, not delivered${why === undefined ? "." : `: ${why}`}`
