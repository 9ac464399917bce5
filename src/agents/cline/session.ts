/** What Cline keeps of a session in `~/.cline/data/sessions/<session>/`: a document about it, and one with its messages. */
import { isRecord } from "../../plan/log/shape.ts"
import { activity, type Fields, fieldsOf, jsonLines, known, textOf } from "../../streams/line.ts"
import type { Signal, Stream } from "../../streams/stream.ts"
import { readMessages } from "./_messages.ts"

export const clineSession = {
  id: "cline-session",
  agentType: "cline",
  title: "Cline session file",
  isDocument: true,
  recognises: (document) => hasMessages(document) || isAbout(document),
  needles: ["sessionId", "session_id"],
  open: () => jsonLines((document) => (hasMessages(document) ? readMessages(document) : readAbout(document))),
} satisfies Stream

/** `<session>.messages.json` */
const hasMessages = ({ sessionId, messages, origin, agent }: Fields): boolean =>
  typeof sessionId === "string" && Array.isArray(messages) && isRecord(origin) && typeof agent === "string"

/** `<session>.json` */
const isAbout = ({ session_id, workspace_root, started_at, messages_path }: Fields): boolean =>
  [session_id, workspace_root, started_at, messages_path].every((field) => typeof field === "string")

/** What a session is while it may go on. */
const goesOn = ["pending", "running", "idle"]

/** Where it works, with which model, and how it ended. */
const readAbout = ({ session_id, cwd, workspace_root, model, metadata, status, ended_at }: Fields): Signal[] => {
  const { version } = fieldsOf(fieldsOf(metadata).sessionHistoryOrigin)
  const about = known({
    session: textOf(session_id),
    project: textOf(cwd) ?? textOf(workspace_root),
    model: textOf(model),
    version: textOf(version),
  })
  const hasEnded = textOf(ended_at) !== undefined && !goesOn.includes(textOf(status) ?? "")
  return [{ type: "session", ...about }, ...(hasEnded ? [activity("main", "ended", { at: ended_at })] : [])]
}
