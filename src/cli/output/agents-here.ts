/** Lists the agents found here, which are set up, and what each supports. */

import { loadConnectedAgents } from "../../agents/index.ts"
import { inspectParts, isFound } from "../../bridges/doctor/inspect.ts"
import { type SetupContext, scopeOf, whereOf } from "../bridge/agent-setup.ts"
import { printJson } from "./plan-json.ts"
import { type Cell, tableLines } from "./table.ts"

export const printAgentsHere = async (context: SetupContext): Promise<number> => {
  const { io, values } = context
  const where = whereOf(context)
  const scope = scopeOf(context)
  const found = (await loadConnectedAgents()).map((agent) => {
    const parts = Object.entries(inspectParts(agent, where, scope))
    const connected = parts.filter(([, { words }]) => words !== undefined).map(([part]) => part)
    const names = parts.map(([part]) => part)
    return { agent: agent.id, title: agent.title, isFound: isFound(agent, where), parts: names, connected }
  })
  if (values.json) {
    io.out(printJson(found))
    return 0
  }
  const rows = found.map((one) => [one.agent, stateCell(one), namesText(one.parts)])
  const columns = io.columns ?? Number.POSITIVE_INFINITY
  io.out(tableLines([["AGENT", "HERE", "CAN HAVE"], ...rows], columns, values.ascii === true))
  io.err('headway: Set one up with "headway setup AGENT"; --dry-run shows what would change.\n')
  return 0
}

const partNames: Record<string, string> = { mcp: "tool", hooks: "hooks", statusLine: "status line" }

const namesText = (parts: readonly string[]): string => parts.map((part) => partNames[part] ?? part).join(", ")

const stateCell = ({ isFound: isHere, connected }: { isFound: boolean; connected: readonly string[] }): Cell => {
  if (connected.length > 0) return { text: `set up: ${namesText(connected)}`, style: { colour: "green" } }
  return isHere ? "found, not set up" : { text: "not found", style: { dim: true } }
}
