/** The least an MCP client needs, over a pipe or over HTTP; each request can be made as badly as an attack wants it. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { request } from "node:http"
import { createInterface } from "node:readline"

export type Reply = { id?: number | null; result?: Record<string, unknown>; error?: { code: number; message: string } }

export type McpClient = { call(method: string, params: object): Promise<Reply> }

const protocolVersion = "2025-06-18"

const hello = (name: string) => ({ protocolVersion, capabilities: {}, clientInfo: { name, version: "1" } })

/** Speaks with a server that was started with pipes. A call the server does not live to answer is rejected. */
export const connectByPipe = async (child: ChildProcess, name = "attacker"): Promise<McpClient> => {
  const waiting = new Map<number, (reply: Reply) => void>()
  createInterface({ input: child.stdout ?? process.stdin }).on("line", (line) => {
    // The last line may be cut by a kill.
    if (!line.endsWith("}")) return
    const reply = JSON.parse(line) as Reply
    if (typeof reply.id === "number") waiting.get(reply.id)?.(reply)
  })
  const closed = once(child, "close").then(() => Promise.reject(new Error("The server is gone.")))
  closed.catch(() => {})
  let last = 0
  const send = (message: object): void => void child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const call: McpClient["call"] = (method, params) => {
    last += 1
    const id = last
    const answered = new Promise<Reply>((resolve) => waiting.set(id, resolve))
    send({ id, method, params })
    return Promise.race([answered, closed])
  }
  await call("initialize", hello(name))
  send({ method: "notifications/initialized" })
  return { call }
}

/** The address and the key a server prints when it is ready, and where it keeps the key. */
export type Served = { url: URL; headers: Readonly<Record<string, string>> }

export const connectByHttp = async ({ url, headers }: Served, name = "attacker"): Promise<McpClient> => {
  let last = 0
  let session: string | undefined
  const post = async (message: object): Promise<Reply> => {
    const { status, body, ...reply } = await send(url, {
      method: "POST",
      headers: { ...headers, ...mcpHeaders, ...(session === undefined ? {} : { "mcp-session-id": session }) },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    })
    const given = reply.headers["mcp-session-id"]
    if (typeof given === "string") session = given
    if (status >= 400) throw new Error(`The server answers ${status}: ${body.slice(0, 200)}`)
    return body.trim() === "" ? {} : (JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body) as Reply)
  }
  const call: McpClient["call"] = (method, params) => {
    last += 1
    return post({ id: last, method, params })
  }
  await call("initialize", hello(name))
  await post({ method: "notifications/initialized" })
  return { call }
}

export const mcpHeaders = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": protocolVersion,
}

export type Sent = { status: number; headers: NodeJS.Dict<string | string[]>; body: string }

/** One request; resolves when the whole answer is there. */
export const send = (
  url: URL,
  { method, headers, body }: { method: string; headers: Readonly<Record<string, string>>; body?: string | undefined },
): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false, timeout: 20_000 }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
      response.on("error", reject)
    })
    asked.on("timeout", () => asked.destroy(new Error("No answer within 20 seconds.")))
    asked.on("error", reject)
    asked.end(body)
  })

/** A todo for the list, in the words of our own tool. */
export const addTodo = (content: string) => ({ name: "todo", arguments: { todos: [{ content }] } })

/** Whether a call of a tool was acknowledged. */
export const isAcknowledged = ({ result }: Reply): boolean => result !== undefined && result.isError !== true
