/** The session in whose file a call appears: for a client that does not say whose call it makes. */
import { realpathSync } from "node:fs"
import { isAbsolute } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { parseJson } from "../plan/json.ts"
import { isRecord } from "../plan/log/shape.ts"
import type { SessionSignal, Signal } from "../streams/stream.ts"
import { filesOf, mayHold, type SessionPlaces, sessionOf, signalsIn } from "./_session-signals.ts"
import { createUnpacker } from "./_unpack.ts"
import type { Found } from "./_walk.ts"

/** A call as our server got it, and when. */
export type MadeCall = { tool: string; input: unknown; at: Date }

export type CallOwner = { session: string; agent: string }

export type CallFinder = {
  /** The one agent in whose session every one of these calls appears; undefined as long as that is none or several. */
  find(calls: readonly MadeCall[]): Promise<CallOwner | undefined>
  close(): void
}

/** `folder` is where the client works: a session of another project is not its own. */
export const createCallFinder = ({ folder, ...places }: SessionPlaces & { folder: string }): CallFinder => {
  const unpacker = createUnpacker(patience)
  return {
    async find(calls) {
      const first = Math.min(...calls.map(({ at }) => at.getTime()))
      const recent = filesOf(places).filter(({ stamp }) => stamp[1] >= first - slack)
      const owners = new Map<string, CallOwner>()
      unpacker.begin()
      for (const found of recent.slice(0, mostFiles)) {
        const lists = await signalsIn(found, unpacker, tailLength).catch((): Signal[][] => [])
        for (const owner of lists.flatMap((signals) => ownersIn(signals, found, calls, folder)))
          owners.set(JSON.stringify(owner), owner)
      }
      const [owner, ...others] = owners.values()
      return others.length === 0 ? owner : undefined
    },
    close: unpacker.close,
  }
}

/** A call is written down shortly before it is made, or after it was answered. In milliseconds. */
const slack = 10_000

/** A model waits for it. In milliseconds. */
const patience = 1_000

const mostFiles = 16

/** The call is near the end. In bytes. */
const tailLength = 2 << 20

/** The agents of a session that made all the calls. */
const ownersIn = (
  signals: readonly Signal[],
  found: Found,
  calls: readonly MadeCall[],
  folder: string,
): CallOwner[] => {
  const { whose } = found
  const about = signals.filter((signal): signal is SessionSignal => signal.type === "session")
  const session = sessionOf(found, about.find((one) => one.session !== undefined)?.session)
  const project = about.find((one) => one.project !== undefined)?.project
  // A file that says it is another session's than its name says is not believed.
  if (session === undefined || !mayHold(found, session)) return []
  if (project !== undefined && isAbsolute(project) && real(project) !== real(folder)) return []
  const seen = signals.flatMap((signal) => (signal.type === "call" ? [signal] : []))
  return [...new Set(seen.map(({ agent }) => agent))].flatMap((agent) => {
    const own = seen.filter((one) => one.agent === agent)
    const isMade = (call: MadeCall): boolean => own.some((one) => isSame(call, one.call))
    return calls.every(isMade) ? [{ session, agent: agent === "main" ? (whose.agent ?? agent) : agent }] : []
  })
}

const real = (folder: string): string => {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

type SeenCall = { tool: string; input: unknown; at?: string | undefined }

const isSame = ({ tool, input, at }: MadeCall, seen: SeenCall): boolean => {
  const time = Date.parse(seen.at ?? "")
  const isInTime = Number.isNaN(time) || time >= at.getTime() - slack
  return seen.tool === tool && isInTime && isDeepStrictEqual(fieldsIn(seen.input), fieldsIn(input))
}

/** Some write an object as its JSON. */
const fieldsIn = (input: unknown): unknown => {
  const value = typeof input === "string" ? parseJson(input) : input
  return isRecord(value) ? value : {}
}
