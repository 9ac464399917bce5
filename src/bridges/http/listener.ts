/** A listening socket with limits: slow requests are ended, and unauthenticated connections make room for others. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { HeadwayError } from "../../plan/index.ts"
import { guardConnections } from "./connections.ts"

/** `onKnown` is called when a request has shown who sends it: its connection is trusted from then on. */
export type Answer = (request: IncomingMessage, response: ServerResponse, onKnown: () => void) => Promise<void>

export type HttpListenerOptions = {
  /** 0 takes any free port. */
  port: number
  /** @default "127.0.0.1" */
  host?: string
  /** Certificate and key, as PEM; with them it uses HTTPS. */
  tls?: { cert: string; key: string } | undefined
  answer: Answer
  /** Called if `answer` fails before sending anything. */
  onFailure: (response: ServerResponse) => void
  limits?: Partial<HttpListenerLimits>
}

export type HttpListenerLimits = {
  /** Milliseconds for the headers of a request, and for all of it. @default 10 s and 30 s */
  headersTime: number
  requestTime: number
  /** Connections of those who are known, and of others. @default 256 and 32 */
  connections: number
  strangers: number
}

const usualLimits: HttpListenerLimits = { headersTime: 10_000, requestTime: 30_000, connections: 256, strangers: 32 }

export type HttpListener = { origin: string; port: number; close(): Promise<void> }

export const listenHttp = async (options: HttpListenerOptions): Promise<HttpListener> => {
  const { port, host = "127.0.0.1", tls, answer, onFailure, limits: given } = options
  const limits = { ...usualLimits, ...given }
  const mayGoOn = limitPipelines()
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    if (!mayGoOn(request, response)) return
    answer(request, response, () => connections.know(request.socket)).catch(() => {
      if (response.headersSent) response.destroy()
      else onFailure(response)
    })
  }
  const how = { connectionsCheckingInterval: Math.min(5_000, limits.headersTime) }
  const http: Server = tls ? createSecureServer({ ...how, ...tls }, take) : createServer(how, take)
  http.headersTimeout = limits.headersTime
  http.requestTimeout = limits.requestTime
  const connections = guardConnections(http, { most: limits.connections, mostStrangers: limits.strangers })
  await listening(http, port, host)
  const taken = (http.address() as AddressInfo).port
  return {
    origin: `${tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    port: taken,
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** Requests of one connection that are not answered yet. Browsers and clients send the next one after the reply. */
const mostUnanswered = 8

/**
 * Who sends request after request without waiting for a reply has work done that they never read, also after they left. Their
 * connection ends, and what else came with it is not looked at.
 */
const limitPipelines = (): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>()
  return ({ socket }, response) => {
    if (socket.destroyed) return false
    const all = unanswered.get(socket) ?? new Set()
    unanswered.set(socket, all)
    for (const one of all) if (one.writableEnded) all.delete(one)
    all.add(response)
    if (all.size <= mostUnanswered) return true
    socket.destroy()
    return false
  }
}

const listening = (http: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    http.once("error", (cause: NodeJS.ErrnoException) => reject(whyNot(cause, port, host)))
    http.listen(port, host, resolve)
  })

const whyNot = (cause: NodeJS.ErrnoException, port: number, host: string): Error => {
  switch (cause.code) {
    case "EADDRINUSE":
      return new HeadwayError(
        "port-taken",
        `Port ${port} is in use. Another "headway serve" may already be running; choose a port with --port, 0 picks a free one.`,
      )
    case "EACCES":
      return new HeadwayError(
        "port-refused",
        `Port ${port} needs more rights than you have; choose one above 1023 with --port.`,
      )
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EINVAL":
      return new HeadwayError(
        "no-address",
        `"${host}" is not an address of this machine; name one with --host ADDRESS.`,
      )
    default:
      return cause
  }
}
