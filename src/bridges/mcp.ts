/** The MCP server: a list tool in a vocabulary the model knows, the plans as resources, and a prompt with the todos. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { HostOptions } from "../host/options.ts"
import { createToolset } from "../host/toolset.ts"
import { activeTodo, progressOf } from "../plan/index.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { createConnectedClient } from "./mcp/connected-client.ts"
import type { McpOptions, McpToolOptions } from "./mcp/options.ts"
import { servePrompt } from "./mcp/prompt.ts"
import { serveResources } from "./mcp/resources.ts"
import { throughDoor } from "./mcp/safe-messages.ts"
import { serveTools } from "./mcp/tools.ts"

export type { McpOptions, McpToolOptions } from "./mcp/options.ts"

export type McpServer = {
  connect(transport: Transport): Promise<void>
  close(): Promise<void>
}

/** For a host that serves the plan of its own agent: connect it to a transport of the MCP SDK. */
export const todoServer = (
  tracker: Tracker,
  { version = "0", ...options }: McpToolOptions & { version?: string } = {},
): McpServer =>
  createMcpServer({
    ...options,
    version,
    env: {},
    planFor: async () => tracker,
    planAt: async ({ session, agent }) =>
      session === tracker.key.session && agent === tracker.key.agent ? tracker : undefined,
    plans: async () => {
      const current = activeTodo(tracker.plan)?.content
      return [{ ...tracker.key, progress: progressOf(tracker.plan), ...(current === undefined ? {} : { current }) }]
    },
  })

/** A server that offers no tool, for a client that has ours already. */
export const createSilentServer = ({ version }: Pick<McpOptions, "version">): McpServer =>
  new Server({ name: "headway", version }, { capabilities: {} })

export const createMcpServer = (options: McpOptions): McpServer => {
  const { version, onClose } = options
  const toolset = createToolset({ ...options, overrides: withoutCommits(options.overrides) })
  const { definitions, system: instructions } = toolset
  const server = new Server(
    { name: "headway", title: "Headway", version },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {} },
      ...(instructions === "" ? {} : { instructions }),
    },
  )
  const client = createConnectedClient(server, options)
  serveTools(server, { ...options, client, toolset })
  const resources = serveResources(server, options)
  servePrompt(server, { ...options, client, tools: definitions.map(({ name }) => name) })
  return {
    connect: (transport) => server.connect(throughDoor(transport)),
    async close() {
      await resources.close()
      await onClose?.()
      await server.close()
    },
  }
}

/** How commits are made is the client's to say. */
const withoutCommits = (overrides: HostOptions["overrides"]): NonNullable<HostOptions["overrides"]> => ({
  ...overrides,
  system: { commit: "", pullRequest: "", ...overrides?.system },
})
