/** Requests to the page's server. Failures are thrown as an error with a message for the person. */
import { HeadwayError } from "../../plan/headway-error.ts"

export const load = <Reply>(path: string, signal?: AbortSignal): Promise<Reply> =>
  request(path, { ...(signal ? { signal } : {}) })

export const send = <Reply>(method: "POST" | "DELETE", path: string, body: unknown = {}): Promise<Reply> =>
  request(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) })

export const sessionPath = (key: string, rest = ""): string => `/api/sessions/${encodeURIComponent(key)}${rest}`

/** The time limit for a reply, in milliseconds. */
const timeLimit = 20_000

const request = async <Reply>(path: string, options: RequestInit): Promise<Reply> => {
  const signals = [AbortSignal.timeout(timeLimit), ...(options.signal ? [options.signal] : [])]
  const response = await fetch(path, { ...options, signal: AbortSignal.any(signals) }).catch((cause: unknown) => {
    if (options.signal?.aborted) throw cause
    throw new HeadwayError("no-connection", "Headway cannot be reached.")
  })
  if (!response.ok) throw await errorOf(response)
  return (response.status === 204 ? undefined : await response.json()) as Reply
}

/** The server's error message, or a generic one. */
export const errorOf = async (response: Response): Promise<HeadwayError> => {
  const body = (await response.json().catch(() => undefined)) as
    | { error?: { code?: string; message?: string } }
    | undefined
  const code = response.status === 401 ? "unknown-browser" : (body?.error?.code ?? "refused")
  return new HeadwayError(code, body?.error?.message ?? `The server answered with ${response.status}.`)
}
