/** Reads the work of Codex's tools and its outcome. */
import { isoTime } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import { type Fields, fieldsOf, known, listOf, objectsOf, subAgentNamed, textOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import {
  commandOf,
  commandText,
  delegationOf,
  otherWork,
  reading,
  type Work,
  type WorkResult,
  type WorkTools,
} from "../../streams/work.ts"

/** A shell call may also contain a patch: `["apply_patch", "*** Begin Patch…"]`. */
const shell = (input: Fields): Work => {
  const { command, cmd, workdir } = input
  const words = Array.isArray(command) ? command : []
  const patch = words[0] === "apply_patch" ? textOf(words[1]) : undefined
  return patch === undefined
    ? commandOf("cmd", "command")({ command, cmd: cmd ?? command, workdir })
    : patchOf({ input: patch })
}

const patchOf = ({ input, patch }: Fields): Work => ({
  kind: "edit",
  files: patchedFiles(textOf(input) ?? textOf(patch) ?? ""),
})

export const codexTools: WorkTools = {
  exec_command: shell,
  shell,
  local_shell: shell,
  shell_command: shell,
  container_exec: shell,
  apply_patch: patchOf,
  spawn_agent: delegationOf("message"),
  write_stdin: reading,
  view_image: reading,
  read_file: reading,
  list_dir: reading,
  grep_files: reading,
  wait: reading,
  wait_agent: reading,
  web_search: reading,
}

/** The shell commands in a program. Only literals can be read. */
export const commandsIn = (program: string): string[] => {
  const commands: string[] = []
  let calls = 0
  for (const { index, 0: call } of program.matchAll(/\bexec_command\(\s{0,100}\{/g)) {
    if (calls === mostCalls) break
    calls += 1
    const [, text = ""] = commandField.exec(program.slice(index + call.length)) ?? []
    const command = textOf(parseJson(text))
    if (command !== undefined) commands.push(command)
  }
  return commands
}

/** The literal after `cmd:` in the object at the beginning of the call. */
const commandField = /^[^}]{0,1000}?\bcmd"?:\s{0,100}("[^"\\]*(?:\\.[^"\\]*)*")/

const mostCalls = 50

/**
 * Reads a command's outcome from its output: JSON with an exit code, or a text that begins with a few lines about the
 * command.
 */
export const resultOf = (text: string): { result: WorkResult; run?: string } => {
  const { output, metadata, agent_id } = fieldsOf(text.startsWith("{") ? parseJson(text) : undefined)
  const child = textOf(agent_id)
  if (child !== undefined) return { result: { output: text, subAgent: subAgentNamed(child) } }
  const code = fieldsOf(metadata).exit_code
  if (typeof code === "number") return { result: { exitCode: code, output: textOf(output) ?? "" } }
  const { head, printed } = headAndPrinted(text)
  const [, exit] = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(head) ?? []
  if (exit !== undefined) return { result: { exitCode: Number(exit), output: printed } }
  const [, run] = /^Process running with session ID (\d+)$/m.exec(head) ?? []
  if (run !== undefined) return { result: { isRunning: true, output: printed }, run }
  if (
    /\b(?:rejected by (?:the )?user|user (?:rejected|denied|declined)|not approved|aborted by user)\b/i.test(
      text.slice(0, 500),
    )
  )
    return { result: { isRefused: true, output: text } }
  if (/\b(?:command )?timed out after\b/i.test(text.slice(0, 500)))
    return { result: { isTimedOut: true, output: text } }
  if (
    /^(?:failed to parse|execution error|exec_command failed|apply_patch verification failed|unsupported call)/i.test(
      text,
    )
  )
    return { result: { isError: true, output: text } }
  return { result: { output: text } }
}

/**
 * Splits an output at the line `Output:`, the last of a few short head lines. Without that line, all of it counts as
 * printed.
 */
const headAndPrinted = (text: string): { head: string; printed: string } => {
  const head = text.slice(0, longestHead)
  const found = /^Output:\n?/m.exec(head)
  return found
    ? { head: head.slice(0, found.index), printed: text.slice(found.index + found[0].length) }
    : { head, printed: text }
}

const longestHead = 1_000

/** Reads the outcome of a program's only command from the program's output, which prints the shell's JSON reply. */
export const programResultOf = (text: string): WorkResult => {
  const { result } = resultOf(text)
  const { exit_code: code, output } = fieldsOf(parseJson(result.output?.trim() ?? ""))
  return typeof code === "number" ? { exitCode: code, output: textOf(output) ?? "" } : result
}

/**
 * An item as work; undefined if it is not work. `codex exec --json`, the app server and session files spell the same
 * items in three ways: `command_execution`, `commandExecution`, `CommandExecution`.
 */
const itemWork = (item: Fields): { work: Work; result: WorkResult } | undefined => {
  const type = spelled(textOf(item.type) ?? "")
  const status = textOf(item.status)
  const isRefused = status === "declined"
  if (type === "command_execution") {
    const code = item.exit_code ?? item.exitCode
    const result: WorkResult = {
      output: textOf(item.aggregated_output) ?? textOf(item.aggregatedOutput) ?? "",
      ...(typeof code === "number" ? { exitCode: code } : { isError: status === "failed" }),
      ...(isRefused ? { isRefused } : {}),
    }
    return { work: { kind: "command", command: commandText(item.command) }, result }
  }
  if (type === "file_change")
    return {
      work: { kind: "edit", files: changedFiles(item.changes) },
      result: { isError: status === "failed", ...(isRefused ? { isRefused } : {}) },
    }
  if (type === "mcp_tool_call")
    return { work: otherWork(textOf(item.tool) ?? type, fieldsOf(item.arguments)), result: {} }
  if (type === "web_search") return { work: { kind: "reading" }, result: {} }
  if (!/^collab_(?:agent_)?tool_call$/.test(type) || spelled(textOf(item.tool) ?? "") !== "spawn_agent")
    return undefined
  const title = textOf(item.prompt)?.slice(0, 400)
  const [child] = listOf(item.receiver_thread_ids ?? item.receiverThreadIds).flatMap((id) => textOf(id) ?? [])
  return {
    work: { kind: "delegation", ...(title === undefined ? {} : { title }) },
    result: child === undefined ? {} : { subAgent: subAgentNamed(child) },
  }
}

const spelled = (name: string): string => name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

/** The changed files. Changes are a list, or an object by path. */
const changedFiles = (changes: unknown): string[] =>
  Array.isArray(changes) ? objectsOf(changes).flatMap(({ path }) => textOf(path) ?? []) : Object.keys(fieldsOf(changes))

/** Each event of an item repeats all its fields. Some items have no start event. */
export const itemSignals = (item: Fields, agent: string, hasEnded: boolean, at?: unknown): Signal[] => {
  const [callId, done] = [textOf(item.id), itemWork(item)]
  if (!done || callId === undefined) return []
  const time = known({ at: isoTime(at) })
  const began: Signal = { type: "work", agent, callId, work: done.work, ...time }
  return hasEnded ? [began, { type: "work-result", agent, callId, result: done.result, ...time }] : [began]
}

/** The files named in a patch. */
const patchedFiles = (patch: string): string[] =>
  [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path = ""]) => path.trim())
