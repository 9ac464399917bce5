/** A recorded agent, observed like any agent: bytes become lines, signals and lists, which its plans mirror. */

import type { Actor } from "../../plan/index.ts"
import type { Store } from "../../stores/store.ts"
import { createLineSplitter } from "../../streams/lines.ts"
import { createObserver, type ObservedAgent } from "../../streams/observe.ts"
import type { Signal } from "../../streams/stream.ts"
import { openTracker } from "../../tracker/open-tracker.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { Recording } from "./recordings.ts"

/** One agent of the recording: the main one or a sub-agent. */
export type Watched = {
  recording: Recording
  tracker: Tracker
  seen: ObservedAgent
  /** When anything of it was last seen, in ISO form. */
  updated: string
}

export type Watch = {
  /** By agent, in the order they were first seen. */
  readonly agents: ReadonlyMap<string, Watched>
  /** Takes what the agent printed next. Returns what agents were told about a person's edits. */
  push(bytes: Uint8Array): Promise<readonly string[]>
}

export type WatchOptions = {
  store: Store
  now: () => Date
  /** Whose edits the recorded agent was told about. */
  isToldOf: (by: Actor) => boolean
}

export const watchRecording = (recording: Recording, { store, now, isToldOf }: WatchOptions): Watch => {
  const agents = new Map<string, Watched>()
  const observer = createObserver()
  const reader = recording.stream.open()
  let signals: Signal[] = []
  const splitter = createLineSplitter({ onLine: (line) => signals.push(...reader.read(line)) })
  let mirrored = 0

  const agentOf = async (found: ObservedAgent): Promise<Watched> => {
    const known = agents.get(found.agent)
    if (known) return known
    const { agentType, project } = recording
    const session = observer.agents.get("main")?.about.session ?? recording.name
    const parent = found.about.parent && { parent: { agent: found.about.parent.agent } }
    const tracker = await openTracker({
      store,
      session,
      agent: found.agent,
      opened: { agentType, project, ...parent },
      now,
    })
    const watched = { recording, tracker, seen: found, updated: now().toISOString() }
    agents.set(found.agent, watched)
    return watched
  }

  return {
    agents,
    async push(bytes) {
      signals = []
      splitter.push(bytes)
      const changed = new Set(signals.flatMap((signal) => observer.take(signal)))
      for (const found of observer.agents.values()) await agentOf(found)
      for (const found of changed) {
        const { tracker } = await agentOf(found)
        mirrored += 1
        const { todos, phases } = found.plan ?? { todos: [], phases: [] }
        await tracker.mirror({ todos, phases, callId: `list-${mirrored}` })
      }
      for (const signal of signals) {
        const watched = "agent" in signal ? agents.get(signal.agent ?? "main") : undefined
        if (watched) watched.updated = now().toISOString()
      }
      const notices: string[] = []
      for (const { tracker } of speakers(signals).flatMap((agent) => agents.get(agent) ?? [])) {
        if (![...tracker.ledger.untold.values()].some(({ by }) => isToldOf(by))) continue
        const words = await tracker.tellAgent()
        if (words !== undefined) notices.push(words)
      }
      return notices
    },
  }
}

/** Agents that have just used a tool: if Headway is connected, that is when they are told about edits. */
const speakers = (signals: readonly Signal[]): string[] => [
  ...new Set(
    signals.flatMap((signal) =>
      signal.type === "call" || (signal.type === "activity" && signal.kind === "tool" && !signal.isResult)
        ? [signal.agent]
        : [],
    ),
  ),
]
