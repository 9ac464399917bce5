/** Plays the recordings against a clock: every line when it was printed, and what is said about it in between. */
import type { Clock } from "./clock.ts"
import { type Recording, recordings } from "./recordings.ts"
import type { DemoSource } from "./source.ts"
import { type Moment, moments } from "./story.ts"

export type PlayOptions = {
  clock: Clock
  source: DemoSource
  signal?: AbortSignal
  onMoment?: (moment: Moment) => void
  /** An agent was told about a person's edits, with this text. */
  onTold?: (agent: string, words: string) => void
}

/** Plays on, up to a second of the recordings: whatever happens before it has then happened. */
export type Play = (second: number) => Promise<void>

export const createPlay = ({ clock, source, signal, onMoment, onTold }: PlayOptions): Play => {
  const pass = async (moment: Moment): Promise<void> => {
    const { agent, edit } = moment
    const [session] = agent && edit ? source.agentsOf(agent) : []
    if (edit && session) {
      const after = session.plan?.todos.find(({ content }) => content === edit.after)?.id
      await source.editAs({ kind: "person", id: edit.by }, session.key, { kind: "add", content: edit.add, after })
    }
    onMoment?.(moment)
  }

  const print = async (recording: Recording, text: string): Promise<void> => {
    for (const words of await source.push(recording, text)) onTold?.(recording.name, words)
  }

  const steps = [
    ...recordings.flatMap((recording) =>
      recording.lines.map(({ at, text }) => ({ at, take: () => print(recording, text) })),
    ),
    ...moments.map((moment) => ({ at: moment.at, take: () => pass(moment) })),
  ].toSorted((one, other) => one.at - other.at)

  let next = 0
  return async (second) => {
    for (let step = steps[next]; step && step.at < second; step = steps[next]) {
      await clock.until(step.at, signal)
      next += 1
      await step.take()
    }
  }
}
