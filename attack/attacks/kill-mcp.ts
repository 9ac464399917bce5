/** `headway mcp`, killed at random moments while calls are made. */
import { createMachine } from "../machine.ts"
import { connectByPipe } from "../mcp-client.ts"
import { killServers } from "./_kill-servers.ts"
import type { Attack } from "./attack.ts"

export const killMcp: Attack = {
  id: "kill-mcp",
  about: "a killed MCP server loses no call it had answered",
  rounds: { short: 1, full: 50 },
  run: (stage, rounds) => {
    const machine = createMachine(stage.folder)
    return killServers(stage, machine, {
      rounds,
      what: "mcp",
      start: async () => {
        const child = machine.start(["mcp", "--session", "s"])
        child.stderr?.resume()
        return { child, client: await connectByPipe(child) }
      },
    })
  },
}
