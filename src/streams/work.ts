/** An agent's work apart from its list. Readers report it only on request. */
import { isoTime } from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import type { Signal } from "./stream.ts"

export type Work =
  | { kind: "edit"; files: readonly string[] }
  /** `folder` is where the command runs, if the call names it. */
  | { kind: "command"; command: string; folder?: string }
  /** A task given to a sub-agent. */
  | { kind: "delegation"; title?: string }
  /** Reading or searching, which changes nothing. */
  | { kind: "reading" }
  /** Use of another tool, of which only the files and the command in its input are known. */
  | { kind: "other"; tool: string; files?: readonly string[]; command?: string }

/** The outcome of a piece of work. Unknown fields are left out. */
export type WorkResult = {
  isError?: boolean
  exitCode?: number
  /** The end of the output. */
  output?: string
  /** Whether the person refused or stopped it. */
  isRefused?: true
  isTimedOut?: true
  /** Whether it continues in the background. Another result may follow. */
  isRunning?: true
  /** The sub-agent that works on it. */
  subAgent?: string
}

/** Reported at the start and at the end of a call, by its id. */
export type WorkSignal =
  | { type: "work"; agent: string; callId: string; work: Work; at?: string }
  | { type: "work-result"; agent: string; callId: string; result: WorkResult; at?: string }

/** What the tools of an agent do, by name. A tool that is not in the table is other work. */
export type WorkTools = Readonly<Record<string, (input: Record<string, unknown>) => Work>>

/** Collects the work that a reader reports. Without a table, it collects nothing. */
export const createWork = (tools: WorkTools | undefined) => {
  /** Background commands, by the client's id. */
  const runs = new Map<string, { callId: string; printed: string }>()
  const ended = (agent: string, callId: string, result: WorkResult, at?: unknown): Signal[] =>
    tools === undefined ? [] : [{ type: "work-result", agent, callId, result: withShortOutput(result), ...timed(at) }]

  return {
    isWanted: tools !== undefined,
    began(agent: string, call: { callId: string | undefined; tool: string; input: unknown; at?: unknown }): Signal[] {
      if (tools === undefined || call.callId === undefined) return []
      const read = Object.hasOwn(tools, call.tool) ? tools[call.tool] : undefined
      const input = isRecord(call.input) ? call.input : {}
      const work = read?.(input) ?? otherWork(call.tool, input)
      return [{ type: "work", agent, callId: call.callId, work, ...timed(call.at) }]
    },
    ended,
    /** Records that a command continues in the background, with the client's id. */
    wentOn(callId: string, run: string, printed = ""): void {
      if (tools !== undefined && runs.size < mostRuns) runs.set(run, { callId, printed: printed.slice(-longestOutput) })
    },
    /** Reports a further result of a background command, with its output so far. */
    heardOf(agent: string, run: string, result: WorkResult, at?: unknown): Signal[] {
      const known = runs.get(run)
      if (!known) return []
      known.printed = `${known.printed}${result.output ?? ""}`.slice(-longestOutput)
      return ended(agent, known.callId, { ...result, output: known.printed }, at)
    },
  }
}

const mostRuns = 10_000

const timed = (at: unknown): { at?: string } => {
  const time = isoTime(at)
  return time === undefined ? {} : { at: time }
}

/** In characters. Test runners print their result at the end. */
const longestOutput = 16_000

const withShortOutput = (result: WorkResult): WorkResult =>
  result.output !== undefined && result.output.length > longestOutput
    ? { ...result, output: result.output.slice(-longestOutput) }
    : result

export const editOf =
  (...names: readonly string[]) =>
  (input: Record<string, unknown>): Work => ({
    kind: "edit",
    files: names.flatMap((name) => (typeof input[name] === "string" && input[name] !== "" ? [input[name]] : [])),
  })

/** Reads a command, which may be a text or a list of words. */
export const commandOf =
  (...names: readonly string[]) =>
  (input: Record<string, unknown>): Work => {
    const given = names.map((name) => input[name]).find((value) => value !== undefined)
    const folder = folderNames.map((name) => input[name]).find((value) => typeof value === "string" && value !== "")
    return { kind: "command", command: commandText(given), ...(typeof folder === "string" ? { folder } : {}) }
  }

/** The names that agents use for the folder in which a command is run. */
const folderNames = ["workdir", "cwd", "working_directory", "workingDirectory", "dir_path", "directory"]

/** In characters. Longer commands mostly write a document to a file. */
const longestCommand = 20_000

export const commandText = (given: unknown): string => {
  if (typeof given === "string") return given.slice(0, longestCommand)
  const words = Array.isArray(given) ? given.filter((word) => typeof word === "string") : []
  return words.map(quoted).join(" ").slice(0, longestCommand)
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** Work with a tool that is not in the table, such as one of an MCP server. */
export const otherWork = (tool: string, input: Record<string, unknown>): Work => {
  const files = Object.entries(input).flatMap(([name, value]) => (isFileName.test(name) ? pathsIn(value) : []))
  const { command } = input
  return {
    kind: "other",
    tool: tool.slice(0, 200),
    ...(files.length > 0 ? { files: files.slice(0, mostFiles) } : {}),
    ...(typeof command === "string" ? { command: commandText(command) } : {}),
  }
}

const isFileName =
  /^(?:(?:abs|absolute|relative|rel|file|target|source|destination|dest|new|old|notebook|full)_?)*(?:paths?|files?|file_?names?|uri|path_?in_?project|destination)$/i

const mostFiles = 50

const pathsIn = (value: unknown, depth = 0): string[] => {
  if (typeof value === "string")
    return /^\w{2,}:\/\/(?<!file:\/\/)/.test(value) || !/[./\\]/.test(value) ? [] : [pathOf(value)]
  if (Array.isArray(value) && depth === 0) return value.slice(0, mostFiles).flatMap((one) => pathsIn(one, 1))
  return isRecord(value) ? pathsIn(value.path ?? value.file_path ?? value.filePath, 2) : []
}

const pathOf = (value: string): string => value.replace(/^file:\/\//, "").slice(0, 1_000)

export const delegationOf =
  (name: string) =>
  (input: Record<string, unknown>): Work => {
    const title = input[name]
    return { kind: "delegation", ...(typeof title === "string" && title !== "" ? { title: title.slice(0, 400) } : {}) }
  }

export const reading = (): Work => ({ kind: "reading" })
