/** What readers of JSON lines share: parsing a line into objects or a problem, and reading untrusted fields. */
import type { ToolCall } from "../dialects/dialect.ts"
import { isoTime, type Problem, sanitise, warning } from "../plan/index.ts"
import { hasMoreValues, parseJson, splitObjects } from "../plan/json.ts"
import { isRecord } from "../plan/log/shape.ts"
import type { Activity, ActivityKind, Signal, StreamReader, WaitsFor } from "./stream.ts"
import { subAgentNamed } from "./sub-agent-name.ts"

export { subAgentNamed } from "./sub-agent-name.ts"

export type Fields = Record<string, unknown>

/** The value if it is an object, otherwise an empty object. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const objectsOf = (value: unknown): Fields[] => listOf(value).filter(isRecord)

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/** Looks up an untrusted name, which may be the name of an object property. */
export const ownOf = <Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined

/** The object without undefined fields, so that unknown facts are absent. */
export const known = <Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never

/**
 * The objects in a line: usually one, but several if a writer lost the line break between them. `rest` is the text that
 * cannot be read.
 */
export const objectsInLine = (line: string): { objects: Fields[]; rest: string } => {
  const text = line.replace(/^\uFEFF/, "").trim()
  // Parsing errors are slow, and streams may contain much other text. So a line that cannot be an object is not parsed.
  if (!text.startsWith("{") || isOverfull(text)) return { objects: [], rest: text }
  const value = parseJson(text)
  if (isRecord(value)) return { objects: [value], rest: "" }
  const parts = splitObjects(text)
  const values = parts.objects.map((part) => parseJson(part))
  const damaged = parts.objects.find((_, index) => !isRecord(values[index]))
  return { objects: values.filter(isRecord), rest: damaged ?? parts.rest }
}

/** A reader for a format with one JSON object per line. */
export const jsonLines = (read: (line: Fields) => Signal[]): StreamReader => ({
  read(line) {
    if (isOverfull(line)) return [overfull]
    const { objects, rest } = objectsInLine(line)
    const problems = rest === "" ? [] : [unreadLine(rest)]
    try {
      return [...objects.flatMap((one) => read(one)), ...problems]
    } catch (cause) {
      // Very deep nesting exhausts the stack.
      if (cause instanceof RangeError) return [unreadLine(line.trim())]
      throw cause
    }
  },
})

/** The problem of an unreadable line: damaged data, or other text that programs print between the lines. */
const unreadLine = (text: string): Signal => {
  const start = sanitise(text.slice(0, 80))
  return {
    type: "problem",
    problem: text.startsWith("{")
      ? warning("malformed-line", `A line is not a JSON object and was skipped: ${start}`)
      : warning(otherTextCode, `A line is not part of the agent's output and was skipped: ${start}`),
  }
}

const otherTextCode = "other-text"

/** Whether the problem is harmless text between the lines of a stream, such as a program's warning. */
export const isOtherText = ({ code }: Problem): boolean => code === otherTextCode

/** The most values in a line. No real list has more, and this many fit into memory. */
const mostValues = 1_000_000

const isOverfull = (text: string): boolean => text.length > mostValues && hasMoreValues(text, mostValues)

const overfull: Signal = {
  type: "problem",
  problem: warning("too-many-values", "A line holds more values than Headway reads, and was skipped."),
}

export const activity = (
  agent: string,
  kind: ActivityKind,
  about: { tool?: unknown; at?: unknown; error?: string | undefined } & Pick<Activity, "on" | "isResult"> = {},
): Signal => ({
  type: "activity",
  agent,
  kind,
  ...known({
    tool: textOf(about.tool),
    on: textOf(about.on),
    at: isoTime(about.at),
    error: about.error,
    isResult: about.isResult,
  }),
  ...(about.error === interrupted ? { isInterrupted: true } : {}),
})

/** The end of a failed or interrupted turn. The reason comes from a service or client and may be missing. */
export const failedTurn = (agent: string, reason: unknown, about: { at?: unknown } = {}): Signal =>
  activity(agent, "turn-ended", { ...about, error: textOf(reason) ?? "The agent gave no reason." })

/** Reports that the agent has asked the person something and waits for a reply. */
export const waits = (
  agent: string,
  waitsFor: WaitsFor | undefined,
  about: { tool?: unknown; at?: unknown } = {},
): Signal => ({
  type: "activity",
  agent,
  kind: "waiting",
  ...known({ tool: textOf(about.tool), at: isoTime(about.at), waitsFor }),
})

/** The reason of an interrupted turn, for clients that give none in words. */
export const interrupted = "The turn was interrupted."

/** A message for display; nothing if it is empty. */
export const message = (agent: string, words: unknown, isPart = false): Signal[] => {
  const text = textOf(words)
  return text === undefined ? [] : [{ type: "message", agent, text, ...(isPart ? { isPart } : {}) }]
}

/** A name given by a client, shortened, because it may be a whole prompt. */
export const nameIn = (value: unknown): string | undefined => textOf(value)?.slice(0, longestName)

const longestName = 400

/** The person's prompt, if it has text. Shortened, because it may contain whole files. */
export const asked = (agent: string, words: unknown): Signal[] => {
  const text = textOf(words)
  return text === undefined ? [] : [{ type: "session", agent, asked: text.slice(0, longestAsked) }]
}

const longestAsked = 16_000

/** Reports a call of a tool that keeps no list, with a short description of its target. */
export const worked = (agent: string, about: { tool?: unknown; input?: unknown; at?: unknown }): Signal[] => {
  const [tool, on] = [textOf(about.tool), gistOf(about.input)]
  const doing = activity(agent, "tool", { ...about, on })
  return tool === undefined ? [doing] : [doing, { type: "message", agent, tool, text: on }]
}

/** The fields in which clients name a tool's target, the most informative first. */
const telling = ["command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "description", "prompt"]

const longestGist = 400

/** A short description of a tool's target. */
export const gistOf = (input: unknown): string => {
  if (typeof input === "string") return input.slice(0, longestGist)
  const fields = fieldsOf(input)
  const values = [...telling.map((name) => fields[name]), ...Object.values(fields)]
  const found = values.find((value) => textOf(value) !== undefined || isWords(value))
  return (Array.isArray(found) ? found.join(" ") : (textOf(found) ?? "")).slice(0, longestGist)
}

const isWords = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string")

/** A call of a list tool. Unknown facts about it are left out. */
export const observed = (call: {
  tool: string
  input: unknown
  result?: unknown
  session?: string | undefined
  agent?: string | undefined
  at?: unknown
  callId?: string | undefined
}): ToolCall => ({
  tool: call.tool,
  input: call.input,
  ...known({
    session: call.session,
    agent: call.agent,
    at: isoTime(call.at),
    callId: call.callId,
    result: call.result,
  }),
  observed: true,
})

export const seenCall = (
  agent: string,
  dialect: string,
  call: Parameters<typeof observed>[0] & { callId: string },
): Signal => ({ type: "call", agent, dialect, call: { ...observed({ ...call, agent }), callId: call.callId } })

export const snapshot = (agent: string, dialect: string, call: Parameters<typeof observed>[0]): Signal => ({
  type: "snapshot",
  agent,
  dialect,
  call: observed({ ...call, agent }),
})

/**
 * Turns the sessions of one connection into agent names: the first session is the main agent, others are named by their
 * id.
 */
export const agentsBySession = (): ((session: string | undefined) => string) => {
  let main: string | undefined
  return (session) => {
    main ??= session
    return session === undefined || session === main ? "main" : subAgentNamed(session)
  }
}
