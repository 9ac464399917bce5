/** The position of a plan in a remote store, from local files alone: a hook has no time to ask a database. */

import { isCarried, mayTry, readNote } from "./delivered/connection/note.ts"
import { deliveryFolder } from "./delivered/folder.ts"
import { openMarks } from "./delivered/marks.ts"
import { journalInHome, journalPosition } from "./file/position.ts"
import { readAddress } from "./postgres/address.ts"
import type { PlanKey } from "./store.ts"

/** For how many milliseconds remote data is fresh enough for a hook and a status line. */
const freshForHooks = 5_000

/** Undefined if the remote store should be asked first: the local copy is old, and the store is reachable. */
export const quickPosition = (
  { url, home, now }: { url: string; home: string; now: Date },
  key: PlanKey,
): { position: string | undefined } | undefined => {
  const folder = deliveryFolder(home, readAddress(url).name)
  const age = openMarks(folder).age(key)
  const isFresh = age !== undefined && (age < freshForHooks || isCarried(folder))
  if (!isFresh && mayTry(readNote(folder), now)) return undefined
  const positions = [folder.mirror, folder.outbox].map((one) => journalPosition(journalInHome(one, key)))
  return { position: joinedPosition(positions) }
}

const joinedPosition = ([mirror, outbox]: readonly (string | undefined)[]): string | undefined =>
  mirror === undefined && outbox === undefined ? undefined : `${mirror ?? ""}+${outbox ?? ""}`
