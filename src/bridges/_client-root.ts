/** The folder an MCP client works in, as it says itself: its only root. */
import { fileURLToPath } from "node:url"
import type { Server } from "@modelcontextprotocol/sdk/server/index.js"
import {
  type ListRootsRequest,
  type ListRootsResult,
  ListRootsResultSchema,
  RootsListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js"

/** Sends a request to the client along with the reply it waits for, as a client over HTTP needs it. */
export type AskClient = (
  request: ListRootsRequest,
  schema: typeof ListRootsResultSchema,
  options: { timeout: number },
) => Promise<ListRootsResult>

/** In milliseconds: the model waits for it. */
const longestWait = 2_000

/** Asks once, and again when the client says that its roots have changed. Undefined if it has none or several. */
export const createRootReader = (server: Server): ((ask: AskClient) => Promise<string | undefined>) => {
  let known: string | undefined
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    known = undefined
  })
  return async (ask) => {
    if (known !== undefined || !server.getClientCapabilities()?.roots) return known
    try {
      const { roots } = await ask({ method: "roots/list" }, ListRootsResultSchema, { timeout: longestWait })
      const [first, ...others] = roots
      known = first && others.length === 0 ? fileURLToPath(first.uri) : undefined
    } catch {
      // It does not reply, or its root is no file.
    }
    return known
  }
}
