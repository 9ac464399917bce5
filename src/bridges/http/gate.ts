/** Decides which HTTP requests are accepted, from headers alone: by host name, token and path. */
import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** The reply to a refused request, independent of any plan. */
export type Refusal = { status: number; message: string; headers?: Record<string, string>; code?: number }

/** Undefined accepts the request and removes the token from it, so that nothing behind the gate can leak it. */
export type Gate = (request: IncomingMessage) => Refusal | undefined

export type GateOptions = {
  /** Read at each request, so that a replaced token is no longer valid; undefined refuses every request. */
  token: () => string | undefined
  path: string
}

export const createGate = ({ token, path }: GateOptions): Gate => {
  const isKnown = (given: string | null | undefined, expected: Buffer): boolean =>
    typeof given === "string" && timingSafeEqual(digestOf(given), expected)
  return (request) => {
    const { headers, method = "", url = "" } = request
    if (!isLocal(request))
      return refused(403, "Only programs on this machine may connect, by one of its loopback names.")
    const [pathname, query = ""] = url.split("?", 2)
    const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "") ?? []
    const current = token()
    if (current === undefined) return unknownToken
    const expected = digestOf(current)
    if (!isKnown(bearer, expected) && !isKnown(new URLSearchParams(query).get("token"), expected)) return unknownToken
    if (pathname !== path) return refused(404, `There is nothing here except ${path}.`)
    if (!methods.includes(method))
      return { ...refused(405, "Use POST, GET or DELETE."), headers: { allow: methods.join() } }
    if (method === "POST" && !isJson(headers["content-type"])) return refused(415, "Send JSON, as application/json.")
    forgetToken(request, path)
    return undefined
  }
}

const forgetToken = (request: IncomingMessage, path: string): void => {
  request.url = path
  delete request.headers.authorization
  const kept = request.rawHeaders.flatMap((name, at, all) =>
    at % 2 === 0 && name.toLowerCase() !== "authorization" ? [name, all[at + 1] ?? ""] : [],
  )
  request.rawHeaders.splice(0, request.rawHeaders.length, ...kept)
}

const methods = ["POST", "GET", "DELETE"]

const refused = (status: number, message: string): Refusal => ({ status, message })

export const unknownToken: Refusal = {
  status: 401,
  message: 'A token is needed: use the address "headway serve" printed, or send "Authorization: Bearer TOKEN".',
  headers: { "www-authenticate": 'Bearer realm="headway"' },
}

/** Always the same length, for a constant-time comparison. */
const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest()

const loopback = String.raw`(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?`
const localHost = new RegExp(`^${loopback}$`, "i")
const localOrigin = new RegExp(`^https?://${loopback}$`, "i")

/** Checks the host name and the origin, because other names can be made to resolve to this server. */
const isLocal = ({ headers: { host = "", origin } }: IncomingMessage): boolean =>
  localHost.test(host) && (origin === undefined || localOrigin.test(origin))

const isJson = (type = ""): boolean => type.split(";")[0]?.trim().toLowerCase() === "application/json"
