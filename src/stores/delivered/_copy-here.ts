/** What this home has of a remote store: its mirror, the entries that wait, and the log that both make together. */
import { createFileStore, type FileStore } from "../file/index.ts"
import type { PlanKey } from "../store.ts"
import { type JoinedLog, joinLogs } from "./_joined-log.ts"
import { createUnmirrored, type Unmirrored } from "./exchange/unmirrored.ts"
import type { DeliveryFolder } from "./folder.ts"
import { type Marks, openMarks } from "./marks.ts"
import { type Outbox, openOutbox } from "./outbox.ts"
import { type OwnEntries, ownEntriesIn } from "./own-entries.ts"

export type CopyHere = {
  mirror: FileStore
  outbox: Outbox
  marks: Marks
  unmirrored: Unmirrored
  own: OwnEntries
  /** Says of each entry whether it was made on this machine. */
  log: JoinedLog
  /** Of the log; undefined if there is none. */
  position(key: PlanKey): Promise<string | undefined>
  close(): Promise<void>
}

/** `name` is the name of the remote store, `person` the home of the person. */
export const openCopyHere = (name: string, folder: DeliveryFolder, person: string): CopyHere => {
  const mirror = createFileStore({ home: folder.mirror, person })
  const marks = openMarks(folder)
  const outbox = openOutbox(folder, person, marks)
  const own = ownEntriesIn(person, name)
  const unmirrored = createUnmirrored()
  const joined = joinLogs(unmirrored.over(mirror), outbox, marks)
  return {
    mirror,
    outbox,
    marks,
    unmirrored,
    own,
    log: {
      ...joined,
      async load(key, from) {
        const loaded = await joined.load(key, from)
        return { ...loaded, entries: own.attributed(key, loaded.entries) }
      },
    },
    async position(key) {
      const [here, waiting] = [await mirror.position(key), await outbox.store.position(key)]
      return here === undefined && waiting === undefined ? undefined : `${here ?? ""}+${waiting ?? ""}`
    },
    async close() {
      await mirror.close()
      await outbox.store.close()
    },
  }
}
