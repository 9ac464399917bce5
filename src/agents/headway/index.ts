/** Headway itself, as `headway events` prints it: the row of the table. */
import type { Agent } from "../agent.ts"

export const headway = {
  id: "headway",
  title: "Headway",
  shortNames: [],
  streams: { "headway-events": async () => (await import("./events.ts")).headwayEvents },
} as const satisfies Agent
