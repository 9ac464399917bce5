/** The list tools as a host offers them: their definitions, their calls, and the prompts about them. */
import { type ToolDefinition, toolDefinitions } from "../dialects/definition.ts"
import { type Dialect, findDialect } from "../dialects/index.ts"
import {
  type GuidanceTools,
  type RemindersOptions,
  type SystemPromptSections,
  systemPromptSectionNames,
  systemPromptSections,
  toolsOf,
} from "../guidance/index.ts"
import { lineForModel, textForModel } from "../plan/index.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { Written } from "../tracker/written.ts"
import type { HostOptions, HostSystem, Overrides } from "./options.ts"

export type Toolset = {
  dialect: Dialect
  definitions: readonly ToolDefinition[]
  /** Whether this is one of our tools, by the host's name for it. */
  has(name: string): boolean
  /** Returns the reply to a model that calls an unknown tool. */
  unknown(name: string): string
  /** Handles a call. Never rejects because of a model's input, which may be a value or raw text. */
  call(tracker: Pick<Tracker, "write">, call: MadeCall): Promise<ToolAnswer>
  /** The tool names for guidance. */
  tools: GuidanceTools & { list: string[]; reading: string[] }
  /** The sections of the system prompt about the tools. */
  sections: SystemPromptSections
  /** The whole system prompt: these sections, with the host's own prompt. */
  system: string
  /** The options for `createReminders`. */
  reminders: RemindersOptions
}

export type MadeCall = {
  /** The host's name for the tool. */
  name: string
  input: unknown
  callId?: string | undefined
  /** When the call was made, if the agent may have been told about a person's change since then. */
  at?: string | undefined
  /** The agent that made the call, if several write to one plan. */
  agent?: string | undefined
  /** Distinguishes clients that may have the same agent name. */
  client?: string | undefined
}

export type ToolAnswer = { text: string; isError: boolean; data: unknown }

/** With `isOffered: false`, no text mentions the list. @default true */
export const createToolset = (options: HostOptions & { isOffered?: boolean } = {}): Toolset => {
  const { dialect: spoken = "headway", level = "quiet", overrides = {}, subagent, system } = options
  const { profile, rules, pace, generators, onProblem, gate, isOffered = true } = options
  const dialect = typeof spoken === "string" ? findDialect(spoken) : spoken
  const definitions = toolDefinitions(dialect, { ...options, overrides: overrides.tools })
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  const tools = { ...toolsOf(isOffered ? definitions : []), ...(subagent === undefined ? {} : { subagent }) }
  const sections = systemPromptSections({ tools, level, overrides: overrides.system })
  const unknown = (name: string): string => noSuchTool(name, [...byName.keys()])
  return {
    dialect,
    definitions,
    unknown,
    has: (name) => byName.has(name),
    async call(tracker, { name, input, callId, at, agent, client }) {
      const definition = byName.get(name)
      if (!definition) return { text: unknown(name), isError: true, data: undefined }
      const who = { ...(agent === undefined ? {} : { agent }), ...(client === undefined ? {} : { client }) }
      const named = { ...(callId === undefined ? {} : { callId }), ...(at === undefined ? {} : { at }), ...who }
      const { tool } = definition
      const call = { tool, ...(tool === name ? {} : { calledAs: name }), input, ...named }
      const written = await tracker.write(call, dialect, gate ? { gate } : {})
      const { ok, text, data } = written
      return { text: overrides.reply ? reworded(written, overrides.reply) : text, isError: !ok, data }
    },
    tools,
    sections,
    system: placed(sections, system),
    reminders: { tools, profile, rules, pace, generators, overrides: overrides.reminders, onProblem },
  }
}

/** The system prompt with our sections where the host wants them. */
export const placed = (sections: SystemPromptSections, system: HostSystem | undefined): string => {
  if (typeof system === "function") return system(sections)
  const own = systemPromptSectionNames.map((name) => sections[name])
  return [system ?? "", ...own].filter((text) => text !== "").join("\n\n")
}

/** The host's reply to a call, followed by a person's changes, which a host cannot leave out. */
const reworded = (written: Written, reply: NonNullable<Overrides["reply"]>): string => {
  const { text, notice = "" } = written
  const ours = notice === "" ? text : text.slice(0, -notice.length).trimEnd()
  return [textForModel(reply(written, ours)), notice].filter((part) => part !== "").join("\n\n")
}

const noSuchTool = (name: string, names: readonly string[]): string => {
  const asked = lineForModel(name.slice(0, 200).toWellFormed())
  return `There is no tool "${asked}". ${names.length > 1 ? "The tools are" : "The tool is"}: ${names.join(", ")}.`
}
