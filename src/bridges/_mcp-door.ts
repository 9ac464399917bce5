/** What an MCP server says and hears, made fit for a model: every message passes here, whoever wrote it. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ErrorCode, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import { dataForModel } from "../plan/index.ts"

/**
 * The same transport, with a door on it: what goes out is safe to be read by a model, and a refusal is one sentence. Ids go
 * back as they came.
 */
export const throughDoor = (transport: Transport): Transport => {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => send(safeMessage(message), options)
  return transport
}

const safeMessage = (message: JSONRPCMessage): JSONRPCMessage => {
  if ("result" in message) return { ...message, result: dataForModel(message.result) }
  if ("error" in message) return { ...message, error: dataForModel(briefly(message.error)) }
  return message.params === undefined ? message : { ...message, params: dataForModel(message.params) }
}

type Failure = { code: number; message: string; data?: unknown }

/** A request that a schema does not allow is refused with all that the schema has to say: the first of it is enough. */
const briefly = (failure: Failure): Failure => {
  const start = failure.message.indexOf("[\n")
  const [issue] = start < 0 ? [] : issuesIn(failure.message.slice(start))
  if (!issue) return failure
  const place = issue.path?.join(".") ?? ""
  return {
    code: ErrorCode.InvalidParams,
    message: `The request is not valid${place === "" ? "" : ` at ${place.slice(0, 100)}`}: ${issue.message}.`,
  }
}

type Issue = { path?: (string | number)[]; message: string }

const issuesIn = (text: string): Issue[] => {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) && typeof found[0]?.message === "string" ? found : []
  } catch {
    return []
  }
}
