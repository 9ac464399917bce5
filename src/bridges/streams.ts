/**
 * The entry point `headway/streams`: any agent's output or log as unified events, pushed or iterated; also rebuilds a
 * session's list.
 */
import type { AgentType, StreamId } from "../agents/index.ts"
import { HeadwayError, isHeadwayError } from "../plan/headway-error.ts"
import type { Problem } from "../plan/index.ts"
import { createEventReader } from "../streams/event-reader.ts"
import type { StreamEvent } from "../streams/events.ts"
import { createRebuilder, type RebuiltSession } from "../streams/rebuild.ts"
import type { Stream } from "../streams/stream.ts"
import { type Chunk, createEncoder } from "./_encode-chunks.ts"

export type { Problem } from "../plan/index.ts"
export type { StreamEvent, TodoListEvent, TurnEvent } from "../streams/events.ts"
export type { RebuiltSession } from "../streams/rebuild.ts"
export {
  type ClearChange,
  countOpen,
  isAssumedAtEnd,
  type ListChange,
  type LiveLists,
  nextLists,
  noLists,
  type ShownList,
  type TurnChange,
} from "../views/live-lists.ts"
export type { Chunk }

/** An agent (`claude-code`, or `claude`), one of its formats (`claude-transcript`), or `auto`. */
export type StreamName = AgentType | StreamId | "auto" | (string & {})

export type ReadOptions = {
  /** Whose output it is. @default "auto", which tells it from the first lines */
  from?: StreamName | undefined
  /** The agent's name in a run of several agents; every event contains it. */
  member?: string | undefined
  /**
   * Gives a list only when the result of its call is in: a call that is refused never shows. Otherwise a list comes
   * with its call, as `unconfirmed`, and the list before comes again when the call is refused. @default false
   */
  confirmed?: boolean | undefined
  /** The clock for streams without times. @default the system's clock */
  now?: (() => Date) | undefined
  /** Called with the first problem of each kind. Reading continues. */
  onProblem?: ((problem: Problem) => void) | undefined
}

export type Reader = {
  /** Takes the next bytes or text, split anywhere, and returns the completed events. */
  push(chunk: Chunk): StreamEvent[]
  /** Ends the stream and returns the remaining events. */
  end(): StreamEvent[]
  /** Which product it is, once that is known. */
  readonly agentType: string | undefined
  /** Which of its formats. */
  readonly format: string | undefined
  /** Whether a line of the format was seen. */
  readonly isRecognised: boolean
  /** What could not be read, by kind, with a count. */
  readonly problems: ReadonlyMap<string, { problem: Problem; count: number }>
}

/** Text or bytes, whole or in chunks that are cut anywhere; lines without their ends; or a file. */
export type StreamSource =
  | Chunk
  | Iterable<Chunk>
  | AsyncIterable<Chunk>
  | { lines: Iterable<string> | AsyncIterable<string> }
  | { file: string | URL }

/** Creates a reader for incremental bytes or text. Throws `unknown-stream` if `from` names no agent. */
export const openReader = async (options: ReadOptions = {}): Promise<Reader> => {
  const { from = "auto", now = () => new Date(), onProblem, ...rest } = options
  const encoder = createEncoder()
  const told = new Set<string>()
  let events: StreamEvent[] = []
  const onEvent = (event: StreamEvent): void => void events.push(event)
  const reader = createEventReader({ ...rest, candidates: await formatsOf(from), now, onEvent })

  const taken = (): StreamEvent[] => {
    const ready = events
    events = []
    if (!onProblem) return ready
    for (const [code, { problem }] of reader.problems) {
      if (told.has(code)) continue
      told.add(code)
      onProblem(problem)
    }
    return ready
  }

  return {
    push(chunk) {
      reader.push(encoder.push(chunk))
      return taken()
    },
    end() {
      reader.push(encoder.end())
      reader.end()
      return taken()
    },
    get agentType() {
      return reader.stream?.agentType
    },
    get format() {
      return reader.stream?.id
    },
    get isRecognised() {
      return reader.isRecognised
    },
    get problems() {
      return reader.problems
    },
  }
}

/** The events of a source, each as soon as its line is complete. Unrecognised input yields none. */
export async function* readEvents(
  source: StreamSource,
  options: ReadOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  const { opened: reader, chunks } = await readingWhile(source, openReader(options))
  for await (const chunk of chunks) yield* reader.push(chunk)
  yield* reader.end()
}

/**
 * The list of a session, rebuilt from its log. The last call about it decides: one that was accepted, or has no answer,
 * and cannot be read even after repair leaves an empty list, and one that was refused changes nothing (behaviour C28). Where
 * an agent's results tell the whole list, they are believed (behaviour O16).
 */
export const rebuildSession = async (
  source: StreamSource,
  { from = "auto" }: Pick<ReadOptions, "from"> = {},
): Promise<RebuiltSession> => {
  const { opened: formats, chunks } = await readingWhile(source, formatsOf(from))
  const rebuilder = createRebuilder(formats)
  const encoder = createEncoder()
  for await (const chunk of chunks) rebuilder.push(encoder.push(chunk))
  rebuilder.push(encoder.end())
  return rebuilder.end()
}

/** Agents are loaded when one is named, and all of them only when the format is to be told from the lines. */
const formatsOf = async (name: string): Promise<readonly Stream[]> =>
  (await import("../agents/index.ts")).loadStreams(name)

/**
 * Starts reading while modules are still loading, because Node discards unread output when a child process ends.
 */
const readingWhile = async <Opened>(
  source: StreamSource,
  loading: Promise<Opened>,
): Promise<{ opened: Opened; chunks: AsyncIterable<Chunk> }> => {
  const rest = chunksOf(source)
  const first = rest.next()
  // The error is reported where the result is awaited.
  first.catch(() => {})
  try {
    const opened = await loading
    return { opened, chunks: inOrder(first, rest) }
  } catch (cause) {
    await rest.return(undefined)
    throw cause
  }
}

async function* inOrder(first: Promise<IteratorResult<Chunk>>, rest: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  try {
    for (let next = await first; !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return(undefined)
  }
}

async function* chunksOf(source: StreamSource): AsyncGenerator<Chunk> {
  if (typeof source === "string" || source instanceof Uint8Array) yield source
  else if ("file" in source) yield* fileChunks(source.file)
  else if ("lines" in source) for await (const line of source.lines) yield `${line}\n`
  else yield* source
}

async function* fileChunks(file: string | URL): AsyncGenerator<Chunk> {
  const { fileURLToPath } = await import("node:url")
  const { foreignChunks } = await import("../home/reading/foreign-file.ts")
  const path = typeof file === "string" ? file : fileURLToPath(file)
  try {
    yield* foreignChunks(path)
  } catch (cause) {
    if (isHeadwayError(cause)) throw new HeadwayError(cause.code, `${path} cannot be read: ${cause.message}.`)
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause
    throw new HeadwayError("not-found", `There is no file ${path}.`)
  }
}
