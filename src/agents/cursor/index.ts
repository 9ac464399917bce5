/** Cursor: the row of the table. */
import type { Agent } from "../agent.ts"

export const cursor = {
  id: "cursor",
  title: "Cursor",
  shortNames: [],
  streams: { "cursor-stream": async () => (await import("./stream.ts")).cursorStream },
} as const satisfies Agent
