/**
 * The plan a client writes to: its session's, a separate one until the session is known, or one shared by all clients
 * of a project.
 */
import { createHash, randomBytes } from "node:crypto"
import { agentNamed } from "../../../agents/index.ts"
import { keyOf } from "../../../board/joined-session.ts"
import { projectName, projectOf } from "../../../board/project.ts"
import { createRecent } from "../../../board/recent.ts"
import type { Caller } from "../../../bridges/caller.ts"
import { forgetCallNotes, takeCallNote } from "../../../bridges/hooks/call-notes.ts"
import type { McpOptions } from "../../../bridges/mcp.ts"
import { findCallingProcess } from "../../../home/calling-process.ts"
import {
  type ClientProcess,
  forgetClients,
  forgetSession,
  noteClient,
  type UnnamedCalls,
} from "../../../home/clients.ts"
import { processesHere } from "../../../home/processes.ts"
import { recordedPlace } from "../../../home/session-places.ts"
import type { CallFinder, CallOwner, MadeCall } from "../../../sessions/lookup/find-call.ts"
import type { PlanKey, PlanSummary, Store } from "../../../stores/store.ts"
import type { Gate } from "../../../tracker/gate.ts"
import { openTracker } from "../../../tracker/open-tracker.ts"
import type { Tracker } from "../../../tracker/tracker.ts"
import { namedAgent, namedSession, projectNameIn, reporter } from "../../choose/plans.ts"
import type { Context } from "../../command.ts"
import { homeOf, placeNameOf, storeOf, urlOf, withoutUntrusted } from "../../place/place.ts"
import { withPlansBegunInHome } from "../../place/plans-begun-in-home.ts"
import { contextIn, contextOfSession } from "../../place/session-place.ts"
import { beginFromSession } from "./begun-plan.ts"
import { isPlanOf, joinLeftPlans, joinUnnamed, openFinder } from "./join-unnamed.ts"
import { createUnnamedClient } from "./unnamed-client.ts"

export type BridgePlans = {
  whose(callId: string): Pick<Caller, "session" | "agent" | "folder"> | undefined
  /** The plans of one client. */
  connect(): ClientPlans
  /** One of this project's, or one that a client here writes to. */
  planAt(key: PlanKey): Promise<Tracker | undefined>
  /** This project's, newest first. */
  plans(): Promise<readonly PlanSummary[]>
  close(): Promise<void>
}

type OpenPlan = { from: Store; tracker: Promise<Tracker> }

export type ClientPlans = {
  [Name in "planFor" | "planNow" | "onCalled" | "onClose"]: NonNullable<McpOptions[Name]>
}

export type BridgeOptions = {
  isShared: boolean
  /** Whether the client has started this process. */
  isChild: boolean
  /** The gate that may keep a todo open. */
  gate?: Gate | undefined
}

