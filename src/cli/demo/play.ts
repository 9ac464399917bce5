/** Plays the recordings against a clock: every line when it was printed, and what is said about it in between. */
import type { Clock } from "./clock.ts"
import { recordings } from "./recordings.ts"
import type { DemoSource } from "./source.ts"
import { type Moment, moments } from "./story.ts"

export type PlayOptions = {
  clock: Clock
  source: DemoSource
  signal?: AbortSignal
  onMoment?: (moment: Moment) => void
  /** An agent was told of a person's edits, in these words. */
  onTold?: (agent: string, words: string) => void
}

/** `begin` brings everything to the moment somebody comes to look; `rest` plays from there to the end. */
export const createPlay = ({ clock, source, signal, onMoment, onTold }: PlayOptions) => {
  const steps = recordings
    .flatMap((recording) =>
      recording.lines.map(({ at, text }) => ({
        at,
        do: async () => {
          for (const words of await source.push(recording, text)) onTold?.(recording.name, words)
        },
      })),
    )
    .concat(moments.map((moment) => ({ at: moment.at, do: () => pass(moment) })))
    .toSorted((one, other) => one.at - other.at)

  const pass = async (moment: Moment): Promise<void> => {
    const { agent, edit } = moment
    const [session] = agent && edit ? source.agentsOf(agent) : []
    if (edit && session) {
      const after = session.plan?.todos.find(({ content }) => content === edit.after)?.id
      await source.editAs({ kind: "person", id: edit.by }, session.key, { kind: "add", content: edit.add, after })
    }
    onMoment?.(moment)
  }

  const run = async (part: typeof steps): Promise<void> => {
    for (const step of part) {
      await clock.until(step.at, signal)
      await step.do()
    }
  }

  return {
    begin: () => run(steps.filter(({ at }) => at < 0)),
    rest: () => run(steps.filter(({ at }) => at >= 0)),
  }
}
