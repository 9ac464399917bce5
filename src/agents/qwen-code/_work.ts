/** Reads the outcome of Qwen Code's tools. */
import { type Fields, fieldsOf, textOf } from "../../streams/line.ts"
import type { WorkResult } from "../../streams/work.ts"
import type { BlockWork } from "../blocks.ts"
import { codeIn, commonResult, commonTools } from "../common-tools.ts"

/** A shell's output is a text with a few fields, such as "Exit Code: 1". An empty field is "(none)". */
export const qwenResult = (text: string, { status, isError }: { status?: unknown; isError?: boolean }): WorkResult => {
  const code = codeIn(/^Exit Code: (\d{1,3})$/m, text)
  const result = commonResult(text, { code, isError: isError ?? status === "error" })
  return status === "cancelled" ? { ...result, isRefused: true } : result
}

/** The id of a command that continues in the background. */
export const qwenBackground = (text: string): string | undefined =>
  /^(?:Background shell|Promoted to background:)\s+(bg_[\w-]+)/i.exec(text)?.[1]

const asksFor = ({ task_id, shell_id, id }: Fields): string | undefined =>
  textOf(task_id) ?? textOf(shell_id) ?? textOf(id)

export const qwenWork: BlockWork = {
  tools: commonTools,
  resultOf: (block, _data, text) => qwenResult(text, { isError: block.is_error === true }),
  backgroundOf: (_data, text) => qwenBackground(text),
  runRequestedBy: (input) => asksFor(fieldsOf(input)),
  runResultIn: () => undefined,
  runEndIn: () => undefined,
}