export const openBridgePlans = (given: Context, { isShared, isChild, gate }: BridgeOptions): BridgePlans => {
  const context = withoutUntrusted(given)
  const { io } = context
  const name = projectName(projectOf(io.cwd))
  const home = homeOf(context)
  const processes = processesHere()
  const named = namedSession(context)
  const agent = namedAgent(context)
  const closeLater = ({ tracker }: OpenPlan): void => {
    tracker.then((one) => one.close()).catch(() => {})
  }
  // Clients may name any number of sessions without using them.
  const open = createRecent<string, OpenPlan>(mostOpen, closeLater)
  /** What this project is called in a store: in a repository, in the home and in a database it has different names. */
  const projects = new WeakMap<Store, string>()
  const storeIn = async (at: Context): Promise<Store> => {
    const project = projectNameIn(contextIn(at, io.cwd))
    const found = await storeOf(at)
    projects.set(found, project)
    return found
  }
  const projectIn = (from: Store): string => projects.get(from) ?? projectNameIn(withoutUntrusted(context))
  let opening: Promise<Store> | undefined
  /** The location of that store, and the store that was set then. */
  let [place, url] = ["", ""]
  const store = (): Promise<Store> => {
    // Checked again: a pull may have added plans since the server was started, or the person uses another store now.
    const here = withoutUntrusted(context)
    const urlNow = urlOf(here)
    if (opening && urlNow === url) return opening
    url = urlNow
    place = placeNameOf(here)
    opening = storeIn(here)
    return opening
  }

  const plans = async (): Promise<readonly PlanSummary[]> => {
    const from = await store()
    const { plans: own, problems } = await from.list({ project: projectIn(from) })
    problems.forEach(reporter(context))
    return withPlansBegunInHome(withoutUntrusted(context), own)
  }

  const isProjectsPlan = async (of: Omit<Parameters<typeof isPlanOf>[1], "project">): Promise<boolean> => {
    const from = await store()
    return isPlanOf(from, { ...of, project: projectIn(from) })
  }

  const openPlan = (from: Store, key: PlanKey, agentType?: string): Promise<Tracker> => {
    const parent = key.agent === agent ? {} : { parent: { agent } }
    const opened = { project: projectIn(from), ...(agentType === undefined ? {} : { agentType }), ...parent }
    return openTracker({ store: from, ...key, opened, now: io.now, gate, onProblem: reporter(context) })
  }

  /** A session that is older than its plan has a list in its model's context already. */
  const begin = async (from: Store, key: PlanKey, agentType?: string): Promise<Tracker> => {
    const tracker = await openPlan(from, key, agentType)
    await beginFromSession({ store: from, tracker, agentType, project: projectIn(from), home, io })
    return tracker
  }

  const places = createRecent<string, Promise<Store>>(mostOpen)

  /** A session keeps the place in which its plan began, such as the home before the repository kept plans. */
  const findStore = async (session: string, agentType: string): Promise<Store> => {
    const here = await store()
    const now = withoutUntrusted(context)
    const at = await contextOfSession(now, { session, agentType })
    const isRecorded = recordedPlace(home, { session, agentType }) !== undefined
    return at || isRecorded ? storeIn(at ?? now) : here
  }

  const storeFor = ({ session }: PlanKey, agentType?: string): Promise<Store> => {
    if (agentType === undefined) return store()
    // Both may change while this server runs: a person trusts the repository, and the plan is moved there.
    const [recorded, placeNow] = [recordedPlace(home, { session, agentType }), placeNameOf(withoutUntrusted(context))]
    const id = JSON.stringify([session, agentType, recorded, placeNow])
    const found = places.get(id) ?? findStore(session, agentType)
    places.set(id, found)
    found.catch(() => places.delete(id))
    return found
  }

  const trackerOf = async (key: PlanKey, agentType?: string, isNew = false): Promise<Tracker> => {
    const id = keyOf(key)
    // Awaited before the lookup: otherwise two calls at once would each open the plan.
    const from = await storeFor(key, agentType)
    const known = open.get(id)
    if (known && known.from !== from) closeLater(known)
    const tracker = known?.from === from ? known.tracker : (isNew ? openPlan : begin)(from, key, agentType)
    open.set(id, { from, tracker })
    // If it could not be opened, the next call tries again.
    tracker.catch(() => open.delete(id))
    return tracker
  }

  /** No other process uses this name, not even one that is started at the same time. */
  const newSession = (): string => `${name}-${randomBytes(4).toString("hex")}`

  /**
   * The name follows from the project alone: servers that are started at the same moment, or while the store cannot be reached, do not see
   * each other's plans. Those of one project have to choose the same name, and those of two projects different ones.
   */
  const sharedSession = async (): Promise<string> => {
    const found = (await plans()).find((plan) => plan.agent === agent && isSharedName(plan.session))
    if (found) return found.session
    const from = await store()
    const project = projectIn(from)
    const others = (await from.list()).plans.filter((plan) => plan.project !== project)
    const taken = new Set(others.map(({ session }) => session))
    let attempt = 0
    const next = (): string => `${sharedName(project) ?? name}-shared-${numberOf(project, attempt)}`
    while (taken.has(next())) attempt += 1
    return next()
  }

  /** Looked up once: a plan that is finished while clients run stays theirs. */
  let shared: Promise<string> | undefined

  const findShared = (): Promise<string> => {
    shared ??= sharedSession()
    shared.catch(() => {
      shared = undefined
    })
    return shared
  }

  /** Its name becomes part of file names, so it must be a known one. */
  const isKnown = (agentType: string): boolean => agentNamed(agentType)?.id === agentType
  /** The client's process, where it has started this one. */
  const calling = isChild ? findCallingProcess({ processes }) : undefined
  const clientOf = (agentType: string): ClientProcess | undefined =>
    calling && isKnown(agentType) ? { agentType, process: calling } : undefined
  const own = processes?.find(process.pid)
  /** This process: only it writes to the plan of a client whose session is not known yet. */
  const ownServer = (agentType: string): ClientProcess | undefined =>
    own && isKnown(agentType)
      ? { agentType, process: { pid: own.pid, start: own.start }, isOwnServer: true }
      : undefined

  const keepUnnamed = async (
    session: string,
    agentType: string,
    about: Pick<UnnamedCalls, "calls" | "owner">,
  ): Promise<void> => {
    const server = ownServer(agentType)
    if (!server) return
    await store()
    const unnamed = { folder: io.cwd, agent, place, ...about }
    await noteClient(home, server, { session, through: "server", unnamed }, io.now()).catch(() => {})
  }

  const keepCalls = (session: string, agentType: string, calls: readonly MadeCall[]): Promise<void> =>
    keepUnnamed(session, agentType, { calls: calls.map((call) => ({ ...call, at: call.at.toISOString() })) })

  /** The main agent has the name that this server was started with. */
  const agentIn = ({ agent: given = main }: Pick<Caller, "agent">): string => (given === main ? agent : given)

  const isOwn = async (session: string, agentType: string): Promise<boolean> => isProjectsPlan({ session, agentType })

  /** Sessions that were found to be a client's own, so that not every call lists their plans. */
  const ownSessions = createRecent<string, true>(mostOpen)
  /** The session a client names, unless its plan is that of another agent or project. */
  const sessionOf = async ({ session, agentType }: Caller): Promise<string | undefined> => {
    if (session === undefined) return undefined
    const id = keyOf({ session, agent: agentType ?? "" })
    const isTheirs = () => isProjectsPlan({ session, agentType, mayBePersons: true })
    if (!ownSessions.get(id) && !(await isTheirs())) return undefined
    ownSessions.set(id, true)
    return session
  }

  const join = async (from: string, to: CallOwner, agentType: string): Promise<void> => {
    const key = { session: from, agent }
    const tracker = await open.get(keyOf(key))?.tracker
    open.delete(keyOf(key))
    await tracker?.close()
    const target = { session: to.session, agent: agentIn(to) }
    // If this process is killed from here on, another one completes the join: a hook may have named the owner, and no
    // session file does.
    await keepUnnamed(from, agentType, { calls: [], owner: target })
    const isDone = await joinUnnamed(context, { store: await store(), from: key, to: target, agentType })
    const server = ownServer(agentType)
    // As long as the note is there, a command after this process removes the plan that could not be removed now.
    if (server && isDone) await forgetSession(home, server, from)
    // If the other plan is open, it has to read the new entries.
    await (await open.get(keyOf(target))?.tracker)?.refresh()
  }

  const finders = new Map<string, Promise<CallFinder | undefined>>()
  const finderOf = (agentType: string): Promise<CallFinder | undefined> => {
    const finder = finders.get(agentType) ?? openFinder(agentType, io, io.cwd)
    finders.set(agentType, finder)
    return finder
  }

  let tidied: Promise<void> | undefined
  const tidy = (): Promise<void> => {
    tidied ??= tidyOnce()
    return tidied
  }
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

  const whose: BridgePlans["whose"] = (callId) => {
    void tidy()
    return takeCallNote(home, callId)
  }

  const noted = createRecent<string, true>(mostOpen)
  const noteCaller = async (session: string, { agentType }: Caller): Promise<void> => {
    if (agentType === undefined || !isKnown(agentType) || noted.get(session)) return
    noted.set(session, true)
    // Nothing depends on it, so failures are not reported.
    const client = { agentType, process: calling }
    await noteClient(home, client, { session, through: "server" }, io.now()).catch(() => {})
  }

  const connect = (): ClientPlans => {
    const unnamed = createUnnamedClient({
      home,
      clientOf,
      finderOf,
      asksFilesFirst: (agentType) => agentNamed(agentType)?.client?.isKnownByFiles === true,
      newSession,
      isOwn,
      keepCalls,
      join,
      now: io.now,
    })
    const client: ClientPlans = {
      async planFor(caller, call) {
        const { agentType } = caller
        if (isShared) {
          const session = named ?? (await findShared())
          await noteCaller(session, caller)
          return trackerOf({ session, agent })
        }
        // `/clear` and `/resume` switch to another session, which a call without a note of its hook belongs to as well.
        const goneOnTo = caller.isFromStart ? unnamed.current(agentType ?? "") : undefined
        const session =
          named ?? (await sessionOf({ ...caller, ...(goneOnTo === undefined ? {} : { session: goneOnTo }) }))
        if (session !== undefined) {
          await noteCaller(session, caller)
          // A sub-agent's list is its own: it would write over that of its parent.
          return trackerOf({ session, agent: agentIn(caller) }, agentType)
        }
        await tidy()
        const { session: found, isNew, ...whose } = await unnamed.keyFor(caller, call)
        if (!isNew) await noteCaller(found, caller)
        return trackerOf({ session: found, agent: agentIn(whose) }, agentType, isNew)
      },
      async planNow(caller) {
        if (isShared || named !== undefined) return client.planFor(caller)
        const { agentType = "", isFromStart } = caller
        const isNamed = caller.session !== undefined && !isFromStart
        const now = (isNamed ? undefined : unnamed.current(agentType)) ?? caller.session
        const session = await sessionOf({ ...caller, ...(now === undefined ? {} : { session: now }) })
        if (session !== undefined) return trackerOf({ session, agent: agentIn(caller) }, agentType)
        // A known agent may have changed its session since the last call; for any other client, its connection is its session.
        const own = isKnown(agentType) ? undefined : unnamed.own()
        return own === undefined ? undefined : trackerOf({ session: own, agent }, agentType, true)
      },
      onCalled: unnamed.called,
      onClose: unnamed.close,
    }
    return client
  }

  return {
    whose,
    connect,
    async planAt(key) {
      // Plans that are not listed cannot be read either: other projects' plans are off limits for this client.
      const id = keyOf(key)
      const listed = open.get(id) ? undefined : (await plans()).find((plan) => keyOf(plan) === id)
      if (!open.get(id) && !listed) return undefined
      const from = open.get(id)?.from ?? (await storeFor(key, listed?.agentType))
      // Opened read-only, and not kept. One that clients write with is closed when others need its place.
      const tracker = await openPlan(from, key)
      return tracker.ledger.entries > 0 ? tracker : undefined
    },
    plans,
    async close() {
      for (const finder of finders.values()) (await finder.catch(() => undefined))?.close()
      await Promise.all(open.values().map(async ({ tracker }) => (await tracker).close()))
    },
  }
}

/** How many plans are open at once. One that was closed is opened again when it is needed. */
const mostOpen = 64

const main = "main"

const aDay = 24 * 60 * 60 * 1000
const aWeek = 7 * aDay

const isSharedName = (session: string): boolean => /-shared(?:-\d+)?$/.test(session)

/** The last part of a project's name in a store: in a database, clones in folders with other names have the same. */
const sharedName = (project: string): string | undefined => (project === "." ? undefined : projectName(project))

/** Eight digits that tell projects with the same folder name apart. */
const numberOf = (project: string, attempt: number): string =>
  String(
    createHash("sha256")
      .update(JSON.stringify([project, attempt]))
      .digest()
      .readUInt32BE() % 1e8,
  ).padStart(8, "0")
