/** Any agent that uses the Agent Client Protocol with its editor: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const acp = defineAgent({
  id: "acp",
  title: "ACP agents",
  shortNames: [],
  streams: { acp: async () => (await import("./updates.ts")).acp },
})
