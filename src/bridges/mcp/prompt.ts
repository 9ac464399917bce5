/** The prompt of the MCP server: the current plan, to continue with. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js"
import {
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js"
import type { Plan } from "../../plan/index.ts"
import { detailedList } from "../../views/index.ts"
import type { ConnectedClient } from "./connected-client.ts"
import type { McpOptions } from "./options.ts"
import { askedFor } from "./safe-messages.ts"

type PromptOptions = Pick<McpOptions, "planFor" | "planNow"> & { client: ConnectedClient; tools: readonly string[] }

export const servePrompt = (server: Server, options: PromptOptions): void => {
  const { client, tools, planFor, planNow = planFor } = options

  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: [{ name: "todos", title: "Todos", description: "The current plan, to continue with." }],
  }))

  server.setRequestHandler(GetPromptRequestSchema, async ({ params: { name, _meta } }, { sendRequest }) => {
    if (name !== "todos")
      throw new McpError(ErrorCode.InvalidParams, `There is no prompt "${askedFor(name)}", only "todos".`)
    const tracker = await planNow({ ...client.caller(_meta), ...(await client.folderFor(sendRequest)) })
    const text = tracker ? promptText(tracker.plan, tools) : unknownText(tools)
    return { description: "The current plan", messages: [{ role: "user", content: { type: "text", text } }] }
  })
}

const promptText = (plan: Plan, tools: readonly string[]): string =>
  plan.todos.length === 0
    ? `There are no todos yet. Plan the work with ${tools[0]} first if it has several steps.`
    : `This is the current plan. Continue with it, and keep it up to date with ${tools.join(", ")}.\n\n${detailedList(plan)}`

const unknownText = (tools: readonly string[]): string =>
  `Headway cannot tell which session this request is from, so no plan is shown here. Continue with the plan of this session, and keep it up to date with ${tools.join(", ")}. If the list can be read that way, read it first.`
