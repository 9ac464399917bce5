/**
 * Records which process of an agent serves which sessions: one record per process, written by its hooks and servers.
 */
import { readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import type { PlanKey } from "../../plan/event.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { oneLine } from "../../plan/text/one-line.ts"
import { foreignTextIn } from "../reading/foreign-file.ts"
import { takingTurns } from "../writing/take-turns.ts"
import { isRunning, replaceFile } from "../writing/write-file.ts"
import type { CallingProcess } from "./calling-process.ts"
import type { Processes } from "./processes.ts"

/** How we know of a session: its agent calls our hook or our server, or `headway run` started it. */
export type Through = "hook" | "server" | "run"

/**
 * An agent's process, which is not known on every system. The agent comes from our own table, because its name becomes
 * part of a file name.
 */
export type Client = {
  agentType: string
  process?: CallingProcess | undefined
  /** It is our own server, keeping a plan for a client whose session is not known yet. */
  isOwnServer?: boolean | undefined
}

/** The same where the process is known. */
export type ClientProcess = Client & { process: CallingProcess }

export type NotedCall = { tool: string; input: unknown; at: string }

/** Calls of a client whose session is unknown, by which the session can be found even after our server was killed. */
export type UnnamedCalls = {
  /** The folder the client works in, and the agent its plan is kept under. */
  folder: string
  agent: string
  /** Where that plan is stored, because a command may use another store. */
  place: string
  /** The last ones. Long ones are not kept. */
  calls: readonly NotedCall[]
  /** The session they belong to, once known: the plan is then merged into that session's plan. */
  owner?: PlanKey | undefined
}

/** The last state that the agent's hooks reported. Valid until the session continues. */
export type ClientReport = {
  /**
   * `stopped`: its turn ended. `permission`, `question`: it asks the person. `failed`: its turn failed. `ended`: it
   * left the session.
   */
  kind: (typeof toldKinds)[number]
  /** `main`, or the sub-agent it is about. */
  agent: string
  /** What it asks, or what went wrong. */
  text?: string
  /** In ISO form. */
  at: string
}

const toldKinds = ["stopped", "permission", "question", "failed", "ended"] as const

export type ServedSession = {
  session: string
  /** All ways in which the agent has called in this session. */
  through: readonly Through[]
  /** When this was noted, in ISO form. */
  at: string
  /** Absent as soon as the person sends another prompt. */
  told?: ClientReport
  unnamed?: UnnamedCalls
}

export type ClientRecord = Client & {
  /** The session the process is in, as a hook was told last. */
  session?: string
  /** All it has served, the latest first. */
  sessions: readonly ServedSession[]
}

export type Noted = {
  session: string
  through: Through
  /** The process is in this session now, and in no other. @default false */
  isCurrent?: boolean
  /** The state that the agent reported. Used only for a session that the process was already in. */
  told?: Omit<ClientReport, "at">
  unnamed?: UnnamedCalls
}

/** Writes only what is new, because most calls repeat known facts. */
export const noteClient = async (home: string, client: Client, noted: Noted, now: Date): Promise<void> => {
  const known = clientIn(home, client)
  if (isNoted(known, noted)) return
  if (noted.told && !known?.sessions.some(({ session }) => session === noted.session)) return
  await change(home, client, ({ session, sessions }) => {
    const current = noted.isCurrent ? noted.session : session
    const others = sessions.filter((one) => one.session !== noted.session)
    const added = served(sessions, noted, now)
    return {
      ...client,
      ...(current === undefined ? {} : { session: current }),
      sessions: [added, ...others].filter((one) => fits(one, longestSession)).slice(0, mostSessions),
    }
  })
}

/** Notes that the process no longer serves this session. */
export const forgetSession = (home: string, client: Client, session: string): Promise<void> =>
  change(home, client, (record) => ({ ...record, sessions: record.sessions.filter((one) => one.session !== session) }))

/** What is known of one process. */
export const clientIn = (home: string, client: Client): ClientRecord | undefined => {
  const record = recordIn(pathOf(home, client))
  return record?.agentType === client.agentType ? record : undefined
}

/** All processes that have called, including recently ended ones. */
export const clientsIn = (home: string): ClientRecord[] =>
  namesIn(home).flatMap((name) => recordIn(join(folderOf(home), name)) ?? [])

/** Whether a killed server of ours may have left a plan, at the cost of one stat. */
export const hasLeftServers = (home: string): boolean =>
  namesIn(home).some((name) => {
    const pid = Number(serverName.exec(name)?.[1])
    return pid > 0 && !isRunning(pid)
  })

/** The records of those servers. A record whose content and file name disagree is ignored. */
export const leftServersIn = (home: string, processes: Pick<Processes, "find">): ClientRecord[] =>
  namesIn(home).flatMap((name) => {
    const record = serverName.test(name) ? recordIn(join(folderOf(home), name)) : undefined
    const isLeft = record?.isOwnServer && record.process && !isSameProcess(record.process, processes)
    return record && isLeft && fileNameOf(record) === name ? [record] : []
  })

const serverName = /-(\d+)-\w+-server\.json$/

/** Whether the process still runs, and is not another one under the same number. */
export const isSameProcess = ({ pid, start }: CallingProcess, processes: Pick<Processes, "find">): boolean =>
  processes.find(pid)?.start === start

/** Removes old records of processes that no longer run. */
export const forgetClients = (home: string, processes: Pick<Processes, "find"> | undefined, before: Date): void => {
  for (const name of namesIn(home)) {
    const path = join(folderOf(home), name)
    const stats = statSync(path, { throwIfNoEntry: false })
    const gone = recordIn(path)?.process
    const runs = gone && (processes ? isSameProcess(gone, processes) : isRunning(gone.pid))
    if (stats && stats.mtime < before && !runs) rmSync(path, { force: true })
  }
}

/** Only letters, digits and hyphens. */
export const clientName = ({ agentType, process, isOwnServer }: Client): string =>
  process ? `${agentType}-${process.pid}-${process.start.replace(/\W/g, "")}${isOwnServer ? "-server" : ""}` : agentType

/** A process may serve many sessions; if processes are not known, all sessions of an agent share one record. */
const mostSessions = 100

/** Of one session: more than are ever noted. */
const mostCalls = 100

/** In bytes: limits for a record, a call, a session and the rest. A full record stays within the read limit. */
const longest = 8 << 20
const longestCall = 8 << 10
const longestSession = Math.floor(longest / (mostSessions + 1))

/** Several hooks and a server of one process may write at once. A record without sessions is removed. */
const change = (home: string, client: Client, next: (record: ClientRecord) => ClientRecord): Promise<void> =>
  takingTurns(join(home, "cache", "turns", clientName(client)), async () => {
    const path = pathOf(home, client)
    const record = next(clientIn(home, client) ?? { ...client, sessions: [] })
    if (record.sessions.length === 0) rmSync(path, { force: true })
    else replaceFile(path, JSON.stringify(record), join(home, "tmp"))
  })

const fits = (value: unknown, bytes: number): boolean => {
  try {
    return Buffer.byteLength(JSON.stringify(value)) < bytes
  } catch {
    // Nested too deep.
    return false
  }
}

const isNoted = (record: ClientRecord | undefined, noted: Noted): boolean => {
  const { session, through, isCurrent, told, unnamed } = noted
  const known = record?.sessions.find((one) => one.session === session)
  return (
    known !== undefined &&
    unnamed === undefined &&
    told === undefined &&
    known.through.includes(through) &&
    // A server does not know whether the turn continues.
    (through === "server" || known.told === undefined) &&
    (!isCurrent || record?.session === session)
  )
}

const served = (
  sessions: readonly ServedSession[],
  { session, through, told, unnamed }: Noted,
  now: Date,
): ServedSession => {
  const known = sessions.find((one) => one.session === session)
  const at = now.toISOString()
  const report = told ? { ...told, at } : through === "server" ? known?.told : undefined
  return {
    session,
    through: [...new Set([...(known?.through ?? []), through])],
    at,
    ...(report ? { told: report } : {}),
    ...(unnamed ? { unnamed: { ...unnamed, calls: unnamed.calls.filter((call) => fits(call, longestCall)) } } : {}),
  }
}

const folderOf = (home: string): string => join(home, "cache", "clients")

const pathOf = (home: string, client: Client): string => join(folderOf(home), fileNameOf(client))

const fileNameOf = (client: Client): string => `${clientName(client)}.json`

const namesIn = (home: string): string[] => {
  try {
    return readdirSync(folderOf(home))
  } catch {
    return []
  }
}

const recordIn = (path: string): ClientRecord | undefined => {
  const value = parseJson(foreignTextIn(path, longest) ?? "")
  if (!isRecord(value) || typeof value.agentType !== "string" || !Array.isArray(value.sessions)) return undefined
  const { agentType, session, sessions, isOwnServer } = value
  const process = processIn(value.process)
  return {
    agentType,
    ...(process ? { process } : {}),
    ...(isOwnServer === true ? { isOwnServer } : {}),
    ...(typeof session === "string" && session !== "" ? { session } : {}),
    sessions: sessions.flatMap((one: unknown) => servedIn(one) ?? []),
  }
}

const processIn = (value: unknown): CallingProcess | undefined => {
  if (!isRecord(value)) return undefined
  const { pid, start } = value
  return Number.isSafeInteger(pid) && Number(pid) > 0 && typeof start === "string"
    ? { pid: Number(pid), start }
    : undefined
}

const servedIn = (value: unknown): ServedSession | undefined => {
  if (!isRecord(value)) return undefined
  const { session, through, at, unnamed } = value
  const told = toldIn(value.told)
  const calls = unnamedIn(unnamed)
  if (typeof session !== "string" || session === "" || typeof at !== "string" || !Array.isArray(through))
    return undefined
  return {
    session,
    through: through.filter((one): one is Through => one === "hook" || one === "server" || one === "run"),
    at,
    ...(told ? { told } : {}),
    ...(calls ? { unnamed: calls } : {}),
  }
}

const toldIn = (value: unknown): ClientReport | undefined => {
  if (!isRecord(value)) return undefined
  const { agent, text, at } = value
  const kind = toldKinds.find((one) => one === value.kind)
  if (!kind || typeof agent !== "string" || typeof at !== "string") return undefined
  return { kind, agent, at, ...(typeof text === "string" ? { text: oneLine(text) } : {}) }
}

const unnamedIn = (value: unknown): UnnamedCalls | undefined => {
  if (!isRecord(value)) return undefined
  const { folder, agent, place, calls } = value
  const owner = ownerIn(value.owner)
  if (typeof folder !== "string" || typeof agent !== "string" || typeof place !== "string") return undefined
  if (!Array.isArray(calls)) return undefined
  const made = calls.flatMap((call: unknown) => {
    if (!isRecord(call) || typeof call.tool !== "string" || typeof call.at !== "string") return []
    return [{ tool: call.tool, input: call.input, at: call.at }]
  })
  return { folder, agent, place, calls: made.slice(-mostCalls), ...(owner ? { owner } : {}) }
}

const ownerIn = (value: unknown): PlanKey | undefined => {
  if (!isRecord(value)) return undefined
  const { session, agent } = value
  return isName(session) && isName(agent) ? { session, agent } : undefined
}

const isName = (value: unknown): value is string => typeof value === "string" && value !== ""
