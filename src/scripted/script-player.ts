/**
 * Plays a script: answers each request with the next turn of its thread, with ids, token counts and the request's tool
 * names.
 */
import { randomUUID } from "node:crypto"
import {
  type Asked,
  countTokens,
  type Failure,
  type ModelReply,
  type OfferedTool,
  type ReplyCall,
  textOf,
  tokensIn,
} from "./exchange.ts"
import type { Script, ScriptCall, Speech, Thread, Turn, When } from "./script.ts"

/** One answer, with its thread and turn. Without a turn, the script has run out. */
export type Played = { thread: string; turn?: number } & (
  | { reply: ModelReply; failure?: undefined }
  | { failure: Failure; reply?: undefined }
)

export type Player = { answer(asked: Asked): Played }

export type PlayerOptions = {
  /** Makes ids of calls. They must be unique, even across processes that resume a session. */
  newId?: () => string
}

export const createPlayer = (script: Script, { newId = randomCallId }: PlayerOptions = {}): Player => {
  const cursors = new Map<string, Cursor>()
  return {
    answer(asked) {
      const thread = threadFor(asked, script)
      const cursor = cursors.get(thread.name) ?? { at: 0, times: 0 }
      cursors.set(thread.name, cursor)
      const turn = thread.turns[cursor.at]
      const played = { thread: thread.name, ...(turn ? { turn: cursor.at } : {}) }
      if (turn) advance(cursor, turn)
      if (turn && "error" in turn) {
        return { ...played, failure: { status: turn.error.status, message: turn.error.message ?? "Scripted error" } }
      }
      return { ...played, reply: speak(turn ?? nothingLeft, asked, newId) }
    },
  }
}

type Cursor = { at: number; times: number }

const nothingLeft: Speech = { text: "The script ends here." }

const randomCallId = (): string => `call_${randomUUID().replaceAll("-", "").slice(0, 20)}`

const advance = (cursor: Cursor, { repeat = 1 }: Turn): void => {
  if (repeat === true) return
  cursor.times += 1
  if (cursor.times < repeat) return
  cursor.at += 1
  cursor.times = 0
}

const threadFor = (asked: Asked, { threads }: Script): Thread =>
  threads.find(({ when }) => when && isMeant(when, asked)) ?? threads[0] ?? { name: "main", turns: [] }

const isMeant = ({ system, prompt, last, model, tools }: When, asked: Asked): boolean => {
  const first = asked.messages.find(({ role }) => role === "user")
  const newest = asked.messages.at(-1)
  return (
    holds(asked.system, system) &&
    holds(first ? textOf(first) : "", prompt) &&
    holds(newest ? textOf(newest) : "", last) &&
    holds(asked.model, model) &&
    (tools === undefined || tools === asked.tools.length > 0)
  )
}

const holds = (text: string, words: string | undefined): boolean =>
  words === undefined || text.toLowerCase().includes(words.toLowerCase())

const speak = (turn: Speech, asked: Asked, newId: () => string): ModelReply => {
  const { text = "", thinking = "", drop, hang } = turn
  const calls = (turn.calls ?? []).map((call) => spokenCall(call, asked.tools, newId))
  const length = text.length + thinking.length + calls.reduce((sum, { input }) => sum + input.length, 0)
  return {
    text,
    thinking,
    calls,
    usage: { input: turn.usage?.input ?? countTokens(asked), output: turn.usage?.output ?? tokensIn(length) },
    stop: turn.stop ?? (calls.length > 0 ? "calls" : "end"),
    ...(drop === undefined ? {} : { breaks: { after: drop, how: "drop" } }),
    ...(hang === undefined ? {} : { breaks: { after: hang, how: "hang" } }),
  }
}

const spokenCall = (call: ScriptCall, tools: readonly OfferedTool[], newId: () => string): ReplyCall => {
  const { tool, input = {}, id } = call
  const offered = findTool(tool, tools)
  return {
    id: id ?? newId(),
    tool: offered?.name ?? tool,
    input: typeof input === "string" ? input : JSON.stringify(input),
    ...(offered ? { offered } : {}),
  }
}

/**
 * Finds a tool by its name without the prefix that clients add for foreign tools: the shortest name that ends with it.
 */
const findTool = (name: string, tools: readonly OfferedTool[]): OfferedTool | undefined => {
  const exact = tools.find((tool) => tool.name === name)
  if (exact) return exact
  const alike = tools.filter((tool) => tool.name.endsWith(name) && /[^a-z\d]$/i.test(tool.name.slice(0, -name.length)))
  return alike.toSorted((one, other) => one.name.length - other.name.length)[0]
}
