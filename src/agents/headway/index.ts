/** Headway itself, as `headway events` prints it: its row in the table of agents. */
import type { Agent } from "../agent.ts"

export const headway = {
  id: "headway",
  title: "Headway",
  shortNames: [],
  streams: { "headway-events": async () => (await import("./events.ts")).headwayEvents },
} as const satisfies Agent
