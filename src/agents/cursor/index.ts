/** Cursor: its row in the table of agents. */
import { defineAgent } from "../agent.ts"

export const cursor = defineAgent({
  id: "cursor",
  title: "Cursor",
  shortNames: [],
  streams: { "cursor-stream": async () => (await import("./stream.ts")).cursorStream },
})
