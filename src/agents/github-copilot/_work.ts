/** Reads the outcome of Copilot CLI's calls. */
import { type Fields, fieldsOf, textOf } from "../../streams/line.ts"
import type { WorkResult } from "../../streams/work.ts"
import { codeIn, commonResult } from "../common-tools.ts"

/** A failed command is reported as a successful call. Its exit code is in a separate field, and after its output. */
export const copilotResult = ({ success, result, error, shellExecution }: Fields): WorkResult => {
  const { message, code: reason } = fieldsOf(error)
  const text = textOf(fieldsOf(result).content) ?? textOf(message) ?? ""
  const { exitCode } = fieldsOf(shellExecution)
  const code =
    typeof exitCode === "number"
      ? exitCode
      : codeIn(/<\w+(?: \S+)? completed with exit code (\d{1,3})>\s*$/, text.slice(-longestNote))
  if (
    code === undefined &&
    /<(?:command|shellId)[^<>]*(?:still running|running in the background)/i.test(text.slice(-500))
  )
    return { isRunning: true, output: text }
  const told = commonResult(withoutNote(text), {
    code,
    isError: success !== true,
  })
  return /^(?:denied|rejected)$/.test(String(reason)) ? { ...told, isRefused: true } : told
}

/** The command's output, without the line that Copilot adds at the end. */
const withoutNote = (text: string): string => {
  const end = text.lastIndexOf("<")
  const isNote = /^<\w[^<>]* completed with exit code \d{1,3}>\s*$/.test(text.slice(end, end + longestNote))
  return isNote && end + longestNote >= text.length ? text.slice(0, end).replace(/\n$/, "") : text
}

/** In characters. */
const longestNote = 500
