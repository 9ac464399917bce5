/** The client at the other end of a connection: who it is, where it works, and how its entries name it. */
import { randomUUID } from "node:crypto"
import type { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { Tracker } from "../../tracker/tracker.ts"
import { type Caller, callerOf, clientIdOf, showsBoth } from "../calls/caller.ts"
import { type AskClient, createRootReader } from "./client-root.ts"
import type { McpOptions } from "./options.ts"

export type ConnectedClient = {
  /** Who made a request, from its meta data. */
  caller(meta?: Record<string, unknown>): Caller
  /** The folder it works in: as its address says, or else as it says itself if this process may be in another one. */
  folderFor(ask: AskClient): Promise<{ folder?: string | undefined }>
  /** The writer of an entry, where several clients write to one plan. */
  author(who: Caller, tracker: Tracker): { client?: string; agent?: string }
  /** Whether it shows a model both forms of a result. */
  showsBoth(): boolean
}

type ConnectedClientOptions = Pick<McpOptions, "env" | "folder" | "isElsewhere" | "isShared">

export const createConnectedClient = (server: Server, options: ConnectedClientOptions): ConnectedClient => {
  const { env, isElsewhere = false, isShared = false } = options
  const nameOf = (): string | undefined => server.getClientVersion()?.name
  const rootOf = createRootReader(server)
  const connection = randomUUID()
  return {
    caller: (meta) => callerOf(nameOf(), env, meta),
    async folderFor(ask) {
      const folder = options.folder ?? (isElsewhere ? await rootOf(ask) : undefined)
      return folder === undefined ? {} : { folder }
    },
    author(who, tracker) {
      const { agentType } = who
      // Its hooks write to the plan of its session too, and name no client.
      if (!isShared || isOwnPlan(who, tracker)) return {}
      return { client: clientIdOf(who, connection), ...(agentType === undefined ? {} : { agent: agentType }) }
    },
    showsBoth: () => showsBoth(nameOf()),
  }
}

/** Whether the plan is the one of the session that calls. */
const isOwnPlan = ({ agentType, session, agent = "main" }: Caller, { key, ledger }: Tracker): boolean =>
  session === key.session && agent === key.agent && (ledger.opened?.agentType ?? agentType) === agentType
