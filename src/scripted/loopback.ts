/** A model service on this machine: a real HTTP server that speaks the providers' protocols and plays a script. */
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type Asked, type Failure, type ModelReply, untilBreak } from "./exchange.ts"
import type { Script } from "./script.ts"
import { createPlayer, type Played, type Player } from "./script-player.ts"
import { type Frame, type Speaker, type Wire, type WireRequest, wires } from "./wires/index.ts"

export type Loopback = {
  /** `http://127.0.0.1:PORT`, to which a client adds `/v1` or its provider's path. */
  url: string
  /** All requests to a model so far, the oldest first. */
  requests: readonly LoopbackRequest[]
  /** All other requests: models, counts, unknown paths. */
  others: readonly { method: string; path: string; status: number }[]
  /** Closes all open connections. */
  close(): Promise<void>
}

export type LoopbackRequest = {
  wire: string
  /** The path with its query, without keys. */
  path: string
  /** The headers, without keys. */
  headers: Record<string, string>
  /** The body as the client sent it. */
  body: unknown
  /** The same in the neutral format. */
  neutral: Asked
  /** The answer: the thread and turn of the script, and its outcome. */
  played: Played
}

export type LoopbackOptions = {
  /** @default 0, which means any free port */
  port?: number
  /** @default random ones */
  newCallId?: () => string
  now?: () => Date
  /** Called with each request to a model before it is answered. The answer waits for it. */
  onRequest?: (request: LoopbackRequest) => void | Promise<void>
}

export const createLoopback = async (script: Script, options: LoopbackOptions = {}): Promise<Loopback> => {
  const { port = 0, newCallId, now = () => new Date(), onRequest } = options
  const requests: LoopbackRequest[] = []
  const others: { method: string; path: string; status: number }[] = []
  const service: Service = {
    player: createPlayer(script, newCallId ? { newId: newCallId } : {}),
    speaker: { newId: (prefix) => `${prefix}${randomUUID().replaceAll("-", "").slice(0, 24)}`, now },
    memory: new Map(),
    record: async (request) => {
      requests.push(request)
      await onRequest?.(request)
    },
    recordOther: (other) => others.push(other),
  }
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing, service).catch(() => outgoing.destroy())
  })
  await listen(server, port)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    others,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Service = {
  player: Player
  speaker: Speaker
  memory: Map<string, unknown>
  record: (request: LoopbackRequest) => Promise<void>
  recordOther: (other: { method: string; path: string; status: number }) => unknown
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    // Must not be reachable from other machines.
    server.listen(port, "127.0.0.1", resolve)
  })

const serve = async (incoming: IncomingMessage, outgoing: ServerResponse, service: Service): Promise<void> => {
  const { request, isBroken } = await readRequest(incoming, service.memory)
  const table: Wire[] = Object.values(wires)
  const wire = table.find((one) => one.matches(request))
  if (wire && !isBroken) return answer(wire, request, outgoing, service)
  const owner = table.find((one) => one.isFrom(request)) ?? wires["openai-chat"]
  const found = isBroken ? undefined : owner.other?.(request)
  const status = isBroken ? 400 : found === undefined ? 404 : 200
  const message = isBroken ? "The body is not valid JSON." : `Not found: ${request.method} ${request.path}`
  service.recordOther({ method: request.method, path: request.path, status })
  sendJson(outgoing, status, found ?? owner.failure({ status, message }))
}

const readRequest = async (
  incoming: IncomingMessage,
  memory: Map<string, unknown>,
): Promise<{ request: WireRequest; isBroken: boolean }> => {
  const url = new URL(incoming.url ?? "/", "http://loopback")
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString("utf8")
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  const request = { method: incoming.method ?? "GET", path: url.pathname, query: url.searchParams, headers, memory }
  if (text === "") return { request: { ...request, body: undefined }, isBroken: false }
  try {
    return { request: { ...request, body: JSON.parse(text) }, isBroken: false }
  } catch {
    return { request: { ...request, body: text }, isBroken: true }
  }
}

const answer = async (wire: Wire, request: WireRequest, outgoing: ServerResponse, service: Service): Promise<void> => {
  const neutral = wire.read(request)
  const played = service.player.answer(neutral)
  await service.record({
    wire: wire.id,
    path: pathWithoutKeys(request),
    headers: headersWithoutKeys(request.headers),
    body: request.body,
    neutral,
    played,
  })
  if (played.failure) return sendFailure(outgoing, wire, played.failure)
  if (neutral.stream)
    return sendStream(outgoing, wire.frames(played.reply, neutral, request, service.speaker), played.reply)
  if (played.reply.breaks) return breakOff(outgoing, played.reply.breaks.how)
  sendJson(outgoing, 200, wire.whole(played.reply, neutral, request, service.speaker))
}

const secretHeader = /auth|key|token|cookie|secret/

const headersWithoutKeys = (headers: WireRequest["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || secretHeader.test(name) ? [] : [[name, value]],
    ),
  )

const pathWithoutKeys = ({ path, query }: WireRequest): string => {
  const shown = [...query].filter(([name]) => !secretHeader.test(name))
  return shown.length > 0 ? `${path}?${new URLSearchParams(shown)}` : path
}

const sendJson = (outgoing: ServerResponse, status: number, value: unknown, headers = {}): void => {
  outgoing.writeHead(status, { "content-type": "application/json", "request-id": randomUUID(), ...headers })
  outgoing.end(JSON.stringify(value))
}

/** Sends an error. The client need not wait before the next try, because this server replies at once. */
const sendFailure = (outgoing: ServerResponse, wire: Wire, failure: Failure): void =>
  sendJson(outgoing, failure.status, wire.failure(failure), { "retry-after-ms": "0", "retry-after": "0" })

const sendStream = async (outgoing: ServerResponse, frames: readonly Frame[], reply: ModelReply): Promise<void> => {
  outgoing.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "request-id": randomUUID(),
  })
  outgoing.flushHeaders()
  for (const frame of untilBreak(frames, reply)) await send(outgoing, printFrame(frame))
  if (reply.breaks) return breakOff(outgoing, reply.breaks.how)
  outgoing.end()
}

/** Resolves when the bytes are sent, so that everything before a break arrives. */
const send = (outgoing: ServerResponse, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    outgoing.write(text, (cause) => (cause ? reject(cause) : resolve()))
  })

const printFrame = ({ event, data }: Frame): string =>
  `${event ? `event: ${event}\n` : ""}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`

const breakOff = (outgoing: ServerResponse, how: "drop" | "hang"): void => {
  if (how === "drop") outgoing.destroy()
}
