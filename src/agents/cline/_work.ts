/** Reads the work of Cline's tools and its outcome. One call may run several commands. */
import { parseJson } from "../../plan/json.ts"
import { type Fields, fieldsOf, listOf, objectsOf, textOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { commandText, createWork, delegationOf, editOf, type WorkResult, type WorkTools } from "../../streams/work.ts"
import { codeIn, commonResult, commonTools } from "../common-tools.ts"

const commandTool = "run_commands"

const tools: WorkTools = {
  ...commonTools,
  [commandTool]: ({ command }) => ({ kind: "command", command: commandText(command) }),
  apply_patch: editOf("path"),
  spawn_agent: delegationOf("task"),
  team_run_task: delegationOf("task"),
}

export const createClineWork = (isWanted: boolean) => {
  const work = createWork(isWanted ? tools : undefined)
  /** How many commands a call runs if more than one, by call id. */
  const several = new Map<string, number>()

  return {
    isWanted: work.isWanted,
    began(call: { tool: unknown; callId: string | undefined; input: unknown; at: unknown }): Signal[] {
      const { callId, input, at } = call
      const tool = textOf(call.tool) ?? ""
      if (!work.isWanted || callId === undefined) return []
      if (tool !== commandTool) return work.began("main", { callId, tool, input, at })
      const commands = commandsIn(input)
      if (commands.length > 1 && several.size < mostCalls) several.set(callId, commands.length)
      return commands.flatMap((command, index) =>
        work.began("main", { callId: partId(callId, index), tool, input: { command }, at }),
      )
    },
    /** `output` is the result's data, or its text. */
    ended(callId: string | undefined, output: unknown, isError: boolean, at: unknown): Signal[] {
      if (!work.isWanted || callId === undefined) return []
      const results = resultsIn(output)
      const count = several.get(callId) ?? 1
      several.delete(callId)
      return Array.from({ length: count }, (_, index) =>
        work.ended("main", partId(callId, index), resultOf(results[index], output, isError), at),
      ).flat()
    },
  }
}

const [mostCalls, mostCommands] = [10_000, 100]

const partId = (callId: string, index: number): string => (index === 0 ? callId : `${callId} ${index}`)

/** The commands of an input: a text, a program with its arguments, or a list of these, in one of several fields. */
const commandsIn = (input: unknown): string[] => {
  const { commands, command, cmd, args } = fieldsOf(input)
  const given = commands ?? (command === undefined ? (cmd ?? input) : { command, args })
  const all = Array.isArray(given) ? given.slice(0, mostCommands) : [given]
  return all.map((one) => {
    const { command: program, args: words } = fieldsOf(one)
    if (typeof one === "string") return one
    return listOf(words).length > 0 ? commandText([program, ...listOf(words)]) : commandText(program)
  })
}

const resultsIn = (output: unknown): Fields[] => {
  const value = typeof output === "string" ? parseJson(output) : output
  return Array.isArray(value) ? objectsOf(value) : [fieldsOf(value)]
}

const resultOf = ({ result, error, success }: Fields = {}, output: unknown, isError: boolean): WorkResult => {
  const text = textOf(result) ?? textOf(error) ?? textOf(output) ?? ""
  const code = codeIn(/^\[?Command exited with code (\d{1,3})\b/, text) ?? codeIn(exited, textOf(error) ?? "")
  return commonResult(text.replace(/^\[Command exited with code \d+\]\n?/, ""), {
    code,
    isError: isError || success === false,
  })
}

const exited = /^Command exited with code (\d{1,3})\b/
