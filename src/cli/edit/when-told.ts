/**
 * Determines whether an agent will be told about a person's edit: from earlier calls in this session, and from set-up.
 */
import type { Agent } from "../../agents/agent.ts"
import { agentNamed } from "../../agents/index.ts"
import { isFollowing } from "../../board/follow-session.ts"
import type { FindWhenTold } from "../../board/rows.ts"
import { isOwnTool } from "../../bridges/hooks/own-tool.ts"
import { loadRecords } from "../../bridges/setup/record.ts"
import { undoneAt } from "../../home/notes/undone-setups.ts"
import { type ClientRecord, clientsIn, type ServedSession } from "../../home/processes/clients.ts"
import { processesHere } from "../../home/processes/processes.ts"
import { foreignTextIn } from "../../home/reading/foreign-file.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { ToldWhen, WhenTold } from "../../views/when-told.ts"
import type { Context } from "../command.ts"
import { agentTitle } from "../output/session-names.ts"
import { homeOf } from "../place/place.ts"

/** Undefined for a plan without another vendor's agent. */
export const whenToldIn =
  (home: string): FindWhenTold =>
  ({ key, ledger }, state) => {
    const { agentType } = ledger.opened ?? {}
    if (agentType === undefined) return undefined
    const agent = agentNamed(agentType)
    const title = agentTitle(agentType)
    // A main agent may be resumed; a sub-agent that has ended reads nothing more.
    if (key.agent !== "main" && isOver(state)) return { agent: title, when: "never", isOver: true }
    const clients = clientsIn(home).filter(
      (client) => client.agentType === agentType && client.sessions.some(isConnected),
    )
    const inSession = ({ session }: ServedSession): boolean => session === key.session
    const served = clients.flatMap(({ sessions }) => sessions.filter(inSession))
    const through = served.flatMap((one) => one.through)
    const { called } = ledger
    const isAttached = clients.some((client) => client.sessions.some(inSession) && isAlive(client))
    const isCutOff = !isAttached && isUndoneSince(home, agentType, served)
    // Its own list came to us through a hook, also where the record of that is gone.
    const isHooked = through.includes("hook") || (called !== undefined && !isOwnTool(called.tool))
    const isServed = called !== undefined || (through.includes("server") && !isFollowing(ledger))
    const isToldByHooks = agent?.hooks !== undefined && agent.hooksPassNoEdits !== true
    const toldWhen = (): ToldWhen => {
      if (isCutOff) return "never"
      if (isToldByHooks && isHooked) return "next-turn"
      if (isServed) return "next-call"
      return isToldByHooks && hasHooksSetUp(home, agentType) ? "unknown" : "never"
    }
    const when = toldWhen()
    const connect = when === "never" && (isCutOff || clients.length === 0) ? setUpOf(home, agent) : undefined
    return { agent: title, when, ...(connect === undefined ? {} : { connect }) }
  }

/** The same for the plan of a command, whose session is looked up if it matters. */
export const whenToldHere = async (context: Context, tracker: Tracker): Promise<WhenTold | undefined> => {
  const { joinedPlan } = await import("../choose/sessions-here.ts")
  const seen = tracker.key.agent === "main" ? undefined : (await joinedPlan(context, tracker))?.seen
  return whenToldIn(homeOf(context))(tracker, seen?.state)
}

const isOver = (state: DiscoveredSession["state"] | undefined): boolean =>
  state === "ended" || state === "finished" || state === "failed"

/** A session that `headway run` started has no connection by that alone. */
const isConnected = ({ through }: ServedSession): boolean => through.some((way) => way !== "run")

/** Whether set-up was undone, and neither it nor a plugin has called in this session since. */
const isUndoneSince = (home: string, agentType: string, served: readonly ServedSession[]): boolean => {
  const undone = undoneAt(home, agentType)
  if (undone === undefined || loadRecords(home).some(({ agent }) => agent === agentType)) return false
  return served.every(({ at }) => at <= undone)
}

/** A client that runs still has the hooks and servers it was started with. */
const isAlive = ({ process }: ClientRecord): boolean =>
  process !== undefined && processesHere()?.find(process.pid)?.start === process.start

/** What connects an agent that can be connected, and of which set-up has noted nothing. */
const setUpOf = (home: string, agent: Agent | undefined): string | undefined => {
  if (!agent?.settings || loadRecords(home).some((record) => record.agent === agent.id)) return undefined
  return `headway setup ${agent.shortNames[0] ?? agent.id}`
}

/** Whether a file that set-up wrote for the agent still calls our hook. */
const hasHooksSetUp = (home: string, agentType: string): boolean => {
  const call = `hook ${agentType}`
  return loadRecords(home).some(
    ({ agent, path }) => agent === agentType && (foreignTextIn(path, longestFile)?.includes(call) ?? false),
  )
}

/** In bytes. A configuration file may hold years of history, as one of Claude Code's does. */
const longestFile = 64 << 20
