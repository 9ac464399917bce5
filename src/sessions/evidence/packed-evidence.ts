/**
 * Reads the work of a session that is not stored as plain lines: in a compressed file, or in a database of many
 * sessions.
 */
import { basename } from "node:path"
import { agentNamed } from "../../agents/index.ts"
import type { Signal } from "../../streams/stream.ts"
import type { Unpacker } from "../packed/unpack.ts"
import type { DatabaseReading } from "../source.ts"

export type DatabaseSession = {
  path: string
  agentType: string
  session: string
  /** Its sub-agents, by their ids. */
  agents: readonly string[]
}

/** The signals of its agents, one after the other; undefined if no database has them. */
export const databaseWork = async (
  { path, agentType, session, agents }: DatabaseSession,
  unpacker: Unpacker,
): Promise<Signal[] | undefined> => {
  const reading = await readingOf(path, agentType)
  if (!reading?.work) return undefined
  const read = await reading.load()
  const told: Signal[] = []
  for (const agent of ["main", ...agents].slice(0, mostAgents)) {
    const rows = await unpacker.rows(path, reading.work({ session, agent }))
    for (const signals of read(rows, { work: true }))
      if (isAbout(signals, session)) told.push(...ofAgent(signals, agent))
  }
  return told
}

/** Each is asked for by itself. */
const mostAgents = 100

/** The others would only add empty lists. */
const ofAgent = (signals: readonly Signal[], agent: string): Signal[] =>
  signals.filter((signal) => ("agent" in signal ? (signal.agent ?? "main") === agent : signal.type !== "session"))

const isAbout = (signals: readonly Signal[], session: string): boolean =>
  signals.some((signal) => signal.type === "session" && signal.session === session)

const readingOf = async (path: string, agentType: string): Promise<DatabaseReading | undefined> => {
  const source = await agentNamed(agentType)?.sessions?.()
  for (const place of source?.places ?? []) {
    const name = place.path.at(-1)
    const isNamed = name instanceof RegExp ? name.test(basename(path)) : name === basename(path)
    if (isNamed && place.reading.as === "database") return place.reading
  }
  return undefined
}
