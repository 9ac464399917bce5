/** Notes in the home which client uses which session, and which plans this server keeps for clients without one. */
import { agentNamed } from "../../../agents/index.ts"
import { createRecent } from "../../../board/recent.ts"
import type { Caller } from "../../../bridges/calls/caller.ts"
import { forgetCallNotes } from "../../../bridges/hooks/call-notes.ts"
import { findCallingProcess } from "../../../home/processes/calling-process.ts"
import {
  type ClientProcess,
  forgetClients,
  forgetSession,
  noteClient,
  type UnnamedCalls,
} from "../../../home/processes/clients.ts"
import { processesHere } from "../../../home/processes/processes.ts"
import type { Context } from "../../command.ts"
import { homeOf } from "../../place/place.ts"
import { joinLeftPlans } from "./join-unnamed.ts"
import { mostKept, type PlaceOfPlans } from "./place-of-plans.ts"

export type ClientNotes = {
  /** The process of the client; undefined where it is not known, as over HTTP. */
  clientOf(agentType: string): ClientProcess | undefined
  /** The caller uses this session. */
  noteCaller(session: string, caller: Caller): Promise<void>
  /** This server keeps a plan under a name of its own, with these calls or for this owner. */
  keepUnnamed(session: string, agentType: string, about: Pick<UnnamedCalls, "calls" | "owner">): Promise<void>
  /** That plan is gone. */
  forgetUnnamed(session: string, agentType: string): Promise<void>
  /** Once in the life of this server: old notes are forgotten, and plans of servers that were killed are joined. */
  tidy(): Promise<void>
}

export type ClientNotesOptions = {
  place: PlaceOfPlans
  agent: string
  /** Whether the client has started this process. */
  isChild: boolean
}

/** Its name becomes part of file names, so it must be a known one. */
export const isKnownAgent = (agentType: string): boolean => agentNamed(agentType)?.id === agentType

export const createClientNotes = (context: Context, { place, agent, isChild }: ClientNotesOptions): ClientNotes => {
  const { io } = context
  const home = homeOf(context)
  const processes = processesHere()
  /** The client's process, where it has started this one. */
  const calling = isChild ? findCallingProcess({ processes }) : undefined
  const own = processes?.find(process.pid)
  const noted = createRecent<string, true>(mostKept)
  let tidied: Promise<void> | undefined

  /** This process: only it writes to the plan of a client whose session is not known yet. */
  const ownServer = (agentType: string): ClientProcess | undefined =>
    own && isKnownAgent(agentType)
      ? { agentType, process: { pid: own.pid, start: own.start }, isOwnServer: true }
      : undefined

  const tidyOnce = async (): Promise<void> => {
    const before = (time: number): Date => new Date(io.now().getTime() - time)
    try {
      forgetCallNotes(home, before(aDay))
      forgetClients(home, processes, before(aWeek))
      await joinLeftPlans(context)
    } catch {
      // The next command tries again.
    }
  }

  return {
    clientOf: (agentType) => (calling && isKnownAgent(agentType) ? { agentType, process: calling } : undefined),
    async noteCaller(session, { agentType }) {
      if (agentType === undefined || !isKnownAgent(agentType) || noted.get(session)) return
      noted.set(session, true)
      // Nothing depends on it, so failures are not reported.
      const client = { agentType, process: calling }
      await noteClient(home, client, { session, through: "server" }, io.now()).catch(() => {})
    },
    async keepUnnamed(session, agentType, about) {
      const server = ownServer(agentType)
      if (!server) return
      await place.store()
      const unnamed = { folder: io.cwd, agent, place: place.name(), ...about }
      await noteClient(home, server, { session, through: "server", unnamed }, io.now()).catch(() => {})
    },
    async forgetUnnamed(session, agentType) {
      const server = ownServer(agentType)
      if (server) await forgetSession(home, server, session)
    },
    tidy() {
      tidied ??= tidyOnce()
      return tidied
    },
  }
}

const aDay = 24 * 60 * 60 * 1000
const aWeek = 7 * aDay
