/** What an agent was doing last, from the last lines of its file. */
import type { ScanObserver } from "../streams/observe.ts"
import type { Signal, Stream } from "../streams/stream.ts"
import type { Bytes } from "./_found-lines.ts"

const tailSize = 64 << 10
const newline = 10
/** Usually the very last line says it, else one of the last few; only when none does, all of the tail is read. */
const attempts = [1, 4, Number.POSITIVE_INFINITY]

/** The last bytes of a file; all of it, where it is short. */
export type Tail = { bytes: Buffer; isWhole: boolean }

export const tailOf = ({ read, size }: Pick<Bytes, "read" | "size">): Tail => {
  const start = Math.max(0, size - tailSize)
  const bytes = Buffer.allocUnsafe(size - start)
  return { bytes: bytes.subarray(0, read(bytes, 0, bytes.length, start)), isWhole: start === 0 }
}

/**
 * Reads the last lines whatever they hold. Only what is about now counts here: activity, and the model and version in
 * use; a reader that begins in the middle cannot know more.
 */
export const readTail = ({ bytes, isWhole }: Tail, stream: Stream, observer: ScanObserver): void => {
  const owner = ownerOf(observer)
  if (owner === undefined) return
  for (const count of attempts) {
    const reader = stream.open()
    const { lines, isAll } = lastLines(bytes, count, isWhole)
    const signals = lines.flatMap((line) => reader.read(line))
    if (!isAll && count < Number.POSITIVE_INFINITY && !signals.some(({ type }) => type === "activity")) continue
    for (const signal of signals) takeNow(signal, owner, observer)
    return
  }
}

/** A file that has no main agent is a sub-agent's, whatever its last lines say. */
export const ownerOf = (observer: ScanObserver): string | undefined => {
  const agents = observer.known()
  return agents.some(({ agent }) => agent === "main") ? "main" : agents[0]?.agent
}

const takeNow = (signal: Signal, owner: string, observer: ScanObserver): void => {
  if (signal.type === "activity") observer.take(signal.agent === "main" ? { ...signal, agent: owner } : signal)
  if (signal.type !== "session") return
  const { version, model } = signal
  if (version === undefined && model === undefined) return
  const agent = signal.agent === undefined || signal.agent === "main" ? owner : signal.agent
  observer.take({ type: "session", agent, ...(version ? { version } : {}), ...(model ? { model } : {}) })
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
