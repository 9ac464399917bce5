/** Finds the session whose file has a given call, for clients that do not name their session. */
import { isHeadwayError } from "../../plan/index.ts"
import { canonicalJson, parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { ownOf } from "../../streams/line.ts"
import type { SessionSignal, Signal } from "../../streams/stream.ts"
import { tableOf } from "../agent-tables.ts"
import { createUnpacker, type Unpacker } from "../packed/unpack.ts"
import { isSameFolder } from "../same-folder.ts"
import type { Found } from "../walk.ts"
import { createSearched, type Maker, type Searched } from "./searched-files.ts"
import { bytesOf, filesOf, mayHold, type SessionPlaces, sessionOf, signalsIn } from "./session-signals.ts"

/** A call as our server received it, and when. */
export type MadeCall = { tool: string; input: unknown; at: Date }

export type CallOwner = { session: string; agent: string }

export type CallFinder = {
  /** The one agent whose session has all of these calls; undefined if there is none or more than one. */
  find(calls: readonly MadeCall[]): Promise<CallOwner | undefined>
  close(): void
}

/** `folder` is where the client works: sessions of other projects do not match. */
export const createCallFinder = ({ folder, ...places }: SessionPlaces & { folder: string }): CallFinder => {
  const unpacker = createUnpacker(timeLimit)
  return {
    async find(calls) {
      const [result] = await search([{ calls, folder }], { places, unpacker, searched: createSearched() })
      return result?.owner
    },
    close: unpacker.close,
  }
}

/** The calls of one client, and the folder it works in. */
export type ClientCalls = { calls: readonly MadeCall[]; folder: string }

export type SearchResult = {
  /** As for `CallFinder`; also undefined while not all files have been searched. */
  owner?: CallOwner
  /** Every file that may hold the calls was searched, as it is now. */
  isWhole: boolean
}

/** The same for many clients of one agent: each file is read once, and only if `searched` allows it. */
export const findCallsOf = async (
  clients: readonly ClientCalls[],
  { searched, ...places }: SessionPlaces & { searched: Searched },
): Promise<SearchResult[]> => {
  const unpacker = createUnpacker(timeLimit)
  try {
    return await search(clients, { places, unpacker, searched })
  } finally {
    unpacker.close()
  }
}

/** A call is recorded shortly before it is made, or after its result. In milliseconds. */
const slack = 10_000

/** The time limit, because a model is waiting. In milliseconds. */
const timeLimit = 1_000

const mostFiles = 16

/** The call is near the end. In bytes. */
const tailLength = 2 << 20

type Tools = { places: SessionPlaces; unpacker: Unpacker; searched: Searched }

/** The calls to find, in a canonical form. */
type Sought = {
  calls: readonly { name: string | undefined; at: number }[]
  /** Stands for all the calls together. */
  id: string
  /** When the first was made. */
  first: number
  folder: string
}

const search = async (
  clients: readonly ClientCalls[],
  { places, unpacker, searched }: Tools,
): Promise<SearchResult[]> => {
  const { source, env, home } = places
  const files = filesOf(places)
  const wanted = clients.map((client) => {
    const sought = soughtBy(client)
    return { sought, files: files.filter(({ stamp }) => stamp[1] >= sought.first - slack).slice(0, mostFiles) }
  })
  // Newest first, so that those of one client come early.
  for (const found of files.slice(0, mostFiles)) {
    const open = wanted.filter((one) => one.files.includes(found) && !searched.makersOf(found, one.sought.id))
    if (open.length === 0 || !searched.mayRead(found, bytesOf(found, tailLength))) continue
    const begun = performance.now()
    const lists = await signalsIn(found, unpacker, tailLength).catch(nothingIn)
    if (!lists) continue
    // If our call is not recorded yet, a call of another session that was answered earlier is not ours.
    const early = source.writesAfterAnswers ? 0 : slack
    const first = Math.min(...open.map(({ sought }) => sought.first)) - early
    const sessions = lists.flatMap((signals) => seenIn(signals, found, first) ?? [])
    const makers = open.map(
      ({ sought }) => [sought.id, sessions.flatMap((seen) => makersIn(seen, sought, early))] as const,
    )
    searched.keep(found, new Map(makers), performance.now() - begun)
  }
  const folders = wanted.some((one) => one.files.length > 0) ? tableOf(source.projects, source.homes(env, home)) : {}
  return wanted.map(({ sought, files: own }) => {
    const makers = own.map((found) => searched.makersOf(found, sought.id))
    if (makers.includes(undefined)) return { isWhole: false }
    const owners = makers.flat().flatMap((maker) => (maker && isIn(maker, sought.folder, folders) ? [maker] : []))
    const [owner, ...others] = new Map(
      owners.map(({ session, agent }) => [JSON.stringify([session, agent]), { session, agent }]),
    ).values()
    return { isWhole: true, ...(owner && others.length === 0 ? { owner } : {}) }
  })
}

/** An unreadable file has no matches; undefined for a file that was not tried. */
const nothingIn = (cause: unknown): Signal[][] | undefined =>
  isHeadwayError(cause) && cause.code === "left-out" ? undefined : []

const soughtBy = ({ calls, folder }: ClientCalls): Sought => {
  const { createHash } = process.getBuiltinModule("node:crypto")
  const named = calls.map(({ tool, input, at }) => ({ name: callName(tool, input), at: at.getTime() }))
  const id = createHash("sha256").update(JSON.stringify(named)).digest("hex").slice(0, 32)
  return { calls: named, id, first: Math.min(...named.map(({ at }) => at)), folder }
}

/**
 * Equal for calls that say the same, whatever the order of their fields. Some agents write an object as its JSON. Undefined
 * for what is nested too deep to be a call of a list tool.
 */
const callName = (tool: string, input: unknown): string | undefined => {
  const value = typeof input === "string" ? parseJson(input) : input
  const content = canonicalJson(isRecord(value) ? value : {})
  return content === undefined ? undefined : `${tool} ${content}`
}

/** What a session says of itself, and of each of its agents the calls, with the time each was made last. */
type Seen = Omit<Maker, "agent"> & { agents: ReadonlyMap<string, ReadonlyMap<string, number>> }

/** Only calls from this time on. */
const seenIn = (signals: readonly Signal[], found: Found, first: number): Seen | undefined => {
  const { whose } = found
  const about = signals.filter((signal): signal is SessionSignal => signal.type === "session")
  const session = sessionOf(found, about.find((one) => one.session !== undefined)?.session)
  // A file whose content names another session than its file name is not trusted.
  if (session === undefined || !mayHold(found, session)) return undefined
  const agents = new Map<string, Map<string, number>>()
  for (const signal of signals) {
    if (signal.type !== "call") continue
    // A call without a time may have been made just now.
    const parsed = Date.parse(signal.call.at ?? "")
    const time = Number.isNaN(parsed) ? Number.POSITIVE_INFINITY : parsed
    if (time < first) continue
    const agent = signal.agent === "main" ? (whose.agent ?? signal.agent) : signal.agent
    const calls = agents.get(agent) ?? new Map<string, number>()
    agents.set(agent, calls)
    const name = callName(signal.call.tool, signal.call.input)
    if (name !== undefined) calls.set(name, Math.max(time, calls.get(name) ?? time))
  }
  const project = about.find((one) => one.project !== undefined)?.project
  const label = whose.project
  return { session, agents, ...(project === undefined ? {} : { project }), ...(label === undefined ? {} : { label }) }
}

/** The agents of a session that made all the calls. */
const makersIn = ({ agents, ...session }: Seen, { calls }: Sought, early: number): Maker[] =>
  [...agents].flatMap(([agent, seen]) => {
    const isMade = ({ name = "", at }: Sought["calls"][number]): boolean => (seen.get(name) ?? Number.NaN) >= at - early
    return calls.every(isMade) ? [{ ...session, agent }] : []
  })

/** `folders` is what the labels of projects stand for. */
const isIn = ({ project, label = "" }: Maker, folder: string, folders: Readonly<Record<string, string>>): boolean =>
  // The path may have the folder itself, or a label for it.
  isSameFolder(project ?? ownOf(folders, label) ?? label, folder)
