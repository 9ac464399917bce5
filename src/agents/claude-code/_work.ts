/** Reads the work of Claude Code's tools and its outcome. */
import { type Fields, fieldsOf, textOf } from "../../streams/line.ts"
import { commandOf, delegationOf, editOf, reading, type WorkResult, type WorkTools } from "../../streams/work.ts"
import type { BlockWork } from "../blocks.ts"

const tools: WorkTools = {
  Bash: commandOf("command"),
  PowerShell: commandOf("command"),
  Edit: editOf("file_path"),
  MultiEdit: editOf("file_path"),
  Write: editOf("file_path"),
  NotebookEdit: editOf("notebook_path"),
  Task: delegationOf("description"),
  Agent: delegationOf("description"),
  Read: reading,
  Grep: reading,
  Glob: reading,
  LS: reading,
  LSP: reading,
  WebFetch: reading,
  WebSearch: reading,
  NotebookRead: reading,
  BashOutput: reading,
  TaskOutput: reading,
  ToolSearch: reading,
  AskUserQuestion: reading,
  EnterPlanMode: reading,
  ExitPlanMode: reading,
  Skill: reading,
}

/** The client's own words in a refusal, before the person's reason. */
const refusals =
  /^(?:The user doesn't want to (?:proceed|take this action)|\[Request interrupted by user|Permission to use \w+ .*denied|User rejected|This command requires approval|Claude requested permissions? to|The agent proposed a plan that was rejected)/

const resultOf = (block: Fields, data: Fields | undefined, text: string): WorkResult => {
  const isError = block.is_error === true
  if ((isError && refusals.test(text)) || data?.interrupted === true) return { isRefused: true, output: text }
  const [, code] = /^(?:Error: )?Exit code (\d{1,3})\b/.exec(text) ?? []
  const isTimedOut = isError && /\b(?:Command timed out after|timed out after \d)/.test(text.slice(0, 2_000))
  const printed = [textOf(data?.stdout), textOf(data?.stderr)].filter((one) => one !== undefined).join("\n")
  return {
    isError,
    output: printed === "" ? text : printed,
    ...(code === undefined ? {} : { exitCode: Number(code) }),
    ...(isTimedOut ? { isTimedOut } : {}),
  }
}

/** The id of a command started in the background, or moved there when its time was up. */
const backgroundOf = (data: Fields | undefined, text: string): string | undefined =>
  textOf(data?.backgroundTaskId) ??
  /^Command (?:running|was .*?) in (?:the )?background with ID: (\S+?)(?:[.\s]|$)/.exec(text)?.[1]

/** The background command whose output a call requests, in the old and current field names. */
const runRequestedBy = ({ bash_id, task_id, shell_id }: Fields): string | undefined =>
  textOf(bash_id) ?? textOf(task_id) ?? textOf(shell_id)

/** Reads a report about a background command, in the client's tags. */
const runResultIn = (text: string): WorkResult | undefined => {
  const status = tagged(text, "status")
  if (status === undefined || status === "running" || status === "pending") return undefined
  const code =
    tagged(text, "exit_code") ?? /\(exit code (\d{1,3})\)|exit code (\d{1,3})/.exec(text)?.slice(1).find(Boolean)
  const output = tagged(text, "output") ?? tagged(text, "stdout") ?? ""
  if (status === "killed") return { isTimedOut: true, output }
  return { isError: status === "failed", output, ...(code === undefined ? {} : { exitCode: Number(code) }) }
}

const tagged = (text: string, tag: string): string | undefined => {
  const start = text.indexOf(`<${tag}>`)
  const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, start)
  return end < 0 ? undefined : text.slice(start + tag.length + 2, end).trim()
}

/** Reads the client's note that a background command has ended. */
const runEndIn = (words: string): { run: string; result: WorkResult } | undefined => {
  if (!words.startsWith("<task-notification>")) return undefined
  const [run, result] = [tagged(words, "task-id"), runResultIn(words)]
  return run === undefined || result === undefined ? undefined : { run, result }
}

export const claudeWork: BlockWork = {
  tools,
  resultOf,
  backgroundOf,
  runRequestedBy: (input) => runRequestedBy(fieldsOf(input)),
  runResultIn,
  runEndIn,
}
