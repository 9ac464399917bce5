/** `headway mcp`: the MCP server on standard input and output, as a client starts it. */
import { Writable } from "node:stream"
import { connectedAgentIds, loadConnectedAgent } from "../../agents/index.ts"
import { projectOf } from "../../board/project.ts"
import { createMcpServer, createSilentServer } from "../../bridges/mcp.ts"
import { createStdioTransport } from "../../bridges/mcp-stdio.ts"
import { escapeHidden } from "../../plan/text/sanitise.ts"
import { gatesOf, mcpOptions, readMcpOptions } from "../bridge/mcp-options.ts"
import { openServerPlans } from "../bridge/plans/server-plans.ts"
import { type Context, defineCommand } from "../command.ts"
import type { Io } from "../io.ts"
import { say } from "../output/say.ts"

export const mcp = defineCommand({
  usage: "mcp [--dialect D] [--tool T] [--level L] [--gate] [--share] [--plugin AGENT]",
  about: `Serves a todo tool over MCP, on standard input and output. Started by an agent; "headway setup AGENT" arranges that.

Each session keeps its own plan. A client that does not name its session is recognised by its hooks, its process or its session
file; until then it has a separate plan.`,
  options: {
    ...mcpOptions,
    plugin: {
      type: "string",
      value: "AGENT",
      known: connectedAgentIds,
      about: "started by Headway's plugin for that agent: offers nothing if set-up has installed the tool too",
    },
  },
  examples: ["headway mcp", "headway mcp --dialect claude-todos --level full", "headway mcp --share"],
  async run(context) {
    const { isShared, ...words } = readMcpOptions(context)
    const { io } = context
    if (io.isTerminal.in)
      say(io, 'this waits for an agent on standard input. "headway setup AGENT" connects one; Ctrl+C ends it.')
    const gateAt = await gatesOf(context)
    const plans = openServerPlans(context, { isShared, isChild: true, gateAt })
    const isSilent = context.values.plugin !== undefined && (await hasServerSetUp(context, context.values.plugin))
    const server = isSilent
      ? createSilentServer(words)
      : createMcpServer({ ...words, isShared, env: io.env, ...plans, ...plans.connect() })
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

/** Then the model has our tool already, and would be shown it twice. */
const hasServerSetUp = async ({ io }: Context, name: string): Promise<boolean> => {
  const agent = await loadConnectedAgent(name)
  const { isAlsoSetUp } = await import("../../bridges/setup/also-set-up.ts")
  return isAlsoSetUp(agent, { env: io.env, home: io.home, project: projectOf(io.cwd) }, "mcp")
}

/** Messages are JSON, each written in one piece; what is hidden in them is written as an escape, as in all our JSON. */
const messagesTo = (io: Io): Writable =>
  new Writable({
    decodeStrings: false,
    write: (message: string, _encoding, written) => {
      void io.pour(escapeHidden(message)).then(() => written())
    },
  })
