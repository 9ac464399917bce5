/** Reads the work of Headway's own agent and its outcome. */
import { type Fields, textOf } from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import {
  commandOf,
  createWork,
  delegationOf,
  editOf,
  reading,
  type WorkResult,
  type WorkTools,
} from "../../streams/work.ts"

const tools: WorkTools = {
  Bash: commandOf("command"),
  Edit: editOf("file_path"),
  Write: editOf("file_path"),
  Task: delegationOf("description"),
  Read: reading,
  Grep: reading,
  Glob: reading,
}

/** Reads the calls and results among the lines of a run. */
export const createOwnWork = (isWanted: boolean) => {
  const work = createWork(isWanted ? tools : undefined)
  /** Agents whose last call the person has refused. */
  const refused = new Set<string>()
  /** Calls that started a sub-agent without any line so far, the oldest first. */
  const started: string[] = []

  return (line: Fields, agent: string): Signal[] => {
    const callId = textOf(line.id)
    if (!isWanted) return []
    if (line.type === "tool_call") {
      const began = work.began(agent, { callId, tool: textOf(line.tool) ?? "", input: line.input })
      if (callId !== undefined && began.some((one) => one.type === "work" && one.work.kind === "delegation"))
        started.push(callId)
      return began
    }
    if (line.type === "permission" && line.allowed === false) refused.add(agent)
    if (line.type === "agent_started") {
      const by = started.shift()
      return by === undefined ? [] : [{ type: "session", agent, parent: { agent: "main", callId: by } }]
    }
    if (line.type !== "tool_result" || callId === undefined) return []
    const isRefused = line.isError === true && refused.delete(agent)
    return work.ended(agent, callId, resultOf(textOf(line.text) ?? "", line.isError === true, isRefused))
  }
}

const resultOf = (text: string, isError: boolean, isRefused: boolean): WorkResult => {
  const [, code] = /\(Exit code (\d{1,3})\.\)$/.exec(text) ?? []
  const isStopped = isRefused || (isError && /(?:\(Interrupted\.\)|^Interrupted by the user)/.test(text))
  return {
    output: text,
    ...(code === undefined ? { isError } : { exitCode: Number(code) }),
    ...(isStopped ? { isRefused: true } : {}),
    ...(isError && /\(Ended: it took longer than [^)]+\)$/.test(text.slice(-200)) ? { isTimedOut: true } : {}),
  }
}
