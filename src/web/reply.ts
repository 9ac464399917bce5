/**
 * Replies of the page's server: JSON with hidden characters escaped, refusals in one form, and the headers of every
 * reply.
 */
import { escapeHidden } from "../plan/index.ts"

/** Why a request is refused: a code for programs and a sentence for people. */
export type Refusal = {
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 500 | 503
  code: string
  message: string
}

export const jsonReply = (value: unknown, init: { status?: number; headers?: Record<string, string> } = {}): Response =>
  new Response(`${escapeHidden(JSON.stringify(value))}\n`, {
    status: init.status ?? 200,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", ...init.headers },
  })

export const refuse = ({ status, code, message }: Refusal, headers: Record<string, string> = {}): Response =>
  jsonReply({ error: { code, message } }, { status, headers })

/** The response to a refused request; `retryAfter` is the number of seconds after which it may be repeated. */
export const refused = ({ refusal, retryAfter }: { refusal: Refusal; retryAfter?: number }): Response =>
  refuse(refusal, retryAfter === undefined ? {} : { "retry-after": String(retryAfter) })

/** The same for an address that a person opens: a browser shows the sentence alone, and a program gets data. */
export const refusedAddress = (request: Request, given: { refusal: Refusal; retryAfter?: number }): Response => {
  const reply = refused(given)
  if (!request.headers.get("accept")?.includes("text/html")) return reply
  const headers = new Headers(reply.headers)
  headers.set("content-type", "text/plain; charset=utf-8")
  return new Response(`${given.refusal.message}\n`, { status: reply.status, headers })
}

/** Allows only our own scripts, styles and frames, so that a plan's text stays text. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

/** Adds the headers of every reply. `isForm` allows the single form, which pairs a device. */
export const withSafeHeaders = (response: Response, { isForm = false } = {}): Response => {
  const { headers } = response
  if (headers.has("content-security-policy")) return response
  const forms = isForm ? "form-action 'self'" : "form-action 'none'"
  headers.set("content-security-policy", [...policy, forms].join("; "))
  headers.set("x-content-type-options", "nosniff")
  // Without a referrer policy like this, browsers would not name the page in a form's Origin header.
  headers.set("referrer-policy", "same-origin")
  headers.set("cross-origin-opener-policy", "same-origin")
  headers.set("cross-origin-resource-policy", "same-origin")
  headers.set("x-frame-options", "DENY")
  headers.set("permissions-policy", "camera=(), microphone=(), geolocation=()")
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store")
  return response
}
