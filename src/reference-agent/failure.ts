/** Classifies a failed request: whether to retry, and the message. */
import { APICallError, InvalidPromptError, LoadAPIKeyError, UnsupportedFunctionalityError } from "ai"
import { messageOf } from "../plan/headway-error.ts"
import { sanitise } from "../plan/index.ts"

/**
 * Whether a retry may help: after a connection error, or with a busy or failing service. A refused key or request stays
 * refused.
 */
export const isPassing = (cause: unknown): boolean => {
  if (hopeless.some((kind) => kind.isInstance(cause))) return false
  return !APICallError.isInstance(cause) || cause.isRetryable || !cause.statusCode
}

const hopeless = [InvalidPromptError, LoadAPIKeyError, UnsupportedFunctionalityError]

/** The services' own texts for a conversation that is too long for the model. */
const tooLong =
  /(?:prompt|input|request|context|messages?)\b.{0,80}\b(?:too (?:long|large)|exceeds?)|context[_ ]length[_ ]exceeded|(?:maximum|max) context|context (?:window|size|length)\b.{0,40}exceed|token count.{0,40}exceeds/is

export const isTooLong = (cause: unknown): boolean => {
  if (!APICallError.isInstance(cause)) return false
  if (cause.statusCode !== 400 && cause.statusCode !== 413 && cause.statusCode !== 422) return false
  return tooLong.test(`${cause.message}\n${cause.responseBody?.slice(0, 2000) ?? ""}`)
}

/** In characters. A longer text is a web page, not a message. */
const longestReason = 500

export const sayFailure = (cause: unknown): string => {
  const message = messageOf(cause)
  const reason = sanitise(message).slice(0, longestReason) || "no reason given"
  if (!APICallError.isInstance(cause)) return reason
  if (cause.statusCode) return `The model's service answered ${cause.statusCode}: ${reason}`
  const why = reason.match(/^Cannot connect to API: (.*?)\.?$/s)?.[1]
  if (why === undefined || !URL.canParse(cause.url)) return reason
  return `The model's service at ${new URL(cause.url).host} cannot be reached (${why}). Check that it is running and that this is its address.`
}

/** In milliseconds. A longer wait needs the person's consent. */
const longestWait = 60_000

/** The delay that a busy service asks for, in milliseconds. */
export const waitAsked = (cause: unknown): number | undefined => {
  if (!APICallError.isInstance(cause)) return undefined
  const headers = cause.responseHeaders ?? {}
  const milliseconds = Number(headers["retry-after-ms"] ?? "")
  const seconds = Number(headers["retry-after"] ?? "")
  const asked = headers["retry-after-ms"] !== undefined ? milliseconds : seconds * 1000
  const isAsked = headers["retry-after-ms"] !== undefined || headers["retry-after"] !== undefined
  return isAsked && asked >= 0 ? Math.min(asked, longestWait) : undefined
}
