/** Reads the evidence of one session from its files: its own, and those of its sub-agents. */
import { loadStreams } from "../../agents/index.ts"
import type { Evidence } from "../../evidence/index.ts"
import { foreignChunks } from "../../home/reading/foreign-file.ts"
import type { Stream } from "../../streams/stream.ts"
import type { DiscoveredSession } from "../discover.ts"
import { isCompressed, sessionFileEnding } from "../packed/is-compressed.ts"
import { createUnpacker, type Unpacker } from "../packed/unpack.ts"
import { createEvidenceReader, type EvidenceReader } from "./evidence-reader.ts"
import { databaseWork } from "./packed-evidence.ts"

export type ReadEvidence = {
  evidence: Evidence
  /** Undefined if it has no output of a known agent. */
  stream: Stream | undefined
  hasList: boolean
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** The evidence in a stream, or in the files of a session, its own first. `from` names the agent, or a format. */
export const evidenceIn = async (sources: readonly Chunks[], from = "auto"): Promise<ReadEvidence> => {
  const reader = createEvidenceReader(await loadStreams(from))
  for (const chunks of sources) {
    for await (const chunk of chunks) reader.push(chunk)
    reader.end()
  }
  return { evidence: reader.evidence(), stream: reader.stream, hasList: reader.hasList }
}

type SessionFile = Pick<DiscoveredSession, "session" | "agentType" | "agent" | "path">

/** The evidence of a session found here; undefined if its files do not record what was done. */
export const evidenceOfSession = async (
  { session, agentType, path }: Omit<SessionFile, "agent">,
  all: readonly SessionFile[],
): Promise<ReadEvidence | undefined> => {
  const others = all.filter((one) => one.session === session && one.agentType === agentType && one.agent !== "main")
  const reader = createEvidenceReader(await loadStreams(agentType))
  const unpacker = createUnpacker()
  try {
    const agents = others.filter((one) => one.path === path).map(({ agent }) => agent)
    const work = isRead(path) ? undefined : await databaseWork({ path, agentType, session, agents }, unpacker)
    if (work) reader.take(work)
    for (const one of new Set([path, ...others.map((other) => other.path)])) await readFile(one, reader, unpacker)
    const read = { evidence: { ...reader.evidence(), session }, stream: reader.stream, hasList: reader.hasList }
    return read.stream || work ? read : undefined
  } finally {
    unpacker.close()
  }
}

const readFile = async (path: string, reader: EvidenceReader, unpacker: Unpacker): Promise<void> => {
  if (!isRead(path)) return
  if (isCompressed(path)) await unpacker.bytes(path, reader.push)
  else for await (const chunk of foreignChunks(path)) reader.push(chunk)
  reader.end()
}

/** Whether it is lines, or one document. */
const isRead = (path: string): boolean => sessionFileEnding.test(path)
