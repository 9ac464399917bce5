/** Reads work from the updates of a call, which report its kind, input and outcome step by step. */
import { isRecord } from "../../plan/log/shape.ts"
import { type Fields, fieldsOf, objectsOf, textOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { commandText, createWork, reading, type Work, type WorkResult, type WorkTools } from "../../streams/work.ts"
import { codeIn, commonResult } from "../common-tools.ts"

export const createAcpWork = (isWanted: boolean) => {
  const work = createWork(isWanted ? tools : undefined)
  /** The unfinished calls, by agent and id. */
  const open = new Map<string, { call: Fields; isTold: boolean }>()

  return {
    /** Returns the signals of an update about a call of a tool that keeps no list. */
    read(update: Fields, agent: string): Signal[] {
      const callId = textOf(update.toolCallId)
      if (!work.isWanted || callId === undefined) return []
      const key = `${agent} ${callId}`
      const known = open.get(key)
      const call = merged(known?.call ?? {}, update)
      const isThrough = update.status === "completed" || update.status === "failed"
      const isNew = known?.isTold !== true && !isList(call) && (isThrough || isWhole(call))
      const began = isNew ? work.began(agent, { callId, tool: kindOf(call), input: call }) : []
      if (!isThrough) {
        if (open.size >= mostOpen) open.clear()
        open.set(key, { call, isTold: known?.isTold === true || isNew })
        return began
      }
      open.delete(key)
      if (isList(call)) return []
      return [...began, ...work.ended(agent, callId, resultIn(call))]
    },
  }
}

/** The most unfinished calls remembered. */
const mostOpen = 10_000

/** The call with an update applied. An update contains only what is new. */
const merged = (call: Fields, update: Fields): Fields => {
  const fields = Object.entries(update).filter(([, value]) => !isEmpty(value))
  const meta = { ...fieldsOf(call._meta), ...fieldsOf(update._meta) }
  return { ...call, ...Object.fromEntries(fields), _meta: meta }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0)

const kindOf = ({ kind, rawInput }: Fields): string => {
  const { subagent_type, subagentType, command } = fieldsOf(rawInput)
  if (textOf(subagent_type) ?? textOf(subagentType)) return "delegation"
  const given = textOf(kind) ?? "other"
  return given === "other" && command !== undefined ? "execute" : given
}

/** A list tool does not count as work, whatever its name. */
const isList = ({ rawInput }: Fields): boolean => Array.isArray(fieldsOf(rawInput).todos)

/** Whether the call's input is complete. A command that is not in the data is finally in the title. */
const isWhole = (call: Fields): boolean => {
  const kind = kindOf(call)
  if (kind === "other" || kind === "think") return call.status !== "pending"
  if (kind === "execute") return commandIn(call) !== ""
  return !isChange(kind) || filesOf(call).length > 0
}

const isChange = (kind: string): boolean => kind === "edit" || kind === "delete" || kind === "move"

const commandIn = ({ rawInput }: Fields): string => {
  const { command, cmd, commands, args } = fieldsOf(rawInput)
  const given = commandText(command ?? cmd ?? commands)
  return Array.isArray(args) && typeof command === "string" ? commandText([command, ...args]) : given
}

/** The command in a title, with or without the backticks of Markdown. */
const commandOf = (call: Fields): Work => {
  const title = (textOf(call.title) ?? "").trim().replace(/^`+|(?<!`)`+$/g, "")
  return { kind: "command", command: commandIn(call) || commandText(title) }
}

/** The files named by the call's changes, locations or input. */
const filesOf = ({ content, locations, rawInput }: Fields): string[] => {
  const changes = objectsOf(content).filter(({ type }) => type === "diff")
  const input = fieldsOf(rawInput)
  const named = ["file_path", "filePath", "path", "abs_path", "fileName"].map((name) => ({ path: input[name] }))
  const places: readonly Fields[] = [...changes, ...objectsOf(locations), ...named]
  return [...new Set(places.flatMap(({ path }) => textOf(path) ?? []))]
}

const editOf = (call: Fields): Work => ({ kind: "edit", files: filesOf(call) })

const delegationOf = ({ rawInput, title }: Fields): Work => {
  const words = textOf(fieldsOf(rawInput).description) ?? textOf(title)
  return { kind: "delegation", ...(words === undefined ? {} : { title: words.slice(0, 400) }) }
}

/** The work of each kind of call in the protocol. */
const tools: WorkTools = {
  execute: commandOf,
  edit: editOf,
  delete: editOf,
  move: editOf,
  delegation: delegationOf,
  read: reading,
  search: reading,
  fetch: reading,
  think: reading,
  switch_mode: reading,
}

/**
 * The protocol reports that a call failed, but no exit code: each agent puts that into its own data. Many agents report
 * a failed command as a completed call, so without a code only the output shows the failure.
 */
const resultIn = (call: Fields): WorkResult => {
  const output = fieldsOf(call.rawOutput)
  const meta = fieldsOf(call._meta)
  const terminal = fieldsOf(meta.terminal_exit)
  const metadata = fieldsOf(output.metadata)
  const text = textIn(call, output, textOf(fieldsOf(meta.terminal_output).data))
  const code =
    [output.exit_code, output.exitCode, metadata.exit, metadata.exitCode, terminal.exit_code].find(
      (one) => typeof one === "number",
    ) ?? codeIn(exitWords, text.slice(-500))
  const isFailed = call.status === "failed"
  const result = commonResult(text, {
    code,
    isError: isFailed ? true : kindOf(call) === "execute" ? undefined : false,
  })
  const isStopped = isFailed && code === undefined && stopped.test(text.slice(0, 500))
  return {
    ...result,
    ...(output.timed_out === true ? { isTimedOut: true } : {}),
    ...(isStopped ? { isRefused: true } : {}),
  }
}

const exitWords = /(?:<\w+:?(?: \S+)? completed with exit code |^Exit Code: |\bexited with exit code )(\d{1,3})\b/m

const stopped =
  /\b(?:rejected permission|permission (?:was )?(?:denied|rejected)|tool execution aborted|user refused)\b/i

const textIn = (call: Fields, output: Fields, terminal: string | undefined): string => {
  const parts = objectsOf(call.content).flatMap((part) => textOf(fieldsOf(part.content).text) ?? [])
  const data = [
    output.formatted_output,
    output.aggregated_output,
    output.output,
    output.content,
    output.stdout,
    call.rawOutput,
  ]
  const text = data.map(textOf).find((one) => one !== undefined)
  return terminal ?? text ?? parts.join("\n")
}
