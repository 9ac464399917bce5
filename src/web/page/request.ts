/** Requests to the server that served the page. What goes wrong is thrown as one error with a sentence for the person. */
import { HeadwayError } from "../../plan/headway-error.ts"

export const load = <Reply>(path: string, signal?: AbortSignal): Promise<Reply> =>
  request(path, { ...(signal ? { signal } : {}) })

export const send = <Reply>(method: "POST" | "DELETE", path: string, body: unknown = {}): Promise<Reply> =>
  request(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) })

export const sessionPath = (key: string, rest = ""): string => `/api/sessions/${encodeURIComponent(key)}${rest}`

/** A reply that takes longer is no longer waited for. */
const patience = 20_000

const request = async <Reply>(path: string, options: RequestInit): Promise<Reply> => {
  const signals = [AbortSignal.timeout(patience), ...(options.signal ? [options.signal] : [])]
  const response = await fetch(path, { ...options, signal: AbortSignal.any(signals) }).catch((cause: unknown) => {
    if (options.signal?.aborted) throw cause
    throw new HeadwayError("no-connection", "Headway cannot be reached.")
  })
  if (!response.ok) throw await errorOf(response)
  return (response.status === 204 ? undefined : await response.json()) as Reply
}

/** What the server says is wrong, or at least that something is. */
export const errorOf = async (response: Response): Promise<HeadwayError> => {
  const said = (await response.json().catch(() => undefined)) as
    | { error?: { code?: string; message?: string } }
    | undefined
  const code = response.status === 401 ? "unknown-browser" : (said?.error?.code ?? "refused")
  return new HeadwayError(code, said?.error?.message ?? `The server answered with ${response.status}.`)
}
