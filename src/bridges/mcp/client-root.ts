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

/** In milliseconds: how long the model waits for it, and until when a late reply counts for the calls after it. */
const [longestWait, latestReply] = [2_000, 60_000]

/** Asks once, and again when the client says that its roots have changed. Undefined if it has none or several. */
export const createRootReader = (server: Server): ((ask: AskClient) => Promise<string | undefined>) => {
  let known: string | undefined
  /** Resolves with the reply, or when it was waited for long enough: a client that is silent is not waited for again. */
  let asking: Promise<void> | undefined
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    known = undefined
    asking = undefined
  })

  const askOnce = (ask: AskClient): Promise<void> => {
    const reply = ask({ method: "roots/list" }, ListRootsResultSchema, { timeout: latestReply })
      .then(onlyFolder)
      // It does not reply, or its root is no file.
      .catch(() => undefined)
      .then((folder) => {
        if (asking !== waited) return
        known = folder
        asking = undefined
      })
    const waited = inTime(reply)
    return waited
  }

  return async (ask) => {
    if (known !== undefined || !server.getClientCapabilities()?.roots) return known
    asking ??= askOnce(ask)
    await asking
    return known
  }
}

const onlyFolder = ({ roots: [first, ...others] }: ListRootsResult): string | undefined =>
  first && others.length === 0 ? fileURLToPath(first.uri) : undefined

const inTime = (reply: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, longestWait)
    void reply.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
