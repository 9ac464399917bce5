/**
 * The plans behind an MCP server. Set-up may connect an agent to one server for all projects, so a client's plan is in the project
 * that its hook names, wherever the server was started.
 */
import { projectOf } from "../../board/project.ts"
import type { Caller } from "../../bridges/caller.ts"
import { isFolder } from "../../home/session-places.ts"
import type { Gate } from "../../tracker/gate.ts"
import type { Context } from "../command.ts"
import { homeOf } from "../place.ts"
import { namedSession } from "../plans.ts"
import { contextIn } from "../session-place.ts"
import { type BridgeOptions, type BridgePlans, type ClientPlans, openBridgePlans } from "./bridge-plans.ts"

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

  const plansFor = ({ folder }: Caller): BridgePlans => {
    if (isOnePlan || folder === undefined || !isFolder(folder)) return own
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
    return {
      planFor: async (caller, call) => clientOf(plansFor(caller)).planFor(caller, call),
      onCalled() {
        for (const client of clients.values()) client.onCalled?.()
      },
      async onClose() {
        await Promise.all([...clients.values()].map((client) => client.onClose?.()))
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

/** As a hook of the client is called there: with the server's home, but without its wish to keep plans in its own repository. */
const asHookIn = (context: Context, folder: string): Context => {
  const { home } = context.values
  const values = { ...context.values, project: false, ...(home ? { home: homeOf(context) } : {}) }
  return { ...contextIn(context, folder), values }
}
