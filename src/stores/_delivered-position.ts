/** The position of a plan of a store elsewhere, by looks at files alone: a hook has no time to ask a database. */

import { journalInHome, journalPosition } from "./_position.ts"
import { deliveryFolder } from "./delivered/folder.ts"
import { openMarks } from "./delivered/marks.ts"
import { isCarried, mayTry, readNote } from "./delivered/note.ts"
import { readAddress } from "./postgres/address.ts"
import type { PlanKey } from "./store.ts"

/** Milliseconds for which what was read elsewhere is new enough for a hook and a status line. */
export const freshForHooks = 5_000

/** Undefined where the store elsewhere is to be asked first: what was read of it is old, and it can be reached. */
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
