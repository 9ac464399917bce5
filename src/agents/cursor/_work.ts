/** Reads the work of Cursor's tools, by their names in its stream, and its outcome. */
import { isRecord } from "../../plan/log/shape.ts"
import { type Fields, fieldsOf, textOf } from "../../streams/line.ts"
import { commandOf, delegationOf, editOf, reading, type WorkResult, type WorkTools } from "../../streams/work.ts"
import { commonResult } from "../common-tools.ts"

const edit = editOf("path", "targetFile", "targetNotebook")

export const cursorTools: WorkTools = {
  shellToolCall: commandOf("command"),
  editToolCall: edit,
  writeToolCall: edit,
  deleteToolCall: edit,
  applyPatchToolCall: edit,
  editNotebookToolCall: edit,
  taskToolCall: delegationOf("description"),
  readToolCall: reading,
  lsToolCall: reading,
  globToolCall: reading,
  grepToolCall: reading,
  semSearchToolCall: reading,
  readLintsToolCall: reading,
  fetchToolCall: reading,
  webFetchToolCall: reading,
  webSearchToolCall: reading,
  listMcpResourcesToolCall: reading,
  readMcpResourceToolCall: reading,
}

/** A result has one field, whose name is the outcome: `success`, `failure`, `rejected`, `timeout` and others. */
export const cursorResult = (result: Fields): WorkResult => {
  const [kind, value] = Object.entries(result).find(([, one]) => isRecord(one)) ?? []
  const { exitCode, stdout, stderr, output, interleavedOutput, error, reason } = fieldsOf(value)
  const printed = [textOf(stdout), textOf(stderr)].filter((one) => one !== undefined).join("\n")
  const text = textOf(interleavedOutput) ?? textOf(output) ?? (printed || textOf(error) || textOf(reason)) ?? ""
  if (result.isBackground === true) return { isRunning: true, output: text }
  const code = typeof exitCode === "number" ? exitCode : undefined
  const told = commonResult(text, { code, isError: kind === undefined ? undefined : kind !== "success" })
  if (kind === "rejected") return { ...told, isRefused: true }
  return kind === "timeout" ? { ...told, isTimedOut: true } : told
}
