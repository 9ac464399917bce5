/** Reads the work of opencode's tools and its outcome. */
import { type Fields, fieldsOf, textOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import {
  commandOf,
  type createWork,
  delegationOf,
  editOf,
  reading,
  type WorkResult,
  type WorkTools,
} from "../../streams/work.ts"

export const opencodeTools: WorkTools = {
  bash: commandOf("command"),
  edit: editOf("filePath"),
  multiedit: editOf("filePath"),
  write: editOf("filePath"),
  patch: () => ({ kind: "edit", files: [] }),
  apply_patch: () => ({ kind: "edit", files: [] }),
  task: delegationOf("description"),
  read: reading,
  grep: reading,
  glob: reading,
  list: reading,
  webfetch: reading,
  websearch: reading,
  codesearch: reading,
  lsp: reading,
  question: reading,
  skill: reading,
}

/** The signals of a call's part, with the outcome once there is one. */
export const partWork = (part: Fields, agent: string, work: ReturnType<typeof createWork>, at: unknown): Signal[] => {
  const callId = textOf(part.callID) ?? textOf(part.id)
  const state = fieldsOf(part.state)
  if (!work.isWanted || callId === undefined) return []
  const began = work.began(agent, { callId, tool: textOf(part.tool) ?? "", input: state.input, at })
  if (state.status !== "completed" && state.status !== "error") return began
  return [...began, ...work.ended(agent, callId, resultOf(state), fieldsOf(state.time).end ?? at)]
}

const resultOf = ({ status, output, error, metadata }: Fields): WorkResult => {
  const { exit, output: printed, sessionId, sessionID } = fieldsOf(metadata)
  const text = textOf(error) ?? textOf(output) ?? textOf(printed) ?? ""
  const child = textOf(sessionId) ?? textOf(sessionID)
  const isStopped =
    status === "error" && /user (?:rejected|dismissed|denied)|rejected permission|Tool execution aborted/i.test(text)
  return {
    output: text,
    ...(typeof exit === "number" ? { exitCode: exit } : { isError: status === "error" }),
    ...(isStopped ? { isRefused: true } : {}),
    ...(/(?:terminated command after exceeding timeout|timed out after)/i.test(text.slice(-500))
      ? { isTimedOut: true }
      : {}),
    ...(child === undefined ? {} : { subAgent: child }),
  }
}
