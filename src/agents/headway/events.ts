/** Our own unified lines, as `headway events` prints them: whole lists and turns, whichever agent they came from. */
import {
  activity,
  type Fields,
  failedTurn,
  fieldsOf,
  jsonLines,
  known,
  listOf,
  snapshot,
  textOf,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { createOwnWork } from "./_work.ts"

export const headwayEvents = {
  id: "headway-events",
  agentType: "headway",
  title: "headway events",
  // The reference agent prints the same lists among other lines, but begins with its session.
  recognises: ({ type, agentId, items, state, isResumed }) =>
    typeof agentId === "string" &&
    ((type === "todo_list" && Array.isArray(items)) ||
      (type === "turn" && typeof state === "string") ||
      (type === "session_started" && typeof isResumed === "boolean")),
  // The type of the only lines with a list.
  needles: ["_list"],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    const seen = new Set<string>()
    const workOf = createOwnWork(wants?.work === true)
    return jsonLines((line) => {
      const agent = textOf(line.agentId) ?? "main"
      const signals = [
        ...(line.type === "turn" ? readTurn(line, agent) : readList(line, agent)),
        ...workOf(line, agent),
      ]
      if (seen.has(agent) || signals.length === 0) return signals
      seen.add(agent)
      const parent = textOf(line.parentId)
      return [{ type: "session", agent, ...(parent === undefined ? {} : { parent: { agent: parent } }) }, ...signals]
    })
  },
} satisfies Stream

const readList = (line: Fields, agent: string): Signal[] => {
  if (line.type !== "todo_list" || !Array.isArray(line.items)) return []
  const todos = listOf(line.items).map((item) => {
    const { text, ...rest } = fieldsOf(item)
    return { content: text, ...rest }
  })
  const call = known({ callId: textOf(line.eventId), at: line.timestamp })
  return [snapshot(agent, "headway", { tool: "todo", input: { todos, replace: true }, ...call })]
}

const readTurn = ({ state, timestamp: at, error }: Fields, agent: string): Signal[] => {
  if (state === "started") return [activity(agent, "prompt", { at })]
  if (state === "ended") return [activity(agent, "turn-ended", { at })]
  return state === "failed" ? [failedTurn(agent, error, { at })] : []
}
