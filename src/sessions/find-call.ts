/** The session in whose file a call appears: for a client that does not say whose call it makes. */
import { isDeepStrictEqual } from "node:util"
import { parseJson } from "../plan/json.ts"
import { isRecord } from "../plan/log/shape.ts"
import { ownOf } from "../streams/line.ts"
import type { SessionSignal, Signal } from "../streams/stream.ts"
import { labelledFolders } from "./_project-labels.ts"
import { filesOf, mayHold, type SessionPlaces, sessionOf, signalsIn } from "./_session-signals.ts"
import { createUnpacker } from "./_unpack.ts"
import type { Found } from "./_walk.ts"
import { isSameFolder } from "./same-folder.ts"

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
  const { source, env, home } = places
  // A call of another session that was answered before ours was made is not ours, where ours is not written down yet.
  const early = source.writesAfterAnswers ? 0 : slack
  return {
    async find(calls) {
      const first = Math.min(...calls.map(({ at }) => at.getTime()))
      const recent = filesOf(places).filter(({ stamp }) => stamp[1] >= first - slack)
      const folders = recent.length > 0 ? labelledFolders(source, source.homes(env, home)) : {}
      const owners = new Map<string, CallOwner>()
      unpacker.begin()
      for (const found of recent.slice(0, mostFiles)) {
        const lists = await signalsIn(found, unpacker, tailLength).catch((): Signal[][] => [])
        for (const owner of lists.flatMap((signals) => ownersIn(signals, found, { calls, folder, folders, early })))
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

type Wanted = {
  calls: readonly MadeCall[]
  folder: string
  /** What the labels of projects stand for. */
  folders: Readonly<Record<string, string>>
  /** How long before it is made a call may be written down, in milliseconds. */
  early: number
}

/** The agents of a session that made all the calls. */
const ownersIn = (signals: readonly Signal[], found: Found, { calls, folder, folders, early }: Wanted): CallOwner[] => {
  const { whose } = found
  const about = signals.filter((signal): signal is SessionSignal => signal.type === "session")
  const session = sessionOf(found, about.find((one) => one.session !== undefined)?.session)
  // The path may have the folder itself, or a label for it.
  const named = ownOf(folders, whose.project ?? "") ?? whose.project
  const project = about.find((one) => one.project !== undefined)?.project ?? named
  // A file that says it is another session's than its name says is not believed.
  if (session === undefined || !mayHold(found, session)) return []
  if (!isSameFolder(project, folder)) return []
  const seen = signals.flatMap((signal) => (signal.type === "call" ? [signal] : []))
  return [...new Set(seen.map(({ agent }) => agent))].flatMap((agent) => {
    const own = seen.filter((one) => one.agent === agent)
    const isMade = (call: MadeCall): boolean => own.some((one) => isSame(call, one.call, early))
    return calls.every(isMade) ? [{ session, agent: agent === "main" ? (whose.agent ?? agent) : agent }] : []
  })
}

type SeenCall = { tool: string; input: unknown; at?: string | undefined }

const isSame = ({ tool, input, at }: MadeCall, seen: SeenCall, early: number): boolean => {
  const time = Date.parse(seen.at ?? "")
  const isInTime = Number.isNaN(time) || time >= at.getTime() - early
  return seen.tool === tool && isInTime && isDeepStrictEqual(fieldsIn(seen.input), fieldsIn(input))
}

/** Some write an object as its JSON. */
const fieldsIn = (input: unknown): unknown => {
  const value = typeof input === "string" ? parseJson(input) : input
  return isRecord(value) ? value : {}
}
