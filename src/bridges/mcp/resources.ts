/** The plans as resources of the MCP server: listed, read, and watched for a client that subscribes. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js"
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js"
import { printChecklist } from "../../dialects/checklist.ts"
import { lineForModel, textForModel } from "../../plan/index.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { McpOptions } from "./options.ts"
import { keyIn, uriOf } from "./plan-uri.ts"
import { askedFor } from "./safe-messages.ts"
import { createSubscriptions } from "./subscriptions.ts"

/** Listing more would only fill a model's context. */
const mostResources = 50

/** Each is a watch on the disk. */
const mostSubscriptions = 20

/** `close` ends the subscriptions. */
export const serveResources = (
  server: Server,
  { planAt, plans }: Pick<McpOptions, "planAt" | "plans">,
): { close(): Promise<void> } => {
  const subscriptions = createSubscriptions(
    mostSubscriptions,
    (uri) => void server.sendResourceUpdated({ uri }).catch(() => {}),
  )
  const trackerAt = async (uri: string): Promise<Tracker> => {
    const key = keyIn(uri)
    const tracker = key && (await planAt(key))
    if (tracker) return tracker
    throw new McpError(
      ErrorCode.InvalidParams,
      `There is no plan ${askedFor(uri)}. resources/list names the ones that exist.`,
    )
  }

  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: (await plans()).slice(0, mostResources).map(({ session, agent, progress, current }) => ({
      uri: uriOf({ session, agent }),
      name: lineForModel(agent === "main" ? session : `${session} (${agent})`),
      description: `${progress.completed}/${progress.total} done${current ? `, now: ${lineForModel(current)}` : ""}`,
      mimeType: "text/markdown",
    })),
  }))

  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: "plan://{session}/{agent}", name: "A plan", mimeType: "text/markdown" }],
  }))

  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: "text/markdown", text: textForModel(printChecklist((await trackerAt(uri)).plan)) }],
  }))

  server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }) => {
    if (await subscriptions.add(uri, () => trackerAt(uri))) return {}
    throw new McpError(ErrorCode.InvalidRequest, `A client may subscribe to ${mostSubscriptions} plans at most.`)
  })

  server.setRequestHandler(UnsubscribeRequestSchema, async ({ params: { uri } }) => {
    await subscriptions.remove(uri)
    return {}
  })

  return { close: () => subscriptions.close() }
}
