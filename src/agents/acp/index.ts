/** Any agent that uses the Agent Client Protocol with its editor: its row in the table of agents. */
import type { Agent } from "../agent.ts"

export const acp = {
  id: "acp",
  title: "ACP agents",
  shortNames: [],
  streams: { acp: async () => (await import("./updates.ts")).acp },
} as const satisfies Agent
