/** Delivers what waits for a database: when a person asks for it, and before its plans are copied or another store is used. */
import { loadSettings } from "../../home/settings.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { type Delivered, deliverWaiting } from "../../stores/delivered/deliver-waiting.ts"
import { folderOf } from "../../stores/delivered/open-delivered.ts"
import { isElsewhere, waitingForOthers } from "../../stores/index.ts"
import type { Context } from "../command.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { homeOf, urlOf } from "../place.ts"
import { assertElsewhere, changes, storeName } from "./store-places.ts"

/** For the changes that are left where they are when the store is changed. */
export const leaveOption = {
  type: "boolean",
  about: "use: change the store although changes wait for the old one, and leave them in their folder",
} as const

export const storeDeliver = async (context: Context): Promise<number> => {
  const { io, values } = context
  const url = urlOf(context)
  assertElsewhere(url, "has changes delivered to it")
  const own = await deliverTo(context, url)
  const others: Delivered[] = []
  for (const { folder } of own.undelivered > 0 ? [] : await waitingForOthers(url, homeOf(context)))
    others.push(await deliverTo(context, url, folder))
  const delivered = [own, ...others].reduce((sum, one) => sum + one.delivered, 0)
  const left = [own, ...others].filter(({ undelivered }) => undelivered > 0)
  const store = storeName(context, url)
  if (values.json) io.out(printJson({ store, delivered, left }))
  else {
    io.out(`${changes(delivered)} delivered to ${sanitise(store)}\n`)
    for (const one of left) say(io, leftText(one))
  }
  return own.undelivered > 0 ? 1 : 0
}

/** Where the same database has another address now, changes for the old one are delivered there. */
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
  const other = own.undelivered > 0 && isElsewhere(to) ? await deliverTo(context, to, folder) : undefined
  const delivered = own.delivered + (other?.delivered ?? 0)
  const { undelivered } = other ?? own
  const store = storeName(context, from)
  if (delivered > 0) say(io, `${changes(delivered)} delivered that waited for ${store}`)
  if (undelivered === 0) return
  const left = leftText({ ...own, undelivered })
  const then = `they stay there until "headway store deliver --store ${store}" delivers them.`
  if (!values["leave-waiting"])
    throw new HeadwayError(
      "undelivered",
      `The store was not changed. ${left} Try again later, or give --leave-waiting: ${then}`,
    )
  say(io, `${left} With --leave-waiting ${then}`)
}

/** A setting that is no URL has no folder, and is replaced. */
const folderIfValid = (url: string, home: string): string | undefined => {
  try {
    return folderOf(url, home).path
  } catch {
    return undefined
  }
}

export const leftText = ({ undelivered, folder, why }: Delivered): string =>
  `${undelivered === 1 ? "1 change waits" : `${undelivered} changes wait`} in ${folder}, not delivered${why === undefined ? "." : `: ${why}`}`
