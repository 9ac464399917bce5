/**
 * The format of a scripted model: a JSON array of turns, or one turn per line.
 *
 *     [
 *       { "text": "Let me look.", "calls": [{ "tool": "Read", "input": { "file_path": "a.ts" } }] },
 *       { "thinking": "Hm.", "text": "Done.", "usage": { "input": 9000, "output": 12 } },
 *       { "thread": "searcher", "when": { "system": "You search" } },
 *       { "text": "Nothing found." }
 *     ]
 *
 * Turns are played in order, one for each request. A `thread` begins a separate sequence, for the requests that its
 * `when` describes, such as those of a sub-agent or of a summary. All others get `main`, which begins at the top. Each
 * request gets the next turn of its thread, so sub-agents that work in parallel need one thread each.
 */
import { z } from "zod"
import { messageOf } from "../plan/headway-error.ts"
import { HeadwayError } from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"

export type Script = { threads: Thread[] }

export type Thread = { name: string; when?: When; turns: Turn[] }

/** All given conditions must be met. Words match in upper and lower case. */
export type When = {
  /** Words of the system prompt. */
  system?: string | undefined
  /** Words of the user's first message, which for a sub-agent is its task. */
  prompt?: string | undefined
  /** Words of the newest message, which may be a tool's result. */
  last?: string | undefined
  model?: string | undefined
  /** Whether the request offers tools. Clients also send requests without tools, such as for a title. */
  tools?: boolean | undefined
}

export type Turn = Speech | { error: TurnError; repeat?: Repeat | undefined }

export type Speech = {
  text?: string | undefined
  thinking?: string | undefined
  calls?: ScriptCall[] | undefined
  /** In tokens; estimated if not given. A large `input` makes the context seem full. */
  usage?: { input?: number | undefined; output?: number | undefined } | undefined
  /** Why the answer ends, if not because it is complete. */
  stop?: "length" | "refusal" | undefined
  /** Closes the connection after this many pieces of the answer, or before an answer that is not streamed. */
  drop?: number | undefined
  /** Like `drop`, but the connection stays open and silent until the other side gives up. */
  hang?: number | undefined
  repeat?: Repeat | undefined
}

export type ScriptCall = {
  /** The name of an offered tool, or its end: `todo` also calls `mcp__headway__todo`. */
  tool: string
  /** Any JSON. A string is sent as it is, instead of JSON. @default {} */
  input?: unknown
  /** @default a new one */
  id?: string | undefined
}

/** An answer with an HTTP error status. */
export type TurnError = { status: number; message?: string | undefined }

/** How many times the turn is played; `true` means for ever, like a model that never stops. @default 1 */
export type Repeat = number | true

/** Reads a script. Throws a `HeadwayError` that names the wrong turn and says what would be right. */
export const readScript = (text: string): Script => {
  const threads: Thread[] = [{ name: "main", turns: [] }]
  const mistakes: string[] = []
  for (const { place, value } of entriesOf(text)) {
    const { entry, wrong } = readEntry(value, threads)
    mistakes.push(...wrong.map((sentence) => `${place}: ${sentence}`))
    if (!entry) continue
    if (!("thread" in entry)) threads.at(-1)?.turns.push(entry)
    else threads.push({ name: entry.thread, when: entry.when, turns: [] })
  }
  if (mistakes.length > 0) throw wrongScript(mistakes)
  return { threads }
}

const wrongScript = (mistakes: readonly string[]): HeadwayError => {
  const more = mistakes.length > mostTold ? [`… and ${mistakes.length - mostTold} more.`] : []
  return new HeadwayError("script-invalid", [...mistakes.slice(0, mostTold), ...more].join("\n"))
}

const mostTold = 5

type Placed = { place: string; value: unknown }

const entriesOf = (text: string): Placed[] => {
  const trimmed = text.replace(/^\uFEFF/, "").trim()
  if (trimmed === "") throw wrongScript(["The script is empty. It takes a JSON array of turns, or one turn a line."])
  if (!trimmed.startsWith("[")) return lineEntries(text.replace(/^\uFEFF/, ""))
  const value = parse(trimmed, "The script is not valid JSON") as unknown[]
  return value.map((turn, index) => ({ place: `Turn ${index + 1}`, value: turn }))
}

const lineEntries = (text: string): Placed[] =>
  text.split("\n").flatMap((line, index) => {
    const place = `Line ${index + 1}`
    if (line.trim() === "") return []
    return [{ place, value: parse(line, `${place} is not valid JSON (one turn a line, or all in one array)`) }]
  })

const parse = (text: string, place: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw wrongScript([`${place}: ${messageOf(cause)}`])
  }
}

const times = "takes true, for ever, or how many times"
const repeat = z.union([z.literal(true), z.int().min(1, times)], times).optional()
const count = z.int("takes a whole number").min(0, "takes a number from 0")

const speech = z.strictObject({
  text: z.string().optional(),
  thinking: z.string().optional(),
  calls: z
    .array(z.strictObject({ tool: z.string().min(1), input: z.unknown().optional(), id: z.string().min(1).optional() }))
    .optional(),
  usage: z.strictObject({ input: count.optional(), output: count.optional() }).optional(),
  stop: z.enum(["length", "refusal"]).optional(),
  drop: count.optional(),
  hang: count.optional(),
  repeat,
})

const failure = z.strictObject({
  error: z.strictObject({ status: z.int().min(400).max(599), message: z.string().optional() }),
  repeat,
})

const words = z.string().min(1).optional()

const header = z.strictObject({
  thread: z.string().min(1),
  when: z
    .strictObject({ system: words, prompt: words, last: words, model: words, tools: z.boolean().optional() })
    .refine(
      (when) => Object.keys(when).length > 0,
      'needs at least one of "system", "prompt", "last", "model", "tools"',
    ),
})

type Entry = Turn | z.infer<typeof header>

const readEntry = (value: unknown, threads: readonly Thread[]): { entry?: Entry; wrong: string[] } => {
  if (!isRecord(value)) return { wrong: ['A turn is an object, such as { "text": "Done." }.'] }
  const schema = "thread" in value || "when" in value ? header : "error" in value ? failure : speech
  const read = (schema as z.ZodType<Entry>).safeParse(value)
  if (!read.success) return { wrong: read.error.issues.map(describeIssue) }
  return { entry: read.data, wrong: misplaced(read.data, threads) }
}

const describeIssue = ({ path, message }: z.core.$ZodIssue): string => {
  const name = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("")
  return name === "" ? `${message}.` : `"${name.slice(1)}": ${message}.`
}

/** What each for itself would be right. */
const misplaced = (entry: Entry, threads: readonly Thread[]): string[] => {
  if ("thread" in entry) {
    return threads.some(({ name }) => name === entry.thread) ? [`There is already a thread "${entry.thread}".`] : []
  }
  if (threads.at(-1)?.turns.at(-1)?.repeat === true)
    return ["It is never reached: the turn before it repeats for ever."]
  if ("error" in entry) return []
  if (entry.drop !== undefined && entry.hang !== undefined) return ['It takes "drop" or "hang", not both.']
  const isSpoken = ["text", "thinking", "calls", "drop", "hang", "stop"].some((key) => key in entry)
  return isSpoken
    ? []
    : ['It says nothing. Give "text", "thinking", "calls" or "error"; "text": "" is an empty answer.']
}
