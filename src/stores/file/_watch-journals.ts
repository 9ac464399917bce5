/** Notices when a journal of a home changes, and says of which plan it is. */
import { join } from "node:path"
import type { PlanKey, Store } from "../store.ts"
import { readOwner } from "./_journal.ts"
import { ownerOf } from "./_journal-state.ts"

export const watchJournals = async (
  journals: string,
  ...[listener, onProblem]: Parameters<Store["watch"]>
): ReturnType<Store["watch"]> => {
  const { watchFolder } = await import("./watch.ts")
  const owners = new Map<string, PlanKey | undefined>()
  const ownerIn = (file: string): PlanKey | undefined => {
    const name = file.slice(0, -".jsonl".length)
    const owner = owners.get(name) ?? ownerOf(name, readOwner(join(journals, file)))
    owners.set(name, owner)
    return owner
  }
  const onFile = (file: string | undefined): void => {
    // A journal whose name says nothing may be gone before it could be read.
    if (file === undefined || file.endsWith(".jsonl")) listener(file === undefined ? undefined : ownerIn(file))
  }
  return watchFolder(journals, onFile, onProblem)
}
