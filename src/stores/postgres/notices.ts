/**
 * Notifies others of changed plans after the change is durable, in a separate transaction: a notification in the same
 * transaction would serialise all commits of the database.
 */
import type { PlanKey } from "../store.ts"
import type { Database } from "./database.ts"
import { keyDigest } from "./keys.ts"

/** Characters of a notification, which the database limits to 8,000 bytes. */
const longest = 2_000
/** Milliseconds within which changes are sent together. */
const pause = 25
/** Milliseconds before the first: what its writer asks next goes first, so that the two need no second connection. */
const beforeFirst = 2

export type Notices = { add(key: PlanKey): void; flush(): Promise<void> }

export const channelOf = (schema: string): string => `${schema}_changes`

/** What a notification says when the plans have no room in it. */
export const anyPlan = "any"

export const createNotices = ({ query, address }: Database): Notices => {
  const waiting = new Map<string, PlanKey>()
  let sending: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** A failed notification is lost, but watchers also poll. */
  const send = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const keys = [...waiting.values()].map(({ session, agent }) => [session, agent])
    waiting.clear()
    const text = JSON.stringify(keys)
    const payload = text.length > longest || /[^\x20-\x7e]/.test(text) ? asAscii(text) : text
    const told = payload.length > longest ? anyPlan : payload
    return query("select pg_catalog.pg_notify($1, $2)", [channelOf(address.schema), told]).then(
      () => {},
      () => {},
    )
  }

  const sendAfter = (milliseconds: number): void => {
    timer = setTimeout(() => {
      timer = undefined
      if (waiting.size > 0) sendNow()
    }, milliseconds)
  }

  /** The first change is reported almost immediately, later ones together after a pause. */
  const sendNow = (): void => {
    sending = send().then(() => {
      sending = undefined
      sendAfter(pause)
    })
  }

  return {
    add(key) {
      waiting.set(keyDigest(key), key)
      if (!sending && !timer) sendAfter(beforeFirst)
    },
    async flush() {
      while (sending || waiting.size > 0) {
        if (sending) await sending
        else sendNow()
      }
      clearTimeout(timer)
      timer = undefined
    },
  }
}

const asAscii = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
