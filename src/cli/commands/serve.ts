/** `headway serve`: the MCP server over HTTP, for clients that connect to one that already runs. */
import { createMcpServer } from "../../bridges/mcp.ts"
import { HeadwayError } from "../../plan/index.ts"
import { openBridgePlans } from "../bridge-plans.ts"
import type { Command, Context } from "../command.ts"
import { mcpOptions, readMcpOptions } from "../mcp-options.ts"
import { say } from "../say.ts"

const defaultPort = 4774

export const serve: Command = {
  usage: "serve [--port N] [--dialect D] [--level L] [--share]",
  about: `Serves the todo tool over MCP (streamable HTTP) on 127.0.0.1, until Ctrl+C. Prints the address.`,
  options: {
    ...mcpOptions,
    port: { type: "string", short: "p", value: "N", about: `the port (default ${defaultPort}, 0 takes any)` },
  },
  examples: ["headway serve", "headway serve --port 0 --share"],
  async run(context) {
    const { isShared, ...words } = readMcpOptions(context)
    const { io } = context
    const plans = openBridgePlans(context, { isShared })
    const { serveMcp } = await import("../../bridges/mcp-http.ts")
    const server = await serveMcp({
      port: portOf(context),
      createServer: () => createMcpServer({ ...words, isShared, env: {}, ...plans }),
    })
    io.out(`${server.url}\n`)
    say(io, "serving until Ctrl+C")
    const stopped = io.stopped()
    if (!stopped.aborted) await new Promise((resolve) => stopped.addEventListener("abort", resolve, { once: true }))
    await server.close()
    await plans.close()
    return 0
  },
}

const portOf = ({ values }: Context): number => {
  const port = values.port === undefined ? defaultPort : Number(values.port)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new HeadwayError("usage", `--port wants a number from 0 to 65535, not "${values.port}".`)
}
