/** The MCP server: a list tool in a vocabulary the model knows, the plans as resources, and a prompt with the todos. */
import { randomUUID } from "node:crypto"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js"
import { printChecklist } from "../dialects/checklist.ts"
import type { HostOptions } from "../host/options.ts"
import { createToolset } from "../host/toolset.ts"
import { activeTodo, isHeadwayError, lineForModel, type Plan, progressOf, textForModel } from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import type { PlanKey, PlanSummary } from "../stores/store.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { detailedList } from "../views/index.ts"
import { callIdOf } from "./calls/call-id.ts"
import { type Caller, callerOf, clientIdOf, showsBoth } from "./calls/caller.ts"
import { type AskClient, createRootReader } from "./mcp/client-root.ts"
import { keyIn, uriOf } from "./mcp/plan-uri.ts"
import { throughDoor } from "./mcp/safe-messages.ts"
import { createSubscriptions } from "./mcp/subscriptions.ts"

/** The host options that apply to MCP, which has no reminders. */
export type McpToolOptions = Pick<
  HostOptions,
  "dialect" | "tool" | "names" | "level" | "overrides" | "strict" | "loadMode" | "subagent" | "system"
>

/** `madeAt`: when the agent made the call. What it was told after that, it did not know. */
type NotedCaller = Pick<Caller, "session" | "agent" | "folder"> & { madeAt?: string | undefined }

export type McpOptions = McpToolOptions & {
  version: string
  env: Readonly<Record<string, string | undefined>>
  /** The caller of a call, if better known than from the client. */
  whose?: ((callId: string) => NotedCaller | undefined) | undefined
  /** The caller's plan, started if there is none; with the call that is about to change it. */
  planFor: (caller: Caller, call?: { tool: string; input: unknown }) => Promise<Tracker>
  /** The plan of the session the client is in, without a call; undefined if that session is not known. @default planFor */
  planNow?: ((caller: Caller) => Promise<Tracker | undefined>) | undefined
  /** The folder that the client's address names. */
  folder?: string | undefined
  /** Whether this process may be in another folder than the client, which is then asked for its roots. @default false */
  isElsewhere?: boolean | undefined
  /** Called after the call for which a plan was requested. */
  onCalled?: (() => void) | undefined
  /** The client is gone. */
  onClose?: (() => Promise<void>) | undefined
  /** Several clients write to one plan, so each entry names its writer. @default false */
  isShared?: boolean | undefined
  /** A plan by its name, only looked at; undefined when there is none. */
  planAt: (key: PlanKey) => Promise<Tracker | undefined>
  /** The plans a client may look at, newest first. */
  plans: () => Promise<readonly Pick<PlanSummary, "session" | "agent" | "progress" | "current">[]>
}

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

/** Listing more would only fill a model's context. */
const mostResources = 50

/** Each is a watch on the disk. */
const mostSubscriptions = 20

