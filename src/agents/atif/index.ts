/**
 * Any agent whose work a harness recorded in the Agent Trajectory Interchange Format: its row in the table of agents.
 */
import { defineAgent } from "../agent.ts"

export const atif = defineAgent({
  id: "atif",
  title: "ATIF trajectories",
  shortNames: [],
  streams: { atif: async () => (await import("./trajectory.ts")).atif },
})
