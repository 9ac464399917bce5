/** The MCP server over streamable HTTP, for this machine only: a page in a browser must not reach it by another name. */
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import type { McpServer } from "./mcp.ts"

export type McpHttpOptions = {
  /** A server for each client that connects. */
  createServer: () => McpServer
  /** 0 takes any free port. */
  port: number
  /** Clients at once; the one silent longest goes when another comes. @default 64 */
  mostClients?: number
}

export type McpHttp = { url: string; close(): Promise<void> }

type Client = { transport: StreamableHTTPServerTransport; server: McpServer }

/** Large enough for any plan a model would send. */
const mostBytes = 32 * 1024 * 1024

export const serveMcp = async ({
  createServer: newServer,
  port,
  mostClients = 64,
}: McpHttpOptions): Promise<McpHttp> => {
  // In the order of last use: a Map keeps the order of insertion.
  const clients = new Map<string, Client>()

  const drop = async (id: string): Promise<void> => {
    const client = clients.get(id)
    clients.delete(id)
    await client?.server.close()
  }

  const connect = async (): Promise<StreamableHTTPServerTransport> => {
    const server = newServer()
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: async (id) => {
        clients.set(id, { transport, server })
        const [oldest] = clients.keys()
        if (clients.size > mostClients && oldest !== undefined) await drop(oldest)
      },
    })
    transport.onclose = () => void (transport.sessionId === undefined ? undefined : clients.delete(transport.sessionId))
    // Its optional callbacks are typed a shade differently than the interface it implements.
    await server.connect(transport as Parameters<McpServer["connect"]>[0])
    return transport
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isLocal(request)) return refuse(response, 403, "Only programs of this machine may ask, by its loopback name.")
    if (pathOf(request) !== "/mcp") return refuse(response, 404, "There is nothing here but /mcp.")
    const body = request.method === "POST" ? await readJson(request) : undefined
    if (body === "too-large") return refuse(response, 413, `A request may have ${mostBytes} bytes.`)
    if (body === "unreadable") return refuse(response, 400, "The request is no JSON.", -32700)
    const id = request.headers["mcp-session-id"]
    const known = typeof id === "string" ? clients.get(id) : undefined
    if (typeof id === "string" && !known) return refuse(response, 404, "This session has ended; initialize again.")
    if (typeof id === "string" && known) {
      clients.delete(id)
      clients.set(id, known)
    }
    const transport = known?.transport ?? (await connect())
    await transport.handleRequest(request, response, body)
  }

  const http = createServer((request, response) => {
    answer(request, response).catch((cause) => {
      const message = cause instanceof Error ? cause.message : String(cause)
      if (response.headersSent) response.destroy()
      else refuse(response, 500, message)
    })
  })
  await listening(http, port)
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      await Promise.all([...clients.keys()].map(drop))
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

const listening = (http: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    http.once("error", reject)
    http.listen(port, "127.0.0.1", resolve)
  })

const loopbackNames = ["127.0.0.1", "localhost", "[::1]"]

/** By the name it was asked for and the page that asks, where one does: names can be made to lead here. */
const isLocal = ({ headers: { host = "", origin } }: IncomingMessage): boolean =>
  loopbackNames.includes(hostOf(`http://${host}`)) && (origin === undefined || loopbackNames.includes(hostOf(origin)))

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "")

const pathOf = ({ url = "/" }: IncomingMessage): string => url.split("?")[0] ?? "/"

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > mostBytes) return "too-large"
    chunks.push(chunk as Buffer)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"))
  } catch {
    return "unreadable"
  }
}

const refuse = (response: ServerResponse, status: number, message: string, code = -32000): void => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(`${JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null })}\n`)
}