export const createMcpServer = (options: McpOptions): McpServer => {
  const {
    version,
    env,
    whose,
    planFor,
    planNow = planFor,
    onCalled,
    onClose,
    isShared = false,
    planAt,
    plans,
  } = options
  const toolset = createToolset({ ...options, overrides: withoutCommits(options.overrides) })
  const { definitions, system: instructions } = toolset
  const names = definitions.map(({ name }) => name)
  const server = new Server(
    { name: "headway", title: "Headway", version },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {} },
      ...(instructions === "" ? {} : { instructions }),
    },
  )
  const subscriptions = createSubscriptions(
    mostSubscriptions,
    (uri) => void server.sendResourceUpdated({ uri }).catch(() => {}),
  )
  const caller = (meta?: Record<string, unknown>): Caller => callerOf(server.getClientVersion()?.name, env, meta)
  const rootOf = createRootReader(server)
  const folderFor = async (ask: AskClient): Promise<{ folder?: string | undefined }> => {
    const folder = options.folder ?? (options.isElsewhere ? await rootOf(ask) : undefined)
    return folder === undefined ? {} : { folder }
  }

  const connection = randomUUID()
  /** The writer of an entry, where several clients write to one plan. */
  const author = (who: Caller, tracker: Tracker) => {
    const { agentType } = who
    // Its hooks write to the plan of its session too, and name no client.
    if (!isShared || isOwnPlan(who, tracker)) return {}
    return { client: clientIdOf(who, connection), ...(agentType === undefined ? {} : { agent: agentType }) }
  }

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: definitions.map(({ name, description, inputSchema, isReadOnly, loadMode }) => ({
      name,
      description,
      inputSchema: inputSchema as { type: "object" },
      annotations: { readOnlyHint: isReadOnly(), destructiveHint: false, openWorldHint: false },
      // Some clients keep tools back until the model searches for them; a list that is not seen does not help.
      ...(loadMode === "essential" ? { _meta: { "anthropic/alwaysLoad": true } } : {}),
    })),
  }))

  const runCall = async (
    { name, arguments: input = {}, _meta }: CallToolRequest["params"],
    { signal, sendRequest }: { signal: AbortSignal; sendRequest: AskClient },
  ): Promise<CallToolResult> => {
    // Calls of unknown tools do not start a plan.
    if (!toolset.has(name)) return failed(toolset.unknown(name))
    const { callId, ...who } = caller(_meta)
    try {
      const { madeAt: at, ...note } = (callId === undefined ? undefined : whose?.(callId)) ?? {}
      const place = note.folder === undefined ? await folderFor(sendRequest) : {}
      const noted = { ...note, ...place, ...(note.session === undefined ? {} : { isFromStart: false }) }
      const tracker = await planFor({ ...who, ...noted }, { tool: name, input })
      // Its reply is no longer sent, so a person's changes must not count as told with it.
      if (signal.aborted) return failed("The call was cancelled, and nothing was changed.")
      const id = callId === undefined ? {} : { callId: callIdOf(callId, input) }
      const { isError, text, data } = await toolset.call(tracker, {
        name,
        input,
        ...author({ ...who, ...noted }, tracker),
        ...id,
        at,
      })
      // Most clients show the model only the one or only the other: both say everything.
      const structuredContent = { text, ...besideText(data, text) }
      return {
        content: [{ type: "text", text }],
        ...(showsBoth(server.getClientVersion()?.name) ? {} : { structuredContent }),
        ...(isError ? { isError: true } : {}),
      }
    } catch (cause) {
      if (!isHeadwayError(cause) && !(cause instanceof Error)) throw cause
      return failed(`The plan could not be changed: ${cause.message}`)
    } finally {
      onCalled?.()
    }
  }

  // A client may send the calls of one answer all at once, and the first has to find its plan before it can write.
  let before: Promise<unknown> = Promise.resolve()
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const result = before.then(() => runCall(params, extra))
    before = result.catch(() => {})
    return result
  })

  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: (await plans()).slice(0, mostResources).map(({ session, agent, progress, current }) => ({
      uri: uriOf({ session, agent }),
      name: lineForModel(agent === "main" ? session : `${session} (${agent})`),
      description: `${progress.completed}/${progress.total} done${current ? `, now: ${lineForModel(current)}` : ""}`,
      mimeType: "text/markdown",
    })),
  }))

  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: "plan://{session}/{agent}", name: "A plan", mimeType: "text/markdown" }],
  }))

  const trackerAt = async (uri: string): Promise<Tracker> => {
    const key = keyIn(uri)
    const tracker = key && (await planAt(key))
    if (tracker) return tracker
    throw new McpError(
      ErrorCode.InvalidParams,
      `There is no plan ${briefly(uri)}. resources/list names the ones that exist.`,
    )
  }

  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: "text/markdown", text: textForModel(printChecklist((await trackerAt(uri)).plan)) }],
  }))

  server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }) => {
    if (await subscriptions.add(uri, () => trackerAt(uri))) return {}
    throw new McpError(ErrorCode.InvalidRequest, `A client may subscribe to ${mostSubscriptions} plans at most.`)
  })

  server.setRequestHandler(UnsubscribeRequestSchema, async ({ params: { uri } }) => {
    await subscriptions.remove(uri)
    return {}
  })

  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: [{ name: "todos", title: "Todos", description: "The current plan, to continue with." }],
  }))

  server.setRequestHandler(GetPromptRequestSchema, async ({ params: { name, _meta } }, { sendRequest }) => {
    if (name !== "todos")
      throw new McpError(ErrorCode.InvalidParams, `There is no prompt "${briefly(name)}", only "todos".`)
    const tracker = await planNow({ ...caller(_meta), ...(await folderFor(sendRequest)) })
    const text = tracker ? promptText(tracker.plan, names) : unknownText(names)
    return { description: "The current plan", messages: [{ role: "user", content: { type: "text", text } }] }
  })

  return {
    connect: (transport) => server.connect(throughDoor(transport)),
    async close() {
      await subscriptions.close()
      await onClose?.()
      await server.close()
    },
  }
}

/** Whether the plan is the one of the session that calls. */
const isOwnPlan = ({ agentType, session, agent = "main" }: Caller, { key, ledger }: Tracker): boolean =>
  session === key.session && agent === key.agent && (ledger.opened?.agentType ?? agentType) === agentType

/** How commits are made is the client's to say. */
const withoutCommits = (overrides: HostOptions["overrides"]): NonNullable<HostOptions["overrides"]> => ({
  ...overrides,
  system: { commit: "", pullRequest: "", ...overrides?.system },
})

/** What the data says beyond the text, which some dialects repeat in it. */
const besideText = (data: unknown, text: string): Record<string, unknown> =>
  isRecord(data) ? Object.fromEntries(Object.entries(data).filter(([, value]) => value !== text)) : {}

const promptText = (plan: Plan, tools: readonly string[]): string =>
  plan.todos.length === 0
    ? `There are no todos yet. Plan the work with ${tools[0]} first if it has several steps.`
    : `This is the current plan. Continue with it, and keep it up to date with ${tools.join(", ")}.\n\n${detailedList(plan)}`

const unknownText = (tools: readonly string[]): string =>
  `Headway cannot tell which session this request is from, so no plan is shown here. Continue with the plan of this session, and keep it up to date with ${tools.join(", ")}. If the list can be read that way, read it first.`

/** What a client asked for, to be repeated to it. */
const briefly = (text: string): string => lineForModel(text.slice(0, 200).toWellFormed())

const failed = (text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent: { text },
  isError: true,
})
