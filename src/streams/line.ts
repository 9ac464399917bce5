/** Shared by readers of JSON lines: parses a line to an object or a problem, and reads untrusted fields. */
import type { ToolCall } from "../dialects/dialect.ts"
import { isoTime, type Problem, sanitise, warning } from "../plan/index.ts"
import { hasMoreValues, parseJson, splitObjects } from "../plan/json.ts"
import { isRecord } from "../plan/log/shape.ts"
import type { Activity, ActivityKind, Signal, StreamReader, WaitsFor } from "./stream.ts"
import { subAgentNamed } from "./sub-agent-name.ts"

export { subAgentNamed } from "./sub-agent-name.ts"

export type Fields = Record<string, unknown>

/** The value if it is an object, else one without fields. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const objectsOf = (value: unknown): Fields[] => listOf(value).filter(isRecord)

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/** Looks up a name chosen by a file, which may be the name of an object property. */
export const ownOf = <Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined

/** The object without the fields that are undefined, so that "not known" is an absent field. */
export const known = <Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never

/**
 * The objects of a line: mostly one, and several where a writer lost the line end between them. `rest` is what cannot be
 * read of it.
 */
export const objectsInLine = (line: string): { objects: Fields[]; rest: string } => {
  const text = line.replace(/^\uFEFF/, "").trim()
  // A failed parse costs more than all the rest: what cannot be an object is not even tried, floods of text come by.
  if (!text.startsWith("{") || isOverfull(text)) return { objects: [], rest: text }
  const value = parseJson(text)
  if (isRecord(value)) return { objects: [value], rest: "" }
  const parts = splitObjects(text)
  const values = parts.objects.map((part) => parseJson(part))
  const damaged = parts.objects.find((_, index) => !isRecord(values[index]))
  return { objects: values.filter(isRecord), rest: damaged ?? parts.rest }
}

/** A reader of a format that is one JSON object a line. */
export const jsonLines = (read: (line: Fields) => Signal[]): StreamReader => ({
  read(line) {
    if (isOverfull(line)) return [overfull]
    const { objects, rest } = objectsInLine(line)
    const problems = rest === "" ? [] : [unreadLine(rest)]
    try {
      return [...objects.flatMap((one) => read(one)), ...problems]
    } catch (cause) {
      // A million levels of nesting would exhaust the stack.
      if (cause instanceof RangeError) return [unreadLine(line.trim())]
      throw cause
    }
  },
})

/** A line that cannot be read: one that was to be data is damaged, and any other is what programs print beside it. */
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

/** Whether the problem is text between the lines of a stream, such as the warnings of programs, which is no damage. */
export const isOtherText = ({ code }: Problem): boolean => code === otherTextCode

/** No list has so many; all that they would take in memory can be had. */
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

/** The agent has asked the person something and waits for a reply. */
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

/** As clients say it that name the reason by a word. */
export const interrupted = "The turn was interrupted."

/** Words to show along the way, where there are any. */
export const message = (agent: string, words: unknown, isPart = false): Signal[] => {
  const text = textOf(words)
  return text === undefined ? [] : [{ type: "message", agent, text, ...(isPart ? { isPart } : {}) }]
}

/** A name that a client gives to something, in short: it may be a whole prompt. */
export const nameIn = (value: unknown): string | undefined => textOf(value)?.slice(0, longestName)

const longestName = 400

/** What the person asked, where they said anything. Only so much of it is kept: it may hold whole files. */
export const asked = (agent: string, words: unknown): Signal[] => {
  const text = textOf(words)
  return text === undefined ? [] : [{ type: "session", agent, asked: text.slice(0, longestAsked) }]
}

const longestAsked = 16_000

/** Work with a tool that has nothing to do with a list: that it is done, and in short on what. */
export const worked = (agent: string, about: { tool?: unknown; input?: unknown; at?: unknown }): Signal[] => {
  const [tool, on] = [textOf(about.tool), gistOf(about.input)]
  const doing = activity(agent, "tool", { ...about, on })
  return tool === undefined ? [doing] : [doing, { type: "message", agent, tool, text: on }]
}

/** Fields that say what a tool is used on, the most telling first; every client has its own names. */
const telling = ["command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "description", "prompt"]

const longestGist = 400

/** Briefly what a tool is used on. */
export const gistOf = (input: unknown): string => {
  if (typeof input === "string") return input.slice(0, longestGist)
  const fields = fieldsOf(input)
  const values = [...telling.map((name) => fields[name]), ...Object.values(fields)]
  const found = values.find((value) => textOf(value) !== undefined || isWords(value))
  return (Array.isArray(found) ? found.join(" ") : (textOf(found) ?? "")).slice(0, longestGist)
}

const isWords = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string")

/** A call as it was seen: what is not known about it is left out. */
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

/** Names the sessions of one connection as agents: the first one seen is the main agent, others go by their id. */
export const agentsBySession = (): ((session: string | undefined) => string) => {
  let main: string | undefined
  return (session) => {
    main ??= session
    return session === undefined || session === main ? "main" : subAgentNamed(session)
  }
}
