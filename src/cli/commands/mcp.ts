/** `headway mcp`: the MCP server on standard input and output, as a client starts it. */
import { Writable } from "node:stream"
import { createMcpServer } from "../../bridges/mcp.ts"
import { createStdioTransport } from "../../bridges/mcp-stdio.ts"
import { escapeHidden } from "../../plan/text/sanitise.ts"
import { openBridgePlans } from "../bridge/bridge-plans.ts"
import { mcpOptions, readMcpOptions } from "../bridge/mcp-options.ts"
import { defineCommand } from "../command.ts"
import type { Io } from "../io.ts"

export const mcp = defineCommand({
  usage: "mcp [--dialect D] [--tool T] [--level L] [--share]",
  about: `Serves a todo tool over MCP, on standard input and output. Started by an agent; "headway setup AGENT" arranges that.

Each session keeps its own plan. A client that does not say its session is known by its hooks, its process or its session
file; until then it has a plan of its own.`,
  options: mcpOptions,
  examples: ["headway mcp", "headway mcp --dialect claude-todos --level full", "headway mcp --share"],
  async run(context) {
    const { isShared, ...words } = readMcpOptions(context)
    const { io } = context
    const plans = openBridgePlans(context, { isShared, isChild: true })
    const server = createMcpServer({ ...words, isShared, env: io.env, ...plans, ...plans.connect() })
    const transport = createStdioTransport({ input: process.stdin, output: messagesTo(io) })
    const ended = new Promise<void>((resolve) => {
      // The client goes: by closing our input, or by a signal.
      process.stdin.once("end", resolve)
      process.stdin.once("close", resolve)
      io.stopped().addEventListener("abort", () => resolve(), { once: true })
    })
    await server.connect(transport)
    await ended
    await server.close()
    await plans.close()
    return 0
  },
})

/** Messages are JSON, each written in one piece; what is hidden in them is written as an escape, as in all our JSON. */
const messagesTo = (io: Io): Writable =>
  new Writable({
    decodeStrings: false,
    write: (message: string, _encoding, written) => {
      void io.pour(escapeHidden(message)).then(() => written())
    },
  })
