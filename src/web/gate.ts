/** Decides which requests are accepted: by host name, origin, caller and rate. */
import type { Access, Caller } from "./access.ts"
import { createRateLimit } from "./rate-limit.ts"
import type { Refusal } from "./reply.ts"

export type GateOptions = {
  access: Access
  /** Whether this host name, without port, is allowed. An attacker may make other names resolve to this server. */
  isHost: (name: string) => boolean
  /** In milliseconds. */
  now: () => number
}

/** Where a request came from, as far as the listener knows. */
export type RequestSource = {
  /** The client's address. @default "" */
  address?: string | undefined
  /** The port at which it arrived, regardless of its headers. */
  port?: number | undefined
  /** Called when the sender of the request is known. */
  onKnown?: (() => void) | undefined
}

export type Gate = {
  /** Checks every request, including those for the page itself. Undefined accepts it. */
  check(request: Request, from: RequestSource): Refusal | undefined
  /** Checks a protected request. Returns the caller, or the refusal. */
  admit(request: Request, from: RequestSource): Caller | { refusal: Refusal; retryAfter?: number }
  /** Counts an attempt by an unknown caller, such as to use a pairing code. */
  tryOnce(from: RequestSource): { refusal: Refusal; retryAfter: number } | undefined
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
      // A request without credentials is not a guess.
      const isGuess = request.headers.has("authorization") || request.headers.has("cookie")
      if (!caller) return (isGuess ? tryOnce(from) : undefined) ?? { refusal: unknownCaller }
      // Browsers name the page that makes the request. Not even a page on another port of this machine is allowed.
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

/** The port in the request's address, or the scheme's default port. */
export const portOf = ({ url }: Pick<Request, "url">): string => {
  const { port, protocol } = new URL(url)
  return port || (protocol === "https:" ? "443" : "80")
}

const strangeHost: Refusal = {
  status: 403,
  code: "strange-host",
  message: 'This server does not go by that name. Use the address that "headway serve" printed.',
}

const strangeOrigin: Refusal = {
  status: 403,
  code: "strange-origin",
  message: "Only this server's own page may make this request.",
}

const noOrigin: Refusal = {
  status: 403,
  code: "no-origin",
  message: "A change needs the Origin header of the page it comes from.",
}

export const unknownCaller: Refusal = {
  status: 401,
  code: "unknown-caller",
  message: 'Open the address that "headway serve" printed, or pair this device again.',
}

const tooMany: Refusal = { status: 429, code: "too-many", message: "Too many requests; try again in a moment." }
