/** Which requests reach anything at all: by a name of this server, from its own page, from a known caller, not too often. */
import type { Access, Caller } from "./access.ts"
import { createRateLimit } from "./rate-limit.ts"
import type { Refusal } from "./reply.ts"

export type GateOptions = {
  access: Access
  /** Whether the server may be asked for by this name, without its port. Others can be made to lead here. */
  isHost: (name: string) => boolean
  /** In milliseconds. */
  now: () => number
}

/** From where a request comes, as far as the listener knows. */
export type From = {
  /** The address of the other end. @default "" */
  address?: string | undefined
  /** The port at which it arrived, whatever it says of itself. */
  port?: number | undefined
  /** Called when the request has shown who sends it. */
  onKnown?: (() => void) | undefined
}

export type Gate = {
  /** For everything, the page itself included: undefined lets it in. */
  check(request: Request, from: From): Refusal | undefined
  /** For what is the owner's: who asks, or why not. */
  admit(request: Request, from: From): Caller | { refusal: Refusal; retryAfter?: number }
  /** One more of the tries that a stranger has, such as for a pairing code. */
  tryOnce(from: From): { refusal: Refusal; retryAfter: number } | undefined
}

export const createGate = ({ access, isHost, now }: GateOptions): Gate => {
  const mayAsk = createRateLimit({ burst: 2_000, perSecond: 100, now })
  const mayTry = createRateLimit({ burst: 30, perSecond: 0.5, now })

  const tryOnce: Gate["tryOnce"] = ({ address = "" }) => {
    const wait = mayTry(address)
    return wait === undefined ? undefined : { refusal: tooMany, retryAfter: wait }
  }

  return {
    check(request) {
      const { hostname } = new URL(request.url)
      if (!isHost(hostname.toLowerCase())) return strangeHost
      const origin = request.headers.get("origin")
      if (origin !== null && origin !== new URL(request.url).origin) return strangeOrigin
      return undefined
    },
    admit(request, from) {
      const caller = access.callerOf(request.headers, portOf(request))
      // Who shows nothing guesses nothing.
      const isGuess = request.headers.has("authorization") || request.headers.has("cookie")
      if (!caller) return (isGuess ? tryOnce(from) : undefined) ?? { refusal: unknown }
      // Browsers say which page asks: not even one of another port of this machine may.
      const site = request.headers.get("sec-fetch-site") ?? "none"
      if (site !== "same-origin" && site !== "none") return { refusal: strangeOrigin }
      if (request.method !== "GET" && request.method !== "HEAD") {
        const isBearer = request.headers.has("authorization")
        if (!isBearer && request.headers.get("origin") === null) return { refusal: noOrigin }
      }
      const wait = mayAsk(caller.kind === "owner" ? "owner" : caller.device.id)
      if (wait !== undefined) return { refusal: tooMany, retryAfter: wait }
      from.onKnown?.()
      return caller
    },
    tryOnce,
  }
}

/** As the browser asked for it: that of the scheme where none was named. */
export const portOf = ({ url }: Request): string => {
  const { port, protocol } = new URL(url)
  return port || (protocol === "https:" ? "443" : "80")
}

const strangeHost: Refusal = {
  status: 403,
  code: "strange-host",
  message: 'This server is not known by that name. Use the address that "headway serve" printed.',
}

const strangeOrigin: Refusal = {
  status: 403,
  code: "strange-origin",
  message: "Only this server's own page may ask this.",
}

const noOrigin: Refusal = {
  status: 403,
  code: "no-origin",
  message: "A change must say which page it comes from, in the header Origin.",
}

const unknown: Refusal = {
  status: 401,
  code: "unknown-caller",
  message: 'Open the address that "headway serve" printed, or pair this device again.',
}

const tooMany: Refusal = { status: 429, code: "too-many", message: "Too many requests; try again in a moment." }
