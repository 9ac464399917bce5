/** `headway mcp`: the MCP server on standard input and output, as a client starts it. */
import { createMcpServer } from "../../bridges/mcp.ts"
import { createStdioTransport } from "../../bridges/mcp-stdio.ts"
import { openBridgePlans } from "../bridge-plans.ts"
import type { Command } from "../command.ts"
import { mcpOptions, readMcpOptions } from "../mcp-options.ts"

export const mcp: Command = {
  usage: "mcp [--dialect D] [--level L] [--share]",
  about: `Serves a todo tool over MCP, on standard input and output. Started by an agent; "headway setup AGENT" arranges that.

Each client keeps its own plan: its session's where it names one, else what it left unfinished in this project.`,
  options: mcpOptions,
  examples: ["headway mcp", "headway mcp --dialect claude-todos --level full", "headway mcp --share"],
  async run(context) {
    const { isShared, ...words } = readMcpOptions(context)
    const { io } = context
    const plans = openBridgePlans(context, { isShared })
    const server = createMcpServer({ ...words, isShared, env: io.env, ...plans })
    const transport = createStdioTransport({ input: process.stdin, output: process.stdout })
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
}
