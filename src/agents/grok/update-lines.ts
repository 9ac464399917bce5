/** Distinguishes the lines of Grok's session files from plain Agent Client Protocol, in which they are written. */
import { type Fields, fieldsOf } from "../../streams/line.ts"

/** Each update is stored with a time next to it, and one in the agent's own note. */
export const isGrokUpdate = ({ method, timestamp, params }: Fields): boolean =>
  typeof timestamp === "number" &&
  (method === "session/update" || method === "_x.ai/session/update") &&
  typeof fieldsOf(fieldsOf(params)._meta).agentTimestampMs === "number"
