/** Reads the current list of one session from Claude Code's own files, fast: at most the end of a transcript. */
import { statSync } from "node:fs"
import { basename, join } from "node:path"
import { claudeTasks } from "../../dialects/claude-tasks.ts"
import { claudeTodos } from "../../dialects/claude-todos.ts"
import type { Dialect, ToolCall } from "../../dialects/dialect.ts"
import { readForeignText, withForeignFile } from "../../home/reading/foreign-file.ts"
import { activeTodo, apply, emptyPlan, type Plan } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import { fieldsOf, textOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import type { Now, ReadNow } from "../agent.ts"
import { readTaskFiles } from "../task-files.ts"
import { readClaudeTasks, readClaudeTodos } from "./list-files.ts"
import { claudeTranscript } from "./transcript.ts"

/** Undefined if the session has no list. Looks first where the newest clients store it. Never throws. */
export const readClaudeNow: ReadNow = ({ folder, session, transcript }) => {
  // The id becomes part of a path, which must not leave the folder.
  if (session === "" || basename(session) !== session || session.startsWith(".")) return undefined
  return (
    ignoring(() => fromTasks(join(folder, "tasks", session))) ??
    ignoring(() => fromTodos(join(folder, "todos", `${session}-agent-${session}.json`))) ??
    (transcript === undefined ? undefined : ignoring(() => fromTranscript(transcript, folder)))
  )
}

const ignoring = <Result>(read: () => Result | undefined): Result | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** A task's file is written mostly when its status changes. A finished list leaves an empty folder. */
const fromTasks = (folder: string): Now | undefined => {
  const { files } = readTaskFiles(folder)
  const plan = planAfter(emptyPlan, claudeTasks, readClaudeTasks(files).call)
  const native = activeTodo(plan)?.extra?.nativeId
  const timeOf = (name: string): number | undefined => ignoring(() => statSync(join(folder, name)).mtimeMs)
  const since = typeof native === "string" ? timeOf(`${native}.json`) : undefined
  return { plan, since, at: Math.max(0, ...files.map(({ name }) => timeOf(name) ?? 0)) }
}

const fromTodos = (path: string): Now | undefined => {
  const { call } = readClaudeTodos(readForeignText(path), basename(path)) ?? {}
  if (!call) return undefined
  const at = statSync(path).mtimeMs
  return { plan: planAfter(emptyPlan, claudeTodos, call), since: at, at }
}

/** In bytes. A list last written before this much of the transcript is probably not current. */
const tailLength = 1 << 20

/** Only lists sent whole can be read from the end of a file. Lists changed task by task have a folder. */
const fromTranscript = (path: string, folder: string): Now | undefined => {
  const reader = claudeTranscript.open()
  const all = tailOf(path)
  const team = teamIn(all)
  if (team !== undefined) return ignoring(() => fromTasks(join(folder, "tasks", team)))
  const lines = all.filter((line) => needles.some((needle) => line.includes(needle)))
  const signals = lines.flatMap((line) => reader.read(line))
  const refused = new Set(signals.flatMap((signal) => (signal.type === "result" && !signal.ok ? signal.callId : [])))
  let now: Now | undefined
  for (const call of signals.flatMap(listIn)) {
    if (call.callId !== undefined && refused.has(call.callId)) continue
    const before = now && activeTodo(now.plan)
    const plan = planAfter(now?.plan ?? emptyPlan, claudeTodos, call)
    const isSame = before !== undefined && activeTodo(plan)?.id === before.id
    now = { plan, since: isSame ? now?.since : timeOf(call), at: timeOf(call) }
  }
  return now
}

/** The session's team, whose name is also the name of the folder with its list. */
const teamIn = (lines: readonly string[]): string | undefined => {
  const line = lines.findLast((one) => one.includes('"teamName":"'))
  const name = textOf(fieldsOf(line === undefined ? undefined : parseJson(line)).teamName)
  return name?.replaceAll(/[^\w-]/g, "-")
}

/** Calls, refusals, and reminders that repeat the list. */
const needles = ["TodoW", '_error":t', "_remin"]

const listIn = (signal: Signal): ToolCall[] => {
  if (signal.type !== "call" && signal.type !== "snapshot") return []
  return signal.agent === "main" && signal.dialect === "claude-todos" ? [signal.call] : []
}

const planAfter = (plan: Plan, dialect: Dialect, call: ToolCall): Plan =>
  apply(plan, dialect.decode({ ...call, observed: true }, plan).events).plan

const timeOf = ({ at }: ToolCall): number | undefined => (at === undefined ? undefined : Date.parse(at))

/** The complete lines at the end of a file. */
const tailOf = (path: string): string[] =>
  withForeignFile(path, ({ read, stats: { size } }) => {
    const start = Math.max(0, size - tailLength)
    const bytes = Buffer.allocUnsafe(size - start)
    const text = bytes.toString("utf8", 0, read(bytes, 0, bytes.length, start))
    return (start === 0 ? text : text.slice(text.indexOf("\n") + 1)).split("\n")
  })
