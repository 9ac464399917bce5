/** The contract of a scenario: what a model is made to say through a client, and the facts that must follow. */
import { textOf } from "../../src/scripted/exchange.ts"
import type { LoopbackRequest } from "../../src/scripted/loopback.ts"
import type { ScriptCall, Turn } from "../../src/scripted/script.ts"
import type { Client } from "../clients/client.ts"
import type { Stage, StageOptions } from "../stage.ts"

export type ScenarioId =
  | "set-up"
  | "tool"
  | "native"
  | "compaction"
  | "resuming"
  | "beginning"
  | "clearing"
  | "sub-agent"
  | "stopping"
  | "evidence"
  | "gate"
  | "ending"
  | "killing"
  | "edit-native"
  | "twins"
  | "forking"
  | "run"
  | "plugin"

export interface Scenario {
  id: ScenarioId
  /** What is tried, for the table in the guide. */
  about: string
  /** Each is played on a machine of its own; none only where the client says that it cannot. */
  acts(client: Client): readonly Act[]
}

export type Act = Pick<StageOptions, "turns" | "delegated" | "setup" | "isInstalled" | "meanwhile"> & {
  play(stage: Stage): Promise<Fact[]>
}

export type Fact = {
  what: string
  ok: boolean
  /** What was seen instead, or what is worth seeing. */
  seen: string
  /** What the client cannot do, where that is the fact. */
  cannot?: string
}

/** A question waits for the person, so that the agent is not sent back to work after it. */
export const askingTurn: Turn = { text: "Shall I go on?" }

export const ownList = [
  { content: "Read the notes", status: "in_progress" },
  { content: "Write the report", status: "pending" },
]

export const ownCall = ({ ownTool: tool, ownToolUnlisted }: Client, input: object): ScriptCall =>
  ownToolUnlisted?.call(input) ?? { tool, input }

/** The client came to its end by itself. */
export const endedWell = ({ code, isLate, err }: Awaited<ReturnType<Stage["converse"]>>): Fact => ({
  what: "the client ends by itself, without an error",
  ok: code === 0 && !isLate,
  seen: isLate ? "it had to be ended" : code === 0 ? "" : `exit ${code}: ${err.trim().slice(-400)}`,
})

/** Everything the model could read in a request. */
export const wordsOf = (request: LoopbackRequest | undefined): string => {
  if (!request) return ""
  const { system, messages } = request.neutral
  return [system, ...messages.map(textOf)].join("\n")
}

/** How often a text stands in another. */
export const timesIn = (text: string, part: string): number => text.split(part).length - 1

type Shown = { todos: { content: string; status: string }[] }

/** The plan as `headway show` tells it, one `status content` a todo; without a session that of the newest. */
export const shownPlan = (stage: Stage, session?: string): string[] => {
  const { code, out } = stage.headway("show", "--json", ...(session === undefined ? [] : ["--session", session]))
  return code === 0 ? (JSON.parse(out) as Shown).todos.map(({ content, status }) => `${status} ${content}`) : []
}

/** The sessions `headway list` knows, the newest first, with sub-agents left out. */
export const listedSessions = (stage: Stage): { session: string; todos: number }[] => {
  const rows = JSON.parse(stage.headway("list", "--json").out || "[]") as {
    session: string
    agent: string
    todos: number
  }[]
  return rows.filter(({ agent }) => agent === "main")
}

/** Every state that `headway list` shows. */
export const statesOf = (stage: Stage): string[] =>
  (JSON.parse(stage.headway("list", "--json").out || "[]") as { state: string }[]).map(({ state }) => state)

/** A fact about two lists that must be the same. */
export const sameList = (what: string, seen: readonly string[], wanted: readonly string[]): Fact => ({
  what,
  ok: JSON.stringify(seen) === JSON.stringify(wanted),
  seen: seen.join(", ") || "nothing",
})
