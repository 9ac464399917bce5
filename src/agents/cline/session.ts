/**
 * The files of a Cline session in `~/.cline/data/sessions/<session>/`: a document about it, and one with its messages.
 */
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  asked,
  type Fields,
  failedTurn,
  fieldsOf,
  interrupted,
  jsonLines,
  known,
  nameIn,
  textOf,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { readMessages } from "./_messages.ts"

export const clineSession = {
  id: "cline-session",
  agentType: "cline",
  title: "Cline session file",
  isDocument: true,
  recognises: (document) => hasMessages(document) || isAbout(document),
  needles: ["sessionId", "session_id"],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) =>
    jsonLines((document) =>
      hasMessages(document) ? readMessages(document, { work: wants?.work === true }) : readAbout(document),
    ),
} satisfies Stream

/** `<session>.messages.json` */
const hasMessages = ({ sessionId, messages, origin, agent }: Fields): boolean =>
  typeof sessionId === "string" && Array.isArray(messages) && isRecord(origin) && typeof agent === "string"

/** `<session>.json` */
const isAbout = ({ session_id, workspace_root, started_at, messages_path }: Fields): boolean =>
  [session_id, workspace_root, started_at, messages_path].every((field) => typeof field === "string")

/** The statuses of a session that has not ended. */
const openStatuses = ["pending", "running", "idle"]

/** Reads the session's title, folder, model and end. */
const readAbout = (document: Fields): Signal[] => {
  const { session_id, cwd, workspace_root, model, prompt, status, ended_at, interactive } = document
  const { sessionHistoryOrigin, title } = fieldsOf(document.metadata)
  const { version } = fieldsOf(sessionHistoryOrigin)
  const about = known({
    session: textOf(session_id),
    project: textOf(cwd) ?? textOf(workspace_root),
    model: textOf(model),
    version: textOf(version),
    title: titleBeside(title, prompt),
    isOneShot: typeof interactive === "boolean" ? !interactive : undefined,
  })
  const hasEnded = textOf(ended_at) !== undefined && !openStatuses.includes(textOf(status) ?? "")
  return [{ type: "session", ...about }, ...asked("main", prompt), ...(hasEnded ? [endedAs(status, ended_at)] : [])]
}

/** The end of a session. Cline gives no reason for a failure. */
const endedAs = (status: unknown, at: unknown): Signal => {
  if (status === "failed") return failedTurn("main", undefined, { at })
  return activity("main", "ended", { at, ...(status === "cancelled" ? { error: interrupted } : {}) })
}

/** The title, unless it is only the beginning of the first prompt. */
const titleBeside = (title: unknown, prompt: unknown): string | undefined => {
  const name = nameIn(title)
  return name !== undefined && textOf(prompt)?.trim().startsWith(name.trim()) ? undefined : name
}
