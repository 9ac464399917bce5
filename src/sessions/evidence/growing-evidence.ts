/**
 * The evidence of one session as its files grow: from the cache if still valid, otherwise read from the last position.
 */
import { loadStreams } from "../../agents/index.ts"
import { type Brief, briefOf } from "../../evidence/index.ts"
import { foreignChunks } from "../../home/reading/foreign-file.ts"
import type { DiscoveredSession } from "../discover.ts"
import {
  type EvidenceCache,
  type EvidenceStamp,
  evidencePlace,
  evidenceStamps,
  isSameStamps,
} from "./evidence-cache.ts"
import { createEvidenceReader, type EvidenceReader } from "./evidence-reader.ts"
import { evidenceOfSession } from "./read-evidence.ts"

export type EvidenceSession = Pick<DiscoveredSession, "session" | "agentType" | "agent" | "path">

export type GrowingEvidence = {
  /** The evidence for its done todos; undefined if its files do not record any, or are too large. */
  read(session: EvidenceSession, all: readonly EvidenceSession[]): Promise<Brief | undefined>
  /** Releases the state needed to continue reading. */
  rest(): void
}

export type GrowingEvidenceOptions = {
  cache?: EvidenceCache | undefined
  /** In bytes, of all files together. @default 64 MiB */
  most?: number
}

const usualMost = 64 << 20

export const createGrowingEvidence = ({ cache, most = usualMost }: GrowingEvidenceOptions): GrowingEvidence => {
  let known: { stamps: readonly EvidenceStamp[]; brief: Brief | undefined } | undefined
  let open: OpenFile | undefined

  /** Only a file of lines can be continued. */
  const readOn = async ({ agentType, path }: EvidenceSession, stamp: EvidenceStamp): Promise<Brief | undefined> => {
    const [, id, size] = stamp
    if (open?.path !== path || open.id !== id || open.position > size) {
      open = { path, id, position: 0, endsLine: true, reader: createEvidenceReader(await loadStreams(agentType)) }
    }
    const file = open
    for await (const chunk of foreignChunks(path, file.position)) {
      file.reader.push(chunk)
      file.position += chunk.length
      file.endsLine = chunk.at(-1) === newline
    }
    return file.endsLine && file.reader.stream ? briefOf(file.reader.evidence()) : undefined
  }

  const work = async (
    session: EvidenceSession,
    all: readonly EvidenceSession[],
    stamps: readonly EvidenceStamp[],
  ): Promise<Brief | undefined> => {
    const [stamp] = stamps
    if (!stamp || stamps.reduce((sum, [, , size]) => sum + size, 0) > most) return undefined
    if (stamps.length === 1 && session.path.endsWith(".jsonl")) {
      const brief = await readOn(session, stamp)
      if (brief) return brief
    }
    open = undefined
    const read = await evidenceOfSession(session, all)
    return read && briefOf(read.evidence)
  }

  return {
    async read(session, all) {
      const stamps = evidenceStamps(evidenceFiles(session, all))
      if (!stamps) return undefined
      if (known && isSameStamps(known.stamps, stamps)) return known.brief
      const kept = open ? undefined : cache?.load(evidencePlace(session), stamps)
      const brief = kept ?? (await work(session, all, stamps))
      known = { stamps, brief }
      // Data added during the read is left for the next time, when the stamps differ.
      if (brief && !kept) cache?.save(evidencePlace(session), stamps, brief)
      return brief
    },
    rest() {
      open = undefined
    },
  }
}

type OpenFile = { path: string; id: number; position: number; endsLine: boolean; reader: EvidenceReader }

const newline = 10

/** The files of a session: its own first, then those of its sub-agents. */
const evidenceFiles = (session: EvidenceSession, all: readonly EvidenceSession[]): string[] => {
  const others = all.filter(
    (one) => one.session === session.session && one.agentType === session.agentType && one.agent !== "main",
  )
  return [...new Set([session.path, ...others.map(({ path }) => path)])]
}
