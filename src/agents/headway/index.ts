/** Headway itself, as `headway events` prints it: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const headway = defineAgent({
  id: "headway",
  title: "Headway",
  shortNames: [],
  streams: { "headway-events": async () => (await import("./events.ts")).headwayEvents },
})
