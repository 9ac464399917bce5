/** opencode's `opencode export`: one document with a session and all its messages. */
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  asked,
  type Fields,
  fieldsOf,
  jsonLines,
  known,
  message,
  objectsOf,
  textOf,
  worked,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { ownToolNeedles } from "../own-tool.ts"
import { activityOf } from "./_message.ts"
import { typedIn } from "./_prompt.ts"
import { titleIn } from "./_title.ts"
import { listCall } from "./_todos.ts"
import { opencodeTools, partWork } from "./_work.ts"

export const opencodeExport = {
  id: "opencode-export",
  agentType: "opencode",
  title: "opencode export",
  isDocument: true,
  recognises: ({ info, messages }) =>
    isRecord(info) && typeof info.id === "string" && Array.isArray(messages) && messages.every(isMessage),
  needles: ["todow", ownToolNeedles.underscore, '"info"'],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    const work = createWork(wants?.work ? opencodeTools : undefined)
    return jsonLines((line) => readExport(line, work))
  },
} satisfies Stream

const isMessage = (value: unknown): boolean =>
  isRecord(value) && typeof fieldsOf(value.info).role === "string" && Array.isArray(value.parts)

type Working = ReturnType<typeof createWork>

const readExport = ({ info, messages }: Fields, work: Working): Signal[] => {
  const { id, directory, version, title } = fieldsOf(info)
  const session = textOf(id)
  const about = known({ session, project: textOf(directory), version: textOf(version), ...titleIn(title) })
  return [{ type: "session", ...about }, ...objectsOf(messages).flatMap((one) => readMessage(one, session, work))]
}

const readMessage = ({ info, parts }: Fields, session: string | undefined, work: Working): Signal[] => {
  const about = fieldsOf(info)
  const model = textOf(about.modelID) ?? textOf(fieldsOf(about.model).modelID)
  const isAssistant = about.role === "assistant"
  const { created, completed } = fieldsOf(about.time)
  const signals = objectsOf(parts).flatMap((part) => {
    if (isAssistant) return readPart(part, session, { at: completed ?? created, work })
    return about.role === "user" ? asked("main", typedIn(part)) : []
  })
  const named: Signal[] = isAssistant && model !== undefined ? [{ type: "session", ...known({ session }), model }] : []
  return [...named, ...signals, ...activityOf(about, "main")]
}

const readPart = (
  part: Fields,
  session: string | undefined,
  { at, work }: { at: unknown; work: Working },
): Signal[] => {
  if (part.type === "text") return [activity("main", "text", { at }), ...message("main", part.text)]
  if (part.type !== "tool") return []
  const state = fieldsOf(part.state)
  const time = fieldsOf(state.time).end ?? at
  return (
    listCall(part, { agent: "main", session, at }) ?? [
      ...worked("main", { tool: part.tool, input: textOf(state.title) ?? state.input, at: time }),
      ...partWork(part, "main", work, at),
    ]
  )
}
