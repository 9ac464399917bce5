/** `headway serve`: the MCP server over HTTP, for clients that connect to one that already runs. */
import { createMcpServer } from "../../bridges/mcp.ts"
import { loadToken, makeToken, readToken, saveToken } from "../../home/token.ts"
import { openBridgePlans } from "../bridge/bridge-plans.ts"
import { defaultPort, mcpOptions, portOption, readMcpOptions } from "../bridge/mcp-options.ts"
import { defineCommand } from "../command.ts"
import { say } from "../output/say.ts"
import { homeOf } from "../place.ts"

export const serve = defineCommand({
  usage: "serve [--port N] [--dialect D] [--tool T] [--level L] [--share] [--new-token]",
  about: `Serves the todo tool over MCP (streamable HTTP) on 127.0.0.1, until Ctrl+C. Prints the address.

A program that has the address can read and change your plans: it holds a token, which is kept in your home and stays the same.
"headway setup AGENT --http" gives it to an agent.`,
  options: {
    ...mcpOptions,
    port: { ...portOption, short: "p" },
    "new-token": { type: "boolean", about: "make a new token; the old address stops working" },
  },
  examples: ["headway serve", "headway serve --port 0 --share", "headway serve --new-token"],
  async run(context) {
    const { isShared, ...words } = readMcpOptions(context)
    const { io, values } = context
    // Where plans are kept in a project the token is not: others work there too.
    const home = homeOf(context)
    const isNew = values["new-token"] === true
    const token = isNew ? makeToken() : loadToken(home)
    const plans = openBridgePlans(context, { isShared, isChild: false })
    const { serveMcp } = await import("../../bridges/mcp-http.ts")
    const server = await serveMcp({
      port: values.port ?? defaultPort,
      token: () => tokenNow(home),
      createServer: () => createMcpServer({ ...words, isShared, env: {}, ...plans, ...plans.connect() }),
    })
    try {
      if (isNew) saveToken(home, token)
    } catch (cause) {
      // No one could show the new one to it.
      await server.close()
      throw cause
    }
    const stopped = io.stopped()
    io.out(`${server.url}?token=${token}\n`)
    if (isNew) say(io, 'Agents connected with "headway setup AGENT --http" need that again, for the new token.')
    say(io, "serving until Ctrl+C")
    if (!stopped.aborted) await new Promise((resolve) => stopped.addEventListener("abort", resolve, { once: true }))
    await server.close()
    await plans.close()
    return 0
  },
})

/** Another server may have made a new one: then the old one stops working here too. */
const tokenNow = (home: string): string | undefined => {
  try {
    return readToken(home)
  } catch {
    return undefined
  }
}
