/**
 * The plans behind an MCP server. Set-up may connect an agent to one server for all projects, so a client's plan is in the project
 * that its hook names, wherever the server was started.
 */
import { hookAgentIds } from "../../../agents/index.ts"
import { projectOf } from "../../../board/project.ts"
import type { Caller } from "../../../bridges/calls/caller.ts"
import { takeOnlyAnnounced } from "../../../bridges/hooks/call-notes.ts"
import { isFolder } from "../../../home/paths/on-disk.ts"
import { HeadwayError } from "../../../plan/headway-error.ts"
import type { Gate } from "../../../tracker/gate.ts"
import { namedSession } from "../../choose/plans.ts"
import type { Context } from "../../command.ts"
import { homeOf } from "../../place/place.ts"
import { contextIn } from "../../place/session-place.ts"
import { type BridgeOptions, type BridgePlans, openBridgePlans } from "./bridge-plans.ts"
import type { ClientPlans } from "./client-plans.ts"

export type ServerPlansOptions = Omit<BridgeOptions, "gate"> & {
  /** Makes the gate that may keep a todo of a project open. */
  gateAt?: ((at: Context) => Gate) | undefined
}

/** A client can list and read the plans of the server's project only. */
export const openServerPlans = (context: Context, { gateAt, ...options }: ServerPlansOptions): BridgePlans => {
  const openAt = (at: Context): BridgePlans => openBridgePlans(at, { ...options, gate: gateAt?.(at) })
  const ownProject = projectOf(context.io.cwd)
  const own = openAt(context)
  const byProject = new Map([[ownProject, own]])
  // Then the person has named the one plan of all clients.
  const isOnePlan = options.isShared || namedSession(context) !== undefined

  /**
   * Undefined if it is not known where the client works. Set-up connects an agent with hooks to one server for all projects, and
   * they say where it works. Any other client was given the address of this server, and works where it was started.
   */
  const plansFor = ({ agentType = "", folder }: Caller): BridgePlans | undefined => {
    if (isOnePlan) return own
    if (folder === undefined || !isFolder(folder))
      return options.isChild || !hookAgentIds.includes(agentType) ? own : undefined
    const project = projectOf(folder)
    const plans = byProject.get(project) ?? openAt(asHookIn(context, folder))
    byProject.set(project, plans)
    return plans
  }

  const connect = (): ClientPlans => {
    const clients = new Map<BridgePlans, ClientPlans>()
    const clientOf = (plans: BridgePlans): ClientPlans => {
      const client = clients.get(plans) ?? plans.connect()
      clients.set(plans, client)
      return client
    }
    /** Where the plan of this connection began. Its roots may change, or be named late; the plan stays. */
    let begun: BridgePlans | undefined
    const placeOf = (who: Caller): BridgePlans | undefined =>
      who.session === undefined && begun ? begun : plansFor(who)
    return {
      async planFor(caller, call) {
        const who = options.isChild || call === undefined ? caller : withAnnounced(homeOf(context), caller, call.input)
        const plans = placeOf(who)
        if (who.session === undefined) begun = plans
        if (plans) return clientOf(plans).planFor(who, call)
        throw new HeadwayError("unknown-project", unknownProject)
      },
      async planNow(caller) {
        const plans = placeOf(caller)
        return plans && clientOf(plans).planNow(caller)
      },
      onCalled() {
        for (const client of clients.values()) client.onCalled()
      },
      async onClose() {
        await Promise.all([...clients.values()].map((client) => client.onClose()))
      },
    }
  }

  return {
    ...own,
    connect,
    async close() {
      await Promise.all([...byProject.values()].map((plans) => plans.close()))
    },
  }
}

const unknownProject =
  'this server serves several projects and does not know which one you work in. Tell the person to connect this client with "headway setup AGENT", or to add the parameter project=FOLDER to the address of the server in the client\'s configuration.'

/** A hook that knows the call by its process and its input has left a note, which is used if it is the only one. */
const withAnnounced = (home: string, caller: Caller, input: unknown): Caller => {
  const { agentType, session, folder } = caller
  if (session !== undefined || folder !== undefined || agentType === undefined) return caller
  return { ...caller, ...takeOnlyAnnounced(home, agentType, input) }
}

/** As a hook of the client is called there: with the server's home, but without its wish to keep plans in its own repository. */
const asHookIn = (context: Context, folder: string): Context => {
  const { home } = context.values
  const values = { ...context.values, project: false, ...(home ? { home: homeOf(context) } : {}) }
  return { ...contextIn(context, folder), values }
}
