/** Which process of an agent serves which session, noted by the hooks and servers that the agent starts. */
import { join } from "node:path"
import { parseJson } from "../plan/json.ts"
import { isRecord } from "../plan/log/shape.ts"
import { planFileName } from "./file-names.ts"
import { foreignTextIn } from "./foreign-file.ts"
import type { Processes } from "./processes.ts"
import { replaceFile } from "./write-file.ts"

/** By which of its ways into Headway an agent has called. */
export type Through = "hook" | "server"

export type ClientNote = {
  agentType: string
  /** All ways by which it has called in this session. */
  through: readonly Through[]
  /** The agent's process, where it is known. */
  process?: { pid: number; started: number }
  /** When it was noted, in ISO form. */
  at: string
  /** When the agent was let go at the end of its turn; absent as soon as it goes on. */
  stopped?: string
}

/** What is known of the client of a session; undefined where none has called. */
export const clientOf = (home: string, session: string): ClientNote | undefined => {
  const text = foreignTextIn(pathOf(home, session), longest)
  const value = text === undefined ? undefined : parseJson(text)
  if (!isRecord(value)) return undefined
  const { agentType, through, process, at, stopped } = value
  if (typeof agentType !== "string" || typeof at !== "string" || !Array.isArray(through)) return undefined
  const { pid, started } = isRecord(process) ? process : {}
  return {
    agentType,
    through: through.filter((one): one is Through => one === "hook" || one === "server"),
    ...(typeof pid === "number" && typeof started === "number" ? { process: { pid, started } } : {}),
    at,
    ...(typeof stopped === "string" ? { stopped } : {}),
  }
}

export type Calling = {
  home: string
  session: string
  agentType: string
  through: Through
  now: Date
  /** The agent has been let go at the end of its turn. @default false */
  isStopping?: boolean
  /** Finds the agent's process; asked only where it is not known yet, or has ended. */
  findProcess: () => ClientNote["process"]
  processes: Pick<Processes, "find"> | undefined
}

/** Writes only what is new: it is called with every event of an agent. */
export const noteClient = (calling: Calling): void => {
  const { home, session, agentType, through, now, isStopping = false, findProcess, processes } = calling
  const known = clientOf(home, session)
  const isThere = known?.process !== undefined && isSameProcess(known.process, processes)
  const process = isThere ? known.process : findProcess()
  const isSame =
    known?.agentType === agentType && known.through.includes(through) && known.process?.pid === process?.pid
  if (isSame && (known.stopped !== undefined) === isStopping) return
  const note: ClientNote = {
    agentType,
    through: [...new Set([...(known?.agentType === agentType ? known.through : []), through])],
    ...(process ? { process } : {}),
    at: now.toISOString(),
    ...(isStopping ? { stopped: now.toISOString() } : {}),
  }
  replaceFile(pathOf(home, session), JSON.stringify(note), join(home, "tmp"))
}

/** Whether the process still runs, and is not another one under the same number. */
export const isSameProcess = (
  { pid, started }: NonNullable<ClientNote["process"]>,
  processes: Pick<Processes, "find"> | undefined,
): boolean => Math.abs((processes?.find(pid)?.started ?? Number.NEGATIVE_INFINITY) - started) < clockCorrection

/** In milliseconds: starts are told from the machine's clock, which may be set in between. */
const clockCorrection = 2_000

/** In bytes. A note is a few words. */
const longest = 4096

const pathOf = (home: string, session: string): string =>
  join(home, "cache", "clients", `${planFileName({ session, agent: "main" })}.json`)
