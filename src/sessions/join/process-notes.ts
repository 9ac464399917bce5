/** The notes that an agent's processes leave next to its sessions, by agent and file: one file may cover several. */
import { type ProcessNote, processNoteIn } from "../clients.ts"
import type { Indexed } from "../session-index.ts"
import type { Found } from "../walk.ts"

export type ProcessNotes = {
  /** What a file says now; undefined when it cannot be read. Other files than notes are passed over. */
  take(found: Found, entry: Indexed | undefined): void
  forget(path: string): void
  of(agentType: string): ProcessNote[]
}

export const createProcessNotes = (): ProcessNotes => {
  const notes = new Map<string, Map<string, ProcessNote[]>>()
  return {
    take({ source, place, path, whose }, entry) {
      if (!place.isNote) return
      const own = notes.get(source.agentType) ?? new Map<string, ProcessNote[]>()
      notes.set(source.agentType, own)
      own.set(
        path,
        (entry?.agents ?? []).flatMap(({ about }) => processNoteIn(about, whose) ?? []),
      )
    },
    forget(path) {
      for (const own of notes.values()) own.delete(path)
    },
    of: (agentType) => [...(notes.get(agentType)?.values() ?? [])].flat(),
  }
}
