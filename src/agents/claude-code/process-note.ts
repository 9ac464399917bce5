/** The note of each running Claude Code process, `~/.claude/sessions/<pid>.json`: its session and state. */
import { isoTime } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import type { ReadDocument } from "../../sessions/source.ts"
import { activity, fieldsOf, textOf, waits } from "../../streams/line.ts"
import type { Signal, WaitsFor } from "../../streams/stream.ts"

export const processNote: ReadDocument = ({ text }) => {
  const { pid, sessionId, startedAt, status, waitingFor, statusUpdatedAt: at } = fieldsOf(parseJson(text))
  const [session, noted] = [textOf(sessionId), isoTime(startedAt)]
  if (session === undefined || noted === undefined || !Number.isSafeInteger(pid) || Number(pid) <= 0) return []
  // Runs for a single task have no status.
  const run = status === undefined ? { isOneShot: true } : {}
  return [
    { type: "session", session, process: { pid: Number(pid), noted }, ...run },
    ...activityIn(status, waitingFor, at),
  ]
}

const activityIn = (status: unknown, waitingFor: unknown, at: unknown): Signal[] => {
  if (status === "busy") return [activity("main", "tool", { at })]
  if (status === "idle") return [activity("main", "turn-ended", { at })]
  return status === "waiting" ? [waits("main", waitedFor(waitingFor), { at })] : []
}

/** What the process waits for. A "dialog" is one that the person opened, so it asks nothing. */
const waitedFor = (words: unknown): WaitsFor => {
  if (words === "dialog open") return { kind: "turn" }
  return { kind: words === "input needed" ? "question" : "permission" }
}
