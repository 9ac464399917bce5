/**
 * The MCP server over stdio: one message per line with a length limit, and an error reply to anything that is not a
 * message.
 */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { createLineSplitter } from "../../streams/lines.ts"

export type StdioOptions = {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  /** How long a message may be. @default 10 MiB */
  mostBytes?: number
}

/** Large enough for any plan a model would send. */
export const mostMessageBytes = 10 * 1024 * 1024

/** Ends only when it is closed: a line that cannot be taken is refused, and the next one is read. */
export const createStdioTransport = ({ input, output, mostBytes = mostMessageBytes }: StdioOptions): Transport => {
  /** Requests without a reply, replies that are not read, and what was taken in since there last were none. */
  const open = new Set<unknown>()
  let unread = 0
  let taken = 0
  let isClosed = false

  /** Stops reading from a client that does not read its replies or sends too much, so that nothing piles up. */
  const pace = (): void => {
    const isIdle = open.size === 0 && unread === 0
    if (isIdle) taken = 0
    if (taken > mostBytes) input.pause()
    else if (isIdle && !isClosed) input.resume()
  }

  const write = (message: object): Promise<void> =>
    new Promise((resolve) => {
      const line = `${JSON.stringify(message)}\n`
      unread += 1
      taken += line.length
      pace()
      output.write(line, () => {
        unread -= 1
        if ("id" in message) open.delete(message.id)
        pace()
        resolve()
      })
    })

  const refuse = (code: ErrorCode, message: string, id: string | number | null = null): void =>
    void write({ jsonrpc: "2.0", id, error: { code, message } })

  /** To a request that is cancelled there is no reply. */
  const note = (message: JSONRPCMessage): void => {
    if (!("method" in message)) return
    if ("id" in message) open.add(message.id)
    else if (message.method === "notifications/cancelled") open.delete(message.params?.requestId)
  }

  const receive = (value: unknown): void => {
    const { success, data } = JSONRPCMessageSchema.safeParse(value)
    try {
      if (success) note(data)
      if (success) transport.onmessage?.(data)
      else refuse(ErrorCode.InvalidRequest, "This is not a JSON-RPC 2.0 message.", idOf(value))
    } catch {
      refuse(ErrorCode.InvalidRequest, "The message could not be read.", idOf(value))
    }
  }

  const take = (line: string): void => {
    const value = parseJson(line)
    if (value !== undefined) receive(value)
    else if (line.trim() !== "") refuse(ErrorCode.ParseError, "The line is not JSON.")
  }

  const lines = createLineSplitter({
    onLine: take,
    onSkipped: () =>
      refuse(ErrorCode.ParseError, `A message may have at most ${mostBytes} bytes; this one was skipped.`),
    maxLength: mostBytes,
  })
  const push = (chunk: Uint8Array | string): void => {
    taken += chunk.length
    lines.push(Buffer.from(chunk as Uint8Array))
    pace()
  }
  const fail = (cause: Error): void => transport.onerror?.(cause)

  const transport: Transport = {
    async start() {
      input.on("data", push)
      input.on("error", fail)
      // A client that no longer reads is about to go; that it is gone shows on our input.
      output.on("error", fail)
    },
    send: (message: JSONRPCMessage) => write(message),
    async close() {
      isClosed = true
      input.off("data", push)
      input.pause()
      transport.onclose?.()
    },
  }
  return transport
}

const idOf = (value: unknown): string | number | null => {
  const id = isRecord(value) ? value.id : undefined
  return typeof id === "string" || typeof id === "number" ? id : null
}
