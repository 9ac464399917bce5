/** `headway serve`, killed at random moments while calls are made. */
import { createMachine } from "../machine.ts"
import { connectByHttp } from "../mcp-client.ts"
import { startServer } from "../served.ts"
import { killServers } from "./_kill-servers.ts"
import type { Attack } from "./attack.ts"

export const killServe: Attack = {
  id: "kill-serve",
  about: "a killed HTTP server loses no call it had answered",
  rounds: { short: 1, full: 50 },
  run: (stage, rounds) => {
    const machine = createMachine(stage.folder)
    return killServers(stage, machine, {
      rounds,
      what: "serve",
      start: async () => {
        const server = await startServer(machine, ["--session", "s"])
        return { child: server.child, client: await connectByHttp(server) }
      },
    })
  },
}
