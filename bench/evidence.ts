/** How many completions fall under each word of evidence, over any folder of sessions, and what reading it costs. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadStreams } from "../src/agents/index.ts"
import { words } from "../src/evidence/index.ts"
import { createEvidenceReader } from "../src/sessions/evidence/evidence-reader.ts"
import { createEventReader, type Stream } from "../src/streams/index.ts"
import { byTurns, milliseconds, processorTime, type Row } from "./measure.ts"
import { writeTranscripts } from "./transcripts.ts"

/** `HEADWAY_BENCH_SESSIONS` names a folder of session files; without it some are made up. */
const given = process.env.HEADWAY_BENCH_SESSIONS
const megabytes = Number(process.env.HEADWAY_BENCH_MB ?? 40)

export const evidence = async (): Promise<Row[]> => {
  const made = given === undefined ? mkdtempSync(join(tmpdir(), "headway-bench-")) : undefined
  try {
    if (made !== undefined) writeTranscripts(made, megabytes)
    const files = filesIn(given ?? made ?? "")
    const streams = await loadStreams("auto")
    return [...counting(files, streams), ...timing(files, streams)]
  } finally {
    if (made !== undefined) rmSync(made, { recursive: true, force: true })
  }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(".jsonl") && statSync(path).isFile())

const evidenceIn = (path: string, streams: readonly Stream[]) => {
  const reader = createEvidenceReader(streams)
  reader.push(readFileSync(path))
  reader.end()
  return reader.evidence()
}

const counting = (files: readonly string[], streams: readonly Stream[]): Row[] => {
  const counts = new Map<string, number>()
  let [done, dropped, bursts] = [0, 0, 0]
  for (const path of files) {
    const { todos, list } = evidenceIn(path, streams)
    dropped += list.dropped.length
    bursts += list.bursts
    for (const { status, word } of todos) {
      if (status !== "completed") continue
      done += 1
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  const share = (count: number): string => `${count} (${((100 * count) / Math.max(1, done)).toFixed(0)}%)`
  return [
    { what: `completions in ${files.length} files`, figure: String(done) },
    ...words.map((word) => ({ what: word, figure: share(counts.get(word) ?? 0) })),
    { what: "dropped without explanation", figure: String(dropped) },
    { what: "bursts", figure: String(bursts) },
  ]
}

const timing = (files: readonly string[], streams: readonly Stream[]): Row[] => {
  const size = files.reduce((sum, path) => sum + statSync(path).size, 0) / (1 << 20)
  const times = byTurns(
    {
      without: () => {
        for (const path of files) {
          const reader = createEventReader({ candidates: streams, now: () => new Date(0), onEvent: () => {} })
          reader.push(readFileSync(path))
          reader.end()
        }
      },
      with: () => {
        for (const path of files) evidenceIn(path, streams)
      },
    },
    11,
    processorTime,
  )
  const perMegabyte = (time: number): string => `${milliseconds(time / Math.max(size, 0.001))}/MB`
  return [
    { what: "a whole reading without evidence", figure: perMegabyte(times.without) },
    { what: "with evidence", figure: perMegabyte(times.with), ratio: times.with / times.without, limit: 1.5 },
  ]
}
