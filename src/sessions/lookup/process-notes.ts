/** Reads the notes of an agent's processes: which session each is in. Not cached. */
import { basename } from "node:path"
import { foreignTextIn } from "../../home/reading/foreign-file.ts"
import { isoTime } from "../../plan/index.ts"
import { type ProcessNote, processNoteIn } from "../clients.ts"
import type { Found } from "../walk.ts"
import { allOf, type SessionPlaces } from "./session-signals.ts"

/** Also those of processes that have ended since. */
export const processNotesIn = async ({ source, env, home }: SessionPlaces): Promise<ProcessNote[]> => {
  const places = source.places.filter(({ isNote }) => isNote)
  if (places.length === 0) return []
  const notes = await Promise.all(allOf({ source: { ...source, places }, env, home }).map(notesAt))
  return notes.flat()
}

const notesAt = async ({ place: { reading }, path, whose, stamp: [, time] }: Found): Promise<ProcessNote[]> => {
  const text = reading.as === "document" ? foreignTextIn(path, longest) : undefined
  if (reading.as !== "document" || text === undefined) return []
  const read = await reading.load()
  return read({ name: basename(path), text }, isoTime(time)).flatMap((signal) =>
    signal.type === "session" ? (processNoteIn(signal, whose) ?? []) : [],
  )
}

/** In bytes: a note has a few lines. */
const longest = 1 << 20
