/** `headway serve` without its key, and with more of everything than it should take. */
import { readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { atOnce } from "../at-once.ts"
import { filesIn } from "../home-check.ts"
import { createMachine } from "../machine.ts"
import { addTodo, connectByHttp, isAcknowledged, type McpClient, mcpHeaders, send } from "../mcp-client.ts"
import { type Server, startServer } from "../served.ts"
import type { Attack } from "./attack.ts"

/** Megabytes the server may take at the worst moment. */
const mostMemory = 400

const secret = "Only the one with the key may read this"

export const serveFlood: Attack = {
  id: "serve-flood",
  about: "without its key the server says nothing, and no flood ends the session of a client or takes its memory",
  rounds: { short: 60, full: 400 },
  async run({ folder, progress }, rounds) {
    const machine = createMachine(folder)
    const server = await startServer(machine, ["--session", "s"])
    const broken: string[] = []
    const sockets: Socket[] = []
    let most = 0
    try {
      const client = await connectByHttp(server, "good")
      if (!isAcknowledged(await client.call("tools/call", addTodo(secret))))
        throw new Error("The server takes no call.")
      broken.push(...(await withoutKey(server)))
      const before = filesIn(machine.headwayHome).length
      for (const [name, flood] of Object.entries(floods)) {
        progress(name)
        await flood(server, rounds, sockets)
        most = Math.max(most, memoryOf(server))
        broken.push(...(await stillServes(client)).map((line) => `after ${name}: ${line}`))
        for (const socket of sockets.splice(0)) socket.destroy()
      }
      const made = filesIn(machine.headwayHome).length - before
      if (made > 8) broken.push(`${made} files were made for plans that do not exist`)
      if (most > mostMemory) broken.push(`the server takes ${most} MB, and may take ${mostMemory}`)
    } finally {
      for (const socket of sockets) socket.destroy()
      server.child.kill("SIGKILL")
    }
    const tried = `${Object.keys(floods).length} floods of ${rounds}, at most ${most} of ${mostMemory} MB`
    return { tried, broken }
  },
}

/** A call within seconds, in the session the client has had from the beginning. */
const stillServes = async (client: McpClient): Promise<string[]> => {
  try {
    const reply = await client.call("tools/call", { name: "todo", arguments: {} })
    return isAcknowledged(reply) ? [] : [`the client's call fails: ${JSON.stringify(reply)}`]
  } catch (cause) {
    return [`the client's session is gone: ${(cause as Error).message}`]
  }
}

const memoryOf = ({ child }: Server): number => {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8")
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

const hello = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "flood", version: "1" } },
})

/** Every way of asking without the key gets 401, or 429 after many wrong ones, and learns nothing. Only the page itself is for all: it holds nothing. */
const withoutKey = async ({ url }: Server): Promise<string[]> => {
  const paths = ["/mcp", "/", "/mcp?token=wrong", "/mcp/", "/health", "/token", "/.well-known/oauth-protected-resource"]
  const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"]
  const keys = [{}, { authorization: "Bearer wrong" }, { authorization: "Bearer " }, { "mcp-session-id": "guess" }]
  const asked = paths.flatMap((path) => methods.flatMap((method) => keys.map((key) => ({ path, method, key }))))
  const found = await atOnce(asked, 8, async ({ path, method, key }) => {
    const body = method === "POST" ? hello : undefined
    const headers = { ...mcpHeaders, ...(key as Record<string, string>) }
    const { status, body: text, ...reply } = await send(new URL(path, url), { method, headers, body })
    const learnt = /Headway|"version"|protocolVersion|session|shop|Only the one/i.exec(
      `${text} ${JSON.stringify(reply.headers)}`,
    )
    const isPage = path === "/" && (method === "GET" || method === "HEAD") && status === 200
    if (isPage) return text.includes(secret) ? ["the page tells a plan"] : []
    const isRefused = status === 401 || (status === 429 && "authorization" in key)
    const what = `${method} ${path} with ${JSON.stringify(key)}`
    return [
      ...(isRefused ? [] : [`${what} is answered with ${status} instead of 401`]),
      ...(learnt && !isRefused ? [`${what} tells ${JSON.stringify(learnt[0])}`] : []),
      ...(text.includes(secret) ? [`${what} tells a plan`] : []),
    ]
  })
  return found.flat()
}

type Flood = (server: Server, count: number, sockets: Socket[]) => Promise<void>

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** A connection that is left open, whatever the server thinks of it. */
const left = (server: Server, text: string, sockets: Socket[]): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(Number(server.url.port), "127.0.0.1", () => socket.write(text, () => resolve()))
    socket.on("error", () => resolve())
    // What is answered is read, or the connection would never end.
    socket.resume()
    sockets.push(socket)
  })

const headOf = ({ url, headers }: Server, length: number, withKey: boolean): string => {
  const all = { host: url.host, ...mcpHeaders, ...(withKey ? headers : {}), "content-length": String(length) }
  return `POST /mcp HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`
}

const floods: Record<string, Flood> = {
  "many clients that begin and never go on": async (server, count) => {
    const headers = { ...mcpHeaders, ...server.headers }
    await atOnce(times(count), 8, () => send(server.url, { method: "POST", headers, body: hello }).catch(() => {}))
  },
  "bodies that never end, without the key": async (server, count, sockets) => {
    const text = headOf(server, 30_000_000, false) + "x".repeat(100_000)
    await atOnce(times(count), 16, () => left(server, text, sockets))
  },
  "bodies that never end": async (server, count, sockets) => {
    const text = headOf(server, 30_000_000, true) + "x".repeat(100_000)
    await atOnce(times(count), 16, () => left(server, text, sockets))
  },
  "headers that never end": async (server, count, sockets) => {
    await atOnce(times(count), 16, () => left(server, "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ", sockets))
  },
  "headers that are too long": async (server, count, sockets) => {
    const text = `GET /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n${`x-long: ${"y".repeat(8000)}\r\n`.repeat(30)}\r\n`
    await atOnce(times(Math.ceil(count / 4)), 8, () => left(server, text, sockets))
  },
  "large bodies without the key": async (server, count) => {
    const body = `{"x":"${"y".repeat(8_000_000)}"}`
    const headers = { ...mcpHeaders }
    await atOnce(times(Math.ceil(count / 20)), 2, () =>
      send(server.url, { method: "POST", headers, body }).catch(() => {}),
    )
  },
  "unknown plans": async (server, count) => {
    const client = await connectByHttp(server, "curious").catch(() => undefined)
    await atOnce(times(count), 4, (number) =>
      client
        ? client.call("resources/read", { uri: `plan://unknown-${number}/main` }).catch(() => {})
        : Promise.resolve(),
    )
  },
}
