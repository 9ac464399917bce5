/** The MCP server's end of a pipe: one message per line, a limit on its length, and a reply to anything that is not a message. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js"
import { parseJson } from "../plan/json.ts"
import { isRecord } from "../plan/log/shape.ts"
import { createLineSplitter } from "../streams/lines.ts"

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
  const write = (message: unknown): Promise<void> =>
    new Promise((resolve) => {
      output.write(`${JSON.stringify(message)}\n`, () => resolve())
    })

  const refuse = (code: ErrorCode, message: string, id: string | number | null = null): void =>
    void write({ jsonrpc: "2.0", id, error: { code, message } })

  const receive = (value: unknown): void => {
    const { success, data } = JSONRPCMessageSchema.safeParse(value)
    try {
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
  const push = (chunk: Uint8Array | string): void => lines.push(Buffer.from(chunk as Uint8Array))
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
