/** Reads which session each Grok process works on, from `~/.grok/active_sessions.json`. */
import { isoTime } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import type { ReadDocument } from "../../sessions/source.ts"
import { objectsOf, textOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"

export const processNote: ReadDocument = ({ text }) =>
  objectsOf(parseJson(text)).flatMap(({ session_id, pid, opened_at }): Signal[] => {
    const [session, noted] = [textOf(session_id), isoTime(opened_at)]
    if (session === undefined || noted === undefined || !Number.isSafeInteger(pid) || Number(pid) <= 0) return []
    return [{ type: "session", session, process: { pid: Number(pid), noted } }]
  })
