/** What both wires of OpenAI share: errors, and the list of models. */
import type { Failure } from "../exchange.ts"
import type { WireRequest } from "./wire.ts"

export const openaiFailure = ({ status, message }: Failure): unknown => ({
  error: {
    message,
    type: errorTypes[status] ?? (status < 500 ? "invalid_request_error" : "server_error"),
    param: null,
    code: codes[status] ?? null,
  },
})

const errorTypes: Partial<Record<number, string>> = { 401: "authentication_error", 429: "requests" }

const codes: Partial<Record<number, string>> = {
  401: "invalid_api_key",
  404: "not_found",
  429: "rate_limit_exceeded",
  503: "server_is_overloaded",
}

export const openaiModels = ({ method, path }: WireRequest): unknown =>
  method === "GET" && path.endsWith("/models") ? { object: "list", data: [] } : undefined
