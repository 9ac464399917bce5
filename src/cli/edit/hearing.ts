/**
 * Determines whether an agent will be told about a person's edit: from earlier calls in this session, and from set-up.
 */
import type { Agent } from "../../agents/agent.ts"
import { agentNamed } from "../../agents/index.ts"
import { isFollowing } from "../../board/follow-session.ts"
import { isOwnTool } from "../../bridges/hooks/own-tool.ts"
import { loadRecords } from "../../bridges/setup/record.ts"
import { clientsIn } from "../../home/clients.ts"
import { foreignTextIn } from "../../home/foreign-file.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { Hearing, HearsWhen } from "../../views/hearing.ts"

export type FindHearing = (tracker: Pick<Tracker, "key" | "ledger">) => Hearing | undefined

/** Undefined for a plan without another vendor's agent. */
export const hearingIn =
  (home: string): FindHearing =>
  ({ key, ledger }) => {
    const { agentType } = ledger.opened ?? {}
    if (agentType === undefined) return undefined
    const agent = agentNamed(agentType)
    const clients = clientsIn(home).filter((client) => client.agentType === agentType)
    const served = clients.flatMap(({ sessions }) => sessions.filter(({ session }) => session === key.session))
    const through = served.flatMap((one) => one.through)
    const { called } = ledger
    // Its own list came to us through a hook, also where the record of that is gone.
    const isHooked = through.includes("hook") || (called !== undefined && !isOwnTool(called.tool))
    const isServed = called !== undefined || (through.includes("server") && !isFollowing(ledger))
    const canHear = agent?.hooks !== undefined && agent.isDeafToEdits !== true
    const hearsBy = (): HearsWhen => {
      if (canHear && isHooked) return "next-turn"
      if (isServed) return "next-call"
      return canHear && hasHooksSetUp(home, agentType) ? "unknown" : "never"
    }
    const when = hearsBy()
    const connect = when === "never" && clients.length === 0 ? setUpOf(home, agent) : undefined
    return { agent: agent?.title ?? agentType, when, ...(connect === undefined ? {} : { connect }) }
  }

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
