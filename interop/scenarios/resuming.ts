/** A session that is taken up again by another process has its plan. */
import type { Client } from "../clients/client.ts"
import type { Stage } from "../stage.ts"
import { askingTurn, endedWell, type Fact, ownCall, ownList, type Scenario, timesIn, wordsOf } from "./scenario.ts"

export const resuming: Scenario = {
  id: "resuming",
  about: "the plan in a resumed session",
  acts: (client) => [
    {
      turns: [
        { calls: [ownCall(client, { todos: ownList })] },
        askingTurn,
        ...(client.otherCall ? [] : [{ calls: [ownCall(client, {})] }]),
        askingTurn,
      ],
      play: async (stage) => {
        const first = await stage.converse(["Do the work."])
        const second = await stage.converse(["Go on."], { isResumed: true })
        return [endedWell(first), endedWell(second), givenBack(client, stage)]
      },
    },
  ],
}

/** Through a hook before the model says a word; without hooks when it asks for the list. */
const givenBack = ({ otherCall }: Client, stage: Stage): Fact => {
  const requests = stage.requests()
  const words = wordsOf(requests.at(-1))
  const lines = ["#1 [in_progress] Read the notes", "#2 [pending] Write the report"]
  return {
    what: otherCall ? "a resumed session is told its plan" : "a resumed session can read its plan",
    ok: lines.every((line) => timesIn(words, line) === 1),
    seen: otherCall ? (/paused/.test(words) ? "paused until it is wanted" : "not paused") : "with our tool",
  }
}
