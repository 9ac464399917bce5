/** A scripted run of fifty turns, replayed with the guidance a host may choose: what the model reads of it, request by request. */
import { readFileSync } from "node:fs"
import { encode } from "gpt-tokenizer"
import { toolDefinitions } from "../../src/dialects/definition.ts"
import { dialects } from "../../src/dialects/index.ts"
import {
  beforeTurn,
  createReminders,
  type GuidanceLevel,
  type Profile,
  systemPrompt,
  toolsOf,
} from "../../src/guidance/index.ts"
import { edits } from "../../src/plan/index.ts"
import { open, person } from "../tracker/open.ts"

type Turn = {
  request: number
  /** What happens before the turn: a person adds a todo, the conversation is compacted. */
  before?: { edit?: string; compaction?: true }
  calls: { tool: string; input?: unknown }[]
}

export type RunCost = {
  /** Tokens of the system prompt's sections and of the tool, which every request carries. */
  sections: number
  definition: number
  /** What was said between turns: the request it came with, its type, its tokens. */
  reminders: { request: number; type: string; tokens: number }[]
  /** Tokens of guidance in a request, on average: what is still in the conversation counts again. */
  perTurn: number
}

export const replayRun = async (level: GuidanceLevel, profile: Profile): Promise<RunCost> => {
  const dialect = dialects["claude-todos"]
  const definitions = toolDefinitions(dialect, { level })
  const tools = { ...toolsOf(definitions), subagent: "Task" }
  const forTheApi = definitions.map(({ name, description, inputSchema }) => ({
    ...{ name, description, input_schema: inputSchema },
  }))
  const definition = tokens(JSON.stringify(forTheApi))
  const sections = tokens(systemPrompt({ tools, level }))
  const reminders = createReminders({ tools, profile, newId: () => "u", now: () => new Date(0) })
  const tracker = await open()
  const costs: RunCost["reminders"] = []
  let inSight = 0
  let total = 0
  for (const { request, before = {}, calls } of script()) {
    if (before.edit !== undefined) await tracker.edit(person, () => edits.add(before.edit ?? ""))
    if (before.compaction) {
      reminders.saw({ role: "compaction" })
      inSight = 0
    }
    const situation = await beforeTurn(tracker, before.compaction ? { restored: "compact" } : {})
    for (const { attachment, message } of await reminders.due(situation)) {
      const cost = tokens(message.content)
      costs.push({ request, type: attachment.attachment.type, tokens: cost })
      inSight += cost
    }
    total += definition + sections + inSight
    reminders.saw({ role: "assistant", tools: calls.map(({ tool }) => tool) })
    for (const { tool, input } of calls) if (input !== undefined) await tracker.write({ tool, input }, dialect)
    reminders.saw({ role: "user" })
  }
  return { sections, definition, reminders: costs, perTurn: total / script().length }
}

const script = (): Turn[] =>
  readFileSync("test/fixtures/runs/fifty-turns.jsonl", "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Turn)

const tokens = (text: string): number => encode(text).length
