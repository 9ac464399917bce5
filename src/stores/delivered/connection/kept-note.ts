/** Records in the note what this process finds out about the connection to a remote store. */
import { messageOf } from "../../../plan/index.ts"
import type { DeliveryFolder } from "../folder.ts"
import { type Away, awayAfter, type DeliveryNote, mayTry, readNote, writeNote } from "./note.ts"

export type KeptNote = {
  read(): DeliveryNote
  /** The failure after which no connection is tried yet. */
  paused(): Away | undefined
  /** It was reached. */
  reached(): void
  lost(cause: unknown): void
  mayChange(mayWrite: boolean): void
  /** Why the log of a plan takes nothing there; undefined once all of them do. */
  stuck(why: string | undefined): void
  /** If the database was replaced, plans that the new one lacks are no longer shown, and the person must be told so. */
  identified(identity: string | undefined): void
}

export type KeptNoteOptions = { name: string; folder: DeliveryFolder; now: () => Date }

export const keepNote = ({ name, folder, now }: KeptNoteOptions): KeptNote => {
  const read = (): DeliveryNote => readNote(folder)

  /** If the note cannot be saved, the next attempt only comes sooner. */
  const write = (note: DeliveryNote): void => {
    try {
      writeNote(folder, { ...note, name })
    } catch {}
  }

  return {
    read,
    paused() {
      const { away } = read()
      return away && !mayTry({ away }, now()) ? away : undefined
    },
    reached() {
      const { away, ...note } = read()
      if (away) write(note)
    },
    lost(cause) {
      const note = read()
      write({ ...note, away: awayAfter(note, messageOf(cause), now()) })
    },
    mayChange(mayWrite) {
      const { isReadOnly = false, ...note } = read()
      if (isReadOnly === mayWrite) write({ ...note, ...(mayWrite ? {} : { isReadOnly: true }) })
    },
    stuck(why) {
      const { stuck, ...note } = read()
      if (stuck !== why) write({ ...note, ...(why === undefined ? {} : { stuck: why }) })
    },
    identified(identity) {
      const note = read()
      if (identity === undefined || identity === note.identity) return
      write({ ...note, identity, ...(note.identity === undefined ? {} : { replaced: now().toISOString() }) })
    },
  }
}
