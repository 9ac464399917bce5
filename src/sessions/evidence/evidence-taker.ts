/** Collects the signals of one session as evidence, line by line. */
import { assess, createTimeline, type Evidence } from "../../evidence/index.ts"
import type { EvidenceTaker } from "../../streams/event-reader.ts"
import { createObserver } from "../../streams/observe.ts"
import type { Signal } from "../../streams/stream.ts"

export type SessionEvidence = EvidenceTaker & {
  evidence(): Evidence
  /** Whether a todo list was seen. */
  readonly hasList: boolean
}

export const createEvidenceTaker = (): SessionEvidence => {
  const observer = createObserver()
  const timeline = createTimeline()

  const takeLists = (signal: Signal, line: number): void => {
    const changed = observer.take(signal)
    if (signal.type === "result" && !signal.ok) timeline.takeBack(signal.callId)
    if (signal.type === "rewound") for (const callId of signal.callIds) timeline.takeBack(callId)
    for (const { agent, plan, lastCall } of changed) {
      timeline.list(agent, plan, { line, at: lastCall?.at, callId: lastCall?.callId })
    }
  }

  /** If a stream has no main agent, the first agent, named by its session, is the main one. */
  const mainAgent = (): string | undefined => {
    const [first] = observer.agents.keys()
    return observer.agents.has("main") ? "main" : first
  }

  const evidence = (): Evidence => {
    const main = mainAgent()
    return assess(timeline, { main, session: main === "main" ? observer.agents.get(main)?.about.session : main })
  }

  return {
    take(signal, line) {
      if (signal.type === "work" || signal.type === "work-result") {
        timeline.work(signal, line)
        return
      }
      if (signal.type === "session" && signal.project !== undefined) timeline.worksIn(signal.project)
      if (signal.type === "session" && signal.agent !== undefined && signal.parent?.callId !== undefined)
        timeline.subAgent(signal.agent, signal.parent.callId)
      takeLists(signal, line)
    },
    evidence,
    wordsOf: (agent) =>
      new Map(
        evidence()
          .todos.filter((todo) => (todo.agent ?? mainAgent()) === agent)
          .map(({ id, word }) => [id, word]),
      ),
    get hasList() {
      return [...observer.agents.values()].some(({ plan }) => plan !== undefined)
    },
  }
}
