/** What an agent was doing last, from the last lines of its file. */
import { known } from "../streams/line.ts"
import type { ScanObserver } from "../streams/observe.ts"
import type { Signal, Stream } from "../streams/stream.ts"

/** In bytes. A line may be longer than the first of them: a picture, or all of a file. */
const tailSizes = [64 << 10, 2 << 20]
const newline = 10
/** Usually one of the last few lines says it; only when none does, all of the tail is read. */
const fewLines = 4

type Tail = { read(target: Buffer, start: number, length: number, position: number): number; size: number }

/**
 * Reads the last lines whatever they hold. Only what is about now counts here: activity, and the model, version and
 * way to run in use; a reader that begins in the middle cannot know more.
 */
export const readTail = ({ read, size }: Tail, stream: Stream, observer: ScanObserver): void => {
  const owner = ownerOf(observer)
  if (owner === undefined) return
  let signals: Signal[] = []
  for (const tailSize of tailSizes) {
    const start = Math.max(0, size - tailSize)
    const bytes = Buffer.allocUnsafe(size - start)
    const tail = bytes.subarray(0, read(bytes, 0, bytes.length, start))
    let hasLines = false
    for (const count of [fewLines, Number.POSITIVE_INFINITY]) {
      const reader = stream.open()
      const { lines, isAll } = lastLines(tail, count, start === 0)
      hasLines = lines.length > 0
      signals = lines.flatMap((line) => reader.read(line))
      if (isAll || signals.some(tellsAll)) break
    }
    if (start === 0 || hasLines) break
  }
  for (const signal of signals) takeNow(signal, owner, observer)
}

/** A result does not say which other calls are still open: the lines before it do. */
const tellsAll = (signal: Signal): boolean => signal.type === "activity" && signal.isResult !== true

/** A file that has no main agent is a sub-agent's, whatever its last lines say. */
const ownerOf = (observer: ScanObserver): string | undefined => {
  const agents = observer.known()
  return agents.some(({ agent }) => agent === "main") ? "main" : agents[0]?.agent
}

const takeNow = (signal: Signal, owner: string, observer: ScanObserver): void => {
  if (signal.type === "activity") observer.take(signal.agent === "main" ? { ...signal, agent: owner } : signal)
  if (signal.type !== "session") return
  const { version, model, isOneShot } = signal
  if (version === undefined && model === undefined && isOneShot === undefined) return
  const agent = signal.agent === undefined || signal.agent === "main" ? owner : signal.agent
  observer.take({ type: "session", agent, ...known({ version, model, isOneShot }) })
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
