/** Servers, killed while clients call them without a pause. */
import type { ChildProcess } from "node:child_process"
import { checkHome } from "../home-check.ts"
import type { Machine } from "../machine.ts"
import { addTodo, isAcknowledged, type McpClient } from "../mcp-client.ts"
import { below } from "../random.ts"
import { afterNext, killOften, killSummary, notOnce, runningChild, writtenFolders } from "./_kill.ts"
import type { Stage, Verdict } from "./attack.ts"

export type ServerKills = {
  rounds: number
  what: string
  start(): Promise<{ child: ChildProcess; client: McpClient }>
}

/** Milliseconds a few calls take. */
const fewCalls = 30

export const killServers = async (
  { random, ...stage }: Stage,
  machine: Machine,
  { rounds, what, start }: ServerKills,
): Promise<Verdict> => {
  const acknowledged: string[] = []
  const kills = await killOften(
    { random, ...stage },
    {
      rounds: rounds - 1,
      folders: writtenFolders(machine.headwayHome),
      start: async (round) => {
        const { child, client } = await start()
        let number = 0
        const callOnce = async (): Promise<void> => {
          number += 1
          const content = `Call ${number} of round ${round}`
          if (isAcknowledged(await client.call("tools/call", addTodo(content)))) acknowledged.push(content)
        }
        for (let more = below(random, 4); more >= 0; more -= 1) await callOnce()
        const callOn = async (): Promise<void> => {
          for (;;) await callOnce()
        }
        // It ends with the server.
        callOn().catch(() => {})
        return { ...runningChild(child), span: fewCalls }
      },
      after: () => afterNext(machine, ["show", "--session", "s"]),
    },
  )
  const { plans } = await checkHome(machine.headwayHome)
  const there = plans.flatMap(({ plan }) => plan.todos.map(({ content }) => content))
  return {
    tried: `${killSummary(kills, what)}, ${acknowledged.length} calls acknowledged`,
    broken: [...kills.broken, ...notOnce(acknowledged, there)],
  }
}
