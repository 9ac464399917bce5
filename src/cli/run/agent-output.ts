/** Parses an agent's output into lists, messages, activity and other text. */
import { type Problem, sanitise, sanitisePrinted } from "../../plan/index.ts"
import {
  createDetector,
  createLineSplitter,
  createUnifier,
  type ObservedAgent,
  type Signal,
  type Stream,
  type StreamEvent,
  type Turn,
} from "../../streams/index.ts"
import { isOtherText } from "../../streams/line.ts"
import { longLine } from "../../streams/lines.ts"

export type AgentOutputOptions = {
  candidates: readonly Stream[]
  now: () => Date
  /** What the agent is called; every event names it. */
  member: string | undefined
  /** A line for people, safe to print; with a tool, what it is used on. */
  onMessage: (message: { agent: string; text: string; tool?: string }) => void
  /** Every change of a list that its agent has accepted, and every turn. */
  onEvent: (event: StreamEvent) => void
  /** A list that its agent has accepted: one whose call is refused is never passed on. */
  onList: (agent: ObservedAgent, agentType: string) => void
  onTurn: (turn: Turn) => void
}

export type AgentOutput = {
  push(chunk: Uint8Array): void
  end(): void
  /** The agent's process has ended: so have its turns, even if it did not report that. With an error, they have failed. */
  endTurns(error?: string): void
  /** Whether a line of a known format was seen. */
  readonly isRecognised: boolean
  /** The session, as far as the agent has said it. */
  readonly session: string | undefined
  readonly problems: ReadonlyMap<string, { problem: Problem; count: number }>
}

/** Enough for a file or a picture in one line; a longer line is dropped. In bytes. */
const longestLine = 16 << 20

/** Lines that may be of a format that is not recognised yet; beyond these they are text like any other. */
const heldLines = 50
const heldText = 1 << 20

export const createAgentOutput = (options: AgentOutputOptions): AgentOutput => {
  const { candidates, now, member, onMessage, onEvent, onTurn } = options
  const detector = createDetector(candidates)
  const agentType = (): string => detector.stream?.agentType ?? ""
  const onList = (agent: ObservedAgent): void => options.onList(agent, agentType())
  const unifier = createUnifier({ now, member, confirmed: true, onEvent, onTurn, onList })
  const words = createWords((agent, text) => onMessage({ agent, text }))
  let held: string[] | undefined = []
  let heldLength = 0

  const plain = (line: string): void => onMessage({ agent: "main", text: sanitisePrinted(line) })

  const speak = (signal: Signal): void => {
    if (signal.type === "message" && signal.tool === undefined) {
      words.add(signal.agent, signal.text, signal.isPart === true)
      return
    }
    if (endsWords(signal)) words.end()
    if (signal.type === "message" && signal.tool !== undefined)
      onMessage({ agent: signal.agent, tool: sanitise(signal.tool), text: sanitise(signal.text) })
  }

  /** What a line says belongs together. */
  const takeAll = (signals: readonly Signal[]): void => {
    signals.forEach(speak)
    unifier.take(signals, agentType())
  }

  const letGo = (): void => {
    held?.forEach(plain)
    held = undefined
  }

  /** Whatever may be a line of a format waits until the format is known, or until it is plain that there is none. */
  const readUnknown = (line: string): void => {
    if (looksLikeData(line)) takeAll(detector.read(line))
    if (detector.stream) held = undefined
    else if (held && looksLikeData(line)) hold(held, line)
    else plain(line)
  }

  const hold = (lines: string[], line: string): void => {
    lines.push(line)
    heldLength += line.length
    if (lines.length > heldLines || heldLength > heldText) letGo()
  }

  /** Agents and what they start print warnings between their lines: those are text. What was to be data is never shown. */
  const readKnown = (line: string): void => {
    const signals = detector.read(line)
    if (signals.some(isText) && !looksLikeData(line)) plain(line)
    else takeAll(signals)
  }

  const splitter = createLineSplitter({
    onLine: (line) => (detector.stream ? readKnown(line) : readUnknown(line)),
    onSkipped: (length) => takeAll([{ type: "problem", problem: longLine(length) }]),
    keepsEmpty: true,
    maxLength: longestLine,
  })

  return {
    push: splitter.push,
    end() {
      splitter.end()
      takeAll(detector.end())
      if (!detector.stream) letGo()
      words.end()
      unifier.end(agentType())
    },
    endTurns: (error) => unifier.endTurns(agentType(), error),
    get isRecognised() {
      return detector.isRecognised
    },
    get session() {
      return unifier.session
    },
    get problems() {
      return unifier.observer.problems
    },
  }
}

/** Work, a list or the end of a turn: what is said next does not go on where the words before ended. */
const endsWords = (signal: Signal): boolean =>
  signal.type === "activity" ? signal.kind !== "text" : ["said", "call", "snapshot"].includes(signal.type)

const looksLikeData = (line: string): boolean => /^\uFEFF?\s*(?:data:\s*)?\{/.test(line)

const isText = (signal: Signal): boolean => signal.type === "problem" && isOtherText(signal.problem)

/** How much of a text without line ends is kept before it is shown. */
const longestPart = 1 << 16

/** Words come whole, or in parts that are put together again; either way they go out as lines. */
const createWords = (onLine: (agent: string, line: string) => void) => {
  let open: { agent: string; text: string } | undefined

  const print = (agent: string, text: string): void => {
    for (const line of text.split("\n")) onLine(agent, sanitisePrinted(line))
  }

  const end = (): void => {
    if (open && open.text !== "") print(open.agent, open.text)
    open = undefined
  }

  return {
    end,
    add(agent: string, text: string, isPart: boolean): void {
      if (!isPart || open?.agent !== agent) end()
      if (!isPart) {
        print(agent, text.trimEnd())
        return
      }
      const whole = (open?.text ?? "") + text
      const cut = whole.length > longestPart ? whole.length : whole.lastIndexOf("\n") + 1
      if (cut > 0) print(agent, whole.slice(0, cut).replace(/\n$/, ""))
      open = { agent, text: whole.slice(cut) }
    },
  }
}
