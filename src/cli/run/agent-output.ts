/** What an agent prints, taken apart: its lists, what it says and works on, and any other text. */
import { type Problem, sanitise, sanitisePrinted, warning } from "../../plan/index.ts"
import {
  type ActivityKind,
  createDetector,
  createEvents,
  createLineSplitter,
  createObserver,
  type ObservedAgent,
  type Signal,
  type Stream,
  type TodoListEvent,
} from "../../streams/index.ts"

export type AgentOutputOptions = {
  candidates: readonly Stream[]
  now: () => Date
  /** A line for people, safe to print; with a tool, what it is used on. */
  onMessage: (message: { agent: string; text: string; tool?: string }) => void
  /** Every change of a list, as soon as it is seen. */
  onEvent: (event: TodoListEvent) => void
  /** A list that its agent has accepted: one whose call is refused is never passed on. */
  onList: (agent: ObservedAgent, agentType: string) => void
  onActivity: (agent: string, kind: ActivityKind) => void
}

export type AgentOutput = {
  push(chunk: Uint8Array): void
  end(): void
  /** Whether a line of a known format was seen. */
  readonly isRecognised: boolean
  /** The session, as far as the agent has said it. */
  readonly session: string | undefined
  readonly problems: ReadonlyMap<string, { problem: Problem; count: number }>
}

/** Enough for a file or a picture in one line; what is longer is let go. In bytes. */
const longestLine = 16 << 20

/** Lines that may be of a format that is not recognised yet; beyond these they are text like any other. */
const heldLines = 50
const heldText = 1 << 20

export const createAgentOutput = (options: AgentOutputOptions): AgentOutput => {
  const { candidates, now, onMessage, onEvent, onActivity } = options
  const detector = createDetector(candidates)
  const observer = createObserver()
  const eventOf = createEvents(now)
  const words = createWords((agent, text) => onMessage({ agent, text }))
  const lists = createLists((agent) => {
    const observed = observer.agents.get(agent)
    if (observed && detector.stream) options.onList(observed, detector.stream.agentType)
  })
  let held: string[] | undefined = []
  let heldLength = 0

  const plain = (line: string): void => onMessage({ agent: "main", text: sanitisePrinted(line) })

  const take = (signal: Signal): void => {
    if (signal.type === "message") {
      if (signal.tool === undefined) words.add(signal.agent, signal.text, signal.isPart === true)
      else {
        words.end()
        onMessage({ agent: signal.agent, tool: sanitise(signal.tool), text: sanitise(signal.text) })
      }
      return
    }
    if (signal.type === "activity") {
      if (signal.kind !== "text") words.end()
      observer.take(signal)
      onActivity(signal.agent, signal.kind)
      return
    }
    for (const agent of observer.take(signal)) {
      words.end()
      const event = detector.stream && eventOf(agent, detector.stream.agentType, sessionOf(agent))
      if (event) onEvent(event)
      lists.changed(agent.agent, JSON.stringify(agent.plan?.todos ?? []))
    }
    lists.saw(signal)
  }

  /** What a line says belongs together. */
  const takeAll = (signals: readonly Signal[]): void => {
    signals.forEach(take)
    lists.settle()
  }

  const sessionOf = (agent?: ObservedAgent): string | undefined =>
    observer.agents.get("main")?.about.session ?? agent?.about.session

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
    const isText = signals.some(isMalformed) && !looksLikeData(line)
    if (isText) plain(line)
    else takeAll(signals)
  }

  const splitter = createLineSplitter({
    onLine: (line) => (detector.stream ? readKnown(line) : readUnknown(line)),
    onSkipped: (length) => takeAll([{ type: "problem", problem: tooLong(length) }]),
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
      observer.end()
      lists.end()
    },
    get isRecognised() {
      return detector.isRecognised
    },
    get session() {
      return sessionOf()
    },
    get problems() {
      return observer.problems
    },
  }
}

const looksLikeData = (line: string): boolean => /^\uFEFF?\s*(?:data:\s*)?\{/.test(line)

const isMalformed = (signal: Signal): boolean => signal.type === "problem" && signal.problem.code === "malformed-line"

const tooLong = (length: number): Problem =>
  warning("long-line", `A line of ${Math.ceil(length / (1 << 20))} MB is too long and was skipped.`)

/** Reports a list when it has changed and none of its agent's calls still waits for a result. */
const createLists = (onSettled: (agent: string) => void) => {
  const waiting = new Map<string, string>()
  const latest = new Map<string, string>()
  const reported = new Map<string, string>()

  const settle = (): void => {
    if (latest.size === 0) return
    const busy = new Set(waiting.values())
    for (const [agent, list] of latest) {
      if (busy.has(agent)) continue
      latest.delete(agent)
      if (list === (reported.get(agent) ?? "[]")) continue
      reported.set(agent, list)
      onSettled(agent)
    }
  }

  return {
    settle,
    changed: (agent: string, list: string): void => void latest.set(agent, list),
    saw(signal: Signal): void {
      if (signal.type === "call") waiting.set(signal.call.callId, signal.agent)
      if (signal.type === "result") waiting.delete(signal.callId)
    },
    end(): void {
      waiting.clear()
      settle()
    },
  }
}

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
