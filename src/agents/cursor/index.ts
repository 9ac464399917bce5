/** Cursor: its row in the table of agents. */
import type { Agent } from "../agent.ts"

export const cursor = {
  id: "cursor",
  title: "Cursor",
  shortNames: [],
  streams: { "cursor-stream": async () => (await import("./stream.ts")).cursorStream },
} as const satisfies Agent
