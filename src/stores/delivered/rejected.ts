/** The changes that a remote store rejected or has lost: they are kept here until a person has seen them and discards them. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Entry } from "../../plan/index.ts"
import { keyText } from "../../plan/plan-key.ts"
import { createFileStore } from "../file/index.ts"
import type { PlanKey } from "../store.ts"
import type { DeliveryFolder } from "./folder.ts"

/** Those of one plan. `position` tells whether others were kept since. */
export type Rejected = { key: PlanKey; entries: readonly Entry[]; position: string | undefined }

type Folder = Pick<DeliveryFolder, "refused">

export const rejectedIn = async ({ refused }: Folder): Promise<Rejected[]> => {
  if (!existsSync(join(refused, "journal"))) return []
  const store = createFileStore({ home: refused })
  const found: Rejected[] = []
  for (const { session, agent } of (await store.list()).plans) {
    const key = { session, agent }
    // Asked for first: what comes in between is not discarded.
    const position = await store.position(key)
    found.push({ key, entries: (await store.load(key)).entries, position })
  }
  await store.close()
  return found
}

/** The log of a plan as it was last read there: rejected changes may be about todos in it. */
export const copyOf = async ({ mirror }: Pick<DeliveryFolder, "mirror">, key: PlanKey): Promise<readonly Entry[]> => {
  const store = createFileStore({ home: mirror })
  const { entries } = await store.load(key)
  await store.close()
  return entries
}

/** Removes those that were shown. Plans for which others were kept since stay, and are not returned. */
export const discardRejected = async ({ refused }: Folder, shown: readonly Rejected[]): Promise<Rejected[]> => {
  if (shown.length === 0) return []
  const store = createFileStore({ home: refused })
  const positions = new Map(shown.map(({ key, position }) => [keyText(key), position]))
  await store.sweep((plan, position) => positions.get(keyText(plan)) === position)
  const gone: Rejected[] = []
  for (const one of shown) {
    const now = await store.position(one.key)
    // What says that it belongs to another plan is not swept, and here that protects nothing.
    if (now !== undefined && now === one.position) await store.remove(one.key)
    if (now === undefined || now === one.position) gone.push(one)
  }
  await store.close()
  return gone
}
