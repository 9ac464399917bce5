/** The list tools of the MCP server: what a client is shown, and its calls, one after the other. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js"
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js"
import type { Toolset } from "../../host/toolset.ts"
import { isHeadwayError } from "../../plan/index.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { callIdOf } from "../calls/call-id.ts"
import type { Caller } from "../calls/caller.ts"
import type { AskClient } from "./client-root.ts"
import type { ConnectedClient } from "./connected-client.ts"
import type { McpOptions } from "./options.ts"

type ToolsOptions = Pick<McpOptions, "whose" | "planFor" | "onCalled"> & { client: ConnectedClient; toolset: Toolset }

type Call = CallToolRequest["params"]

type Request = { signal: AbortSignal; sendRequest: AskClient }

export const serveTools = (server: Server, options: ToolsOptions): void => {
  const { client, toolset, onCalled } = options

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolset.definitions.map(({ name, description, inputSchema, isReadOnly, loadMode }) => ({
      name,
      description,
      inputSchema: inputSchema as { type: "object" },
      annotations: { readOnlyHint: isReadOnly(), destructiveHint: false, openWorldHint: false },
      // Some clients keep tools back until the model searches for them; a list that is not seen does not help.
      ...(loadMode === "essential" ? { _meta: { "anthropic/alwaysLoad": true } } : {}),
    })),
  }))

  const runCall = async (call: Call, request: Request): Promise<CallToolResult> => {
    // Calls of unknown tools do not start a plan.
    if (!toolset.has(call.name)) return failed(toolset.unknown(call.name))
    const caller = client.caller(call._meta)
    try {
      return await writeCall(call, caller, request, options)
    } catch (cause) {
      if (!isHeadwayError(cause) && !(cause instanceof Error)) throw cause
      return failed(`The plan could not be changed: ${cause.message}`)
    } finally {
      onCalled?.()
    }
  }

  // A client may send the calls of one answer all at once, and the first has to find its plan before it can write.
  let before: Promise<unknown> = Promise.resolve()
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const result = before.then(() => runCall(params, extra))
    before = result.catch(() => {})
    return result
  })
}

const writeCall = async (
  { name, arguments: input = {} }: Call,
  { callId, ...who }: Caller,
  { signal, sendRequest }: Request,
  { client, toolset, whose, planFor }: ToolsOptions,
): Promise<CallToolResult> => {
  const { madeAt: at, ...note } = (callId === undefined ? undefined : whose?.(callId)) ?? {}
  const place = note.folder === undefined ? await client.folderFor(sendRequest) : {}
  const noted = { ...who, ...note, ...place, ...(note.session === undefined ? {} : { isFromStart: false }) }
  const tracker = await planFor(noted, { tool: name, input })
  // Its reply is no longer sent, so a person's changes must not count as told with it.
  if (signal.aborted) return failed("The call was cancelled, and nothing was changed.")
  const id = callId === undefined ? {} : { callId: callIdOf(callId, input) }
  const { isError, text, data } = await toolset.call(tracker, {
    name,
    input,
    ...client.author(noted, tracker),
    ...id,
    at,
  })
  // Most clients show the model only the one or only the other: both say everything.
  const structuredContent = { text, ...besideText(data, text) }
  return {
    content: [{ type: "text", text }],
    ...(client.showsBoth() ? {} : { structuredContent }),
    ...(isError ? { isError: true } : {}),
  }
}

/** What the data says beyond the text, which some dialects repeat in it. */
const besideText = (data: unknown, text: string): Record<string, unknown> =>
  isRecord(data) ? Object.fromEntries(Object.entries(data).filter(([, value]) => value !== text)) : {}

const failed = (text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent: { text },
  isError: true,
})
