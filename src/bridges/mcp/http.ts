/** The MCP server over streamable HTTP, for this person's programs on this machine, with a token and limits. */
import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { type InitializeRequest, isInitializeRequest } from "@modelcontextprotocol/sdk/types.js"
import { fullPath } from "../../home/paths/full-path.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { callerOf } from "../calls/caller.ts"
import { createBodies } from "../http/bodies.ts"
import { createGate, type Refusal, unknownToken } from "../http/gate.ts"
import { type Answer, listenHttp } from "../http/listener.ts"
import { createSessions } from "../http/sessions.ts"
import { createStreams } from "../http/streams.ts"
import type { McpServer } from "../mcp.ts"
import { mostMessageBytes } from "./stdio.ts"

export type McpHttpOptions = {
  /** A server for each client that connects, with the folder that its address names as `project=`. */
  createServer: (folder: string | undefined) => McpServer
  /** 0 takes any free port. */
  port: number
  /** The required token, as a bearer or as `?token=`: read each time, and undefined if there is none. */
  token: () => string | undefined
  /** What else the same address serves, everywhere but at `/mcp`; it decides by itself who gets in. @default nothing */
  beside?: Answer
  now?: () => number
  limits?: Partial<McpHttpLimits>
}

export type McpHttpLimits = {
  /** Clients at once. @default 128 */
  clients: number
  /** Milliseconds of inactivity after which a client makes room for another. @default ten minutes */
  idleAfter: number
  /** Bytes of one request. @default 10 MiB */
  body: number
  /** Bytes of all requests that are not answered yet. @default 32 MiB */
  bodies: number
  /** Milliseconds for the headers of a request, and for all of it. @default 10 s and 30 s */
  headersTime: number
  requestTime: number
  /** Connections of programs that showed the token, and of others. @default 256 and 32 */
  connections: number
  strangers: number
  /** Milliseconds after which a stream notices that its token was replaced. @default 1 s */
  tokenTime: number
}

const usualLimits: McpHttpLimits = {
  clients: 128,
  idleAfter: 10 * 60 * 1000,
  body: mostMessageBytes,
  bodies: 32 * 1024 * 1024,
  headersTime: 10_000,
  requestTime: 30_000,
  connections: 256,
  strangers: 32,
  tokenTime: 1_000,
}

/** The address without the token. */
export type McpHttp = { url: string; close(): Promise<void> }

type Held = { transport: StreamableHTTPServerTransport; server: McpServer }

export const mcpPath = "/mcp"

export const serveMcp = async (options: McpHttpOptions): Promise<McpHttp> => {
  const { createServer: newServer, port, token, beside, now = Date.now } = options
  const limits = { ...usualLimits, ...options.limits }
  const gate = createGate({ token, path: mcpPath })
  const bodies = createBodies({ mostBytes: limits.body, mostTogether: limits.bodies })
  const streams = createStreams({ token, interval: limits.tokenTime })
  const sessions = createSessions<Held>({
    most: limits.clients,
    idleAfter: limits.idleAfter,
    now,
    end: ({ server }) => server.close(),
  })

  /** A session for a client that begins one; undefined when there is no room. */
  const begin = async (
    request: InitializeRequest,
    folder: string | undefined,
  ): Promise<{ id: string; held: Held } | undefined> => {
    const id = randomUUID()
    const server = newServer(folder)
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id })
    const held = { transport, server }
    const kind = callerOf(request.params.clientInfo.name, {}).agentType ?? ""
    if (!(await sessions.add({ id, kind, held }))) return undefined
    transport.onclose = () => void sessions.drop(id)
    // Its optional callbacks are typed a shade differently than the interface it implements.
    await server.connect(transport as Parameters<McpServer["connect"]>[0])
    return { id, held }
  }

  const sessionOf = async (
    request: IncomingMessage,
    value: unknown,
    folder: string | undefined,
  ): Promise<{ id: string; held: Held } | Refusal> => {
    const id = request.headers["mcp-session-id"]
    if (typeof id === "string") {
      const held = sessions.find(id)
      return held ? { id, held } : { status: 404, message: "This session has ended; initialize again." }
    }
    if (!isInitializeRequest(value)) return { status: 400, message: "Initialize first, then send the session's id." }
    return (await begin(value, folder)) ?? full
  }

  const answer: Answer = async (request, response, onKnown) => {
    if (beside && pathOf(request) !== mcpPath) return beside(request, response, onKnown)
    // Before the gate looks at it: one that is replaced in between ends the stream, and never keeps it.
    const opened = token()
    const folder = folderIn(request)
    const refusal = gate(request)
    if (refusal) return refuse(response, refusal)
    onKnown()
    const body = request.method === "POST" ? await bodies.read(request, response) : { value: undefined }
    if ("refusal" in body) return refuse(response, body.refusal)
    // The body may take long, and the token may have been replaced in the meantime.
    if (token() !== opened) return refuse(response, unknownToken)
    const session = await sessionOf(request, body.value, folder)
    if ("status" in session) return refuse(response, session)
    const { id, held } = session
    const end = sessions.begin(id, isUse(request, body.value))
    response.once("close", end)
    if (request.method === "GET") streams.hold(response, opened)
    await held.transport.handleRequest(request, response, body.value)
    // A client that began a session wrongly has none.
    if (held.transport.sessionId === undefined) await sessions.drop(id)
  }

  const { headersTime, requestTime, connections, strangers } = limits
  const listener = await listenHttp({
    port,
    answer,
    onFailure: (response) =>
      refuse(response, { status: 500, message: "The request could not be handled.", code: -32603 }),
    limits: { headersTime, requestTime, connections, strangers },
  })
  return {
    url: `${listener.origin}${mcpPath}`,
    async close() {
      await sessions.close()
      await listener.close()
    },
  }
}

const pathOf = ({ url = "" }: IncomingMessage): string | undefined => url.split("?", 1)[0]

/** Read before the gate, which removes the query with the token. */
const folderIn = ({ url = "" }: IncomingMessage): string | undefined =>
  fullPath(new URLSearchParams(url.split("?", 2)[1] ?? "").get("project") ?? undefined)

/** Announcing itself is not yet using a session. */
const isUse = ({ method }: IncomingMessage, value: unknown): boolean => {
  const rpcMethod = isRecord(value) ? value.method : undefined
  return method !== "POST" || (rpcMethod !== "initialize" && rpcMethod !== "notifications/initialized")
}

const full: Refusal = {
  status: 503,
  message: "Too many clients are connected; try again later.",
  headers: { "retry-after": "60" },
}

/** The unread rest of a request is not waited for. */
const refuse = (response: ServerResponse, { status, message, headers = {}, code = -32000 }: Refusal): void => {
  if (response.destroyed) return
  response.writeHead(status, { "content-type": "application/json", connection: "close", ...headers })
  response.end(`${JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null })}\n`)
}
