/** Finds out what an agent was doing last, from the last lines of its file. */
import { isoTime } from "../../plan/index.ts"
import { known, objectsInLine } from "../../streams/line.ts"
import type { ScanObserver } from "../../streams/observe.ts"
import type { Signal, Stream } from "../../streams/stream.ts"
import { type Bytes, tailBuffer, tailSize } from "./found-lines.ts"

/** In bytes. The last line may be a long one, such as a picture; only where there is no whole line, more is read. */
const longTails = [1 << 20, 16 << 20]
const newline = 10
/** Usually one of the last few lines is enough; otherwise the whole tail is read. */
const fewLines = 4

/** The last bytes of a file; all of it, where it is short. They are in memory that the tail of the next file takes over. */
export type Tail = { bytes: Buffer; isWhole: boolean }

type End = Pick<Bytes, "read" | "size">

export const tailOf = (file: End): Tail => tailIn(tailBuffer, file)

const tailIn = (memory: Buffer, { read, size }: End): Tail => {
  const start = Math.max(0, size - memory.length)
  return { bytes: memory.subarray(0, read(memory, 0, size - start, start)), isWhole: start === 0 }
}

/**
 * Reads the last lines whatever they hold. Only what is about now counts here: activity, and the model, version,
 * branch and way to run in use; a reader that begins in the middle cannot know more.
 */
export const readTail = (file: End, short: Tail, stream: Stream, observer: ScanObserver): void => {
  const owner = ownerOf(observer)
  if (owner === undefined) return
  for (const length of [tailSize, ...longTails]) {
    const tail = length === tailSize ? short : tailIn(Buffer.allocUnsafe(Math.min(length, file.size)), file)
    const { lines, signals } = readLast(tail, stream)
    if (lines.length === 0 && !tail.isWhole) continue
    for (const signal of signals) takeNow(signal, owner, observer)
    if (!signals.some((signal) => isActivity(signal) && signal.at !== undefined)) takeTime(lines, owner, observer)
    return
  }
}

const isActivity = (signal: Signal): signal is Extract<Signal, { type: "activity" }> => signal.type === "activity"

type LastLines = { lines: string[]; signals: Signal[] }

const readLast = ({ bytes, isWhole }: Tail, stream: Stream): LastLines => {
  let last: LastLines = { lines: [], signals: [] }
  for (const count of [fewLines, Number.POSITIVE_INFINITY]) {
    const reader = stream.open()
    const { lines, isAll } = lastLines(bytes, count, isWhole)
    last = { lines, signals: lines.flatMap((line) => reader.read(line)) }
    if (isAll || last.signals.some(tellsAll)) break
  }
  return last
}

/** Where no line says what was done, the last that has a time says how old the session is: a file that was copied is newer. */
const takeTime = (lines: readonly string[], agent: string, observer: ScanObserver): void => {
  for (const line of lines.toReversed()) {
    const recorded = objectsInLine(line)
      .objects.flatMap(({ timestamp }) => isoTime(timestamp) ?? [])
      .at(-1)
    if (recorded === undefined) continue
    observer.take({ type: "session", agent, recorded })
    return
  }
}

/** A result does not tell which other calls are open, so the lines before it are read. */
const tellsAll = (signal: Signal): boolean => signal.type === "activity" && signal.isResult !== true

/** A file that has no main agent is a sub-agent's, whatever its last lines say. */
export const ownerOf = (observer: ScanObserver): string | undefined => {
  const agents = observer.known()
  return agents.some(({ agent }) => agent === "main") ? "main" : agents[0]?.agent
}

const takeNow = (signal: Signal, owner: string, observer: ScanObserver): void => {
  if (signal.type === "activity") observer.take(signal.agent === "main" ? { ...signal, agent: owner } : signal)
  if (signal.type !== "session") return
  const { version, model, isOneShot, branch } = signal
  const now = known({ version, model, isOneShot, branch })
  if (Object.keys(now).length === 0) return
  const agent = signal.agent === undefined || signal.agent === "main" ? owner : signal.agent
  observer.take({ type: "session", agent, ...now })
}

/** Whole lines only, and the first one only if the tail is the whole file. */
const lastLines = (bytes: Buffer, most: number, isWhole: boolean): { lines: string[]; isAll: boolean } => {
  const lines: string[] = []
  let end = bytes.lastIndexOf(newline)
  while (end > 0 && lines.length < most) {
    const start = bytes.lastIndexOf(newline, end - 1)
    if (start < 0 && !isWhole) break
    lines.push(bytes.toString("utf8", start + 1, end))
    end = start
  }
  return { lines: lines.reverse(), isAll: end <= 0 }
}
