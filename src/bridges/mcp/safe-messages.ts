/** Makes all MCP messages safe for a model: every message passes through here, including those of the SDK. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ErrorCode, type JSONRPCMessage, type JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js"
import { dataForModel, lineForModel } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"

/**
 * Wraps a transport: outgoing messages are made safe for a model, and refusals are one sentence. Ids are returned
 * unchanged.
 */
export const throughDoor = (inner: Transport): Transport => {
  const door: Transport = {
    async start() {
      const { onclose, onerror } = inner
      inner.onmessage = (message, extra) => {
        const refusal = refusalOf(message)
        if (refusal) void door.send(refusal).catch((cause) => door.onerror?.(cause))
        else door.onmessage?.(withArguments(message), extra)
      }
      inner.onclose = () => {
        onclose?.()
        door.onclose?.()
      }
      inner.onerror = (cause) => {
        onerror?.(cause)
        door.onerror?.(cause)
      }
      await inner.start()
    },
    send: (message, options) => inner.send(safeMessage(message), options),
    close: () => inner.close(),
    get sessionId() {
      return inner.sessionId
    },
  }
  return door
}

const isCall = (message: JSONRPCMessage): message is JSONRPCRequest =>
  "id" in message && "method" in message && message.method === "tools/call"

/** The model reads the result of its call, not a fault of the protocol. */
const refusalOf = (message: JSONRPCMessage): JSONRPCMessage | undefined => {
  const given = isCall(message) ? message.params?.arguments : undefined
  if (!isCall(message) || given === undefined || given === null) return undefined
  const text = refusalText(given)
  if (text === undefined) return undefined
  return { jsonrpc: "2.0", id: message.id, result: { content: [{ type: "text", text }], isError: true } }
}

const refusalText = (given: unknown): string | undefined => {
  if (typeof given !== "object" || Array.isArray(given))
    return "The arguments of a tool call are one JSON object with the fields of the tool."
  return isDeeper(given, deepest)
    ? "The arguments of a tool call are nested too deep, and nothing was changed. A list needs only a few levels."
    : undefined
}

/** Far more levels than any list has, and far fewer than would fill the stack of what walks through them. */
const deepest = 100

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)))

/** Some clients send null instead of leaving it out. */
const withArguments = (message: JSONRPCMessage): JSONRPCMessage => {
  if (!isCall(message) || message.params?.arguments !== null) return message
  const { arguments: _, ...params } = message.params
  return { ...message, params }
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
  const found = parseJson(text)
  return Array.isArray(found) && typeof found[0]?.message === "string" ? found : []
}

/** What a client asked for, to be repeated to it. */
export const askedFor = (text: string): string => lineForModel(text.slice(0, 200).toWellFormed())
