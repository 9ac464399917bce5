/** Two sessions at once in one project, and a later one: each has its own plan, and is told of no other. */
import type { Stage } from "../stage.ts"
import {
  askingTurn,
  endedWell,
  type Fact,
  listedSessions,
  ownCall,
  ownList,
  type Scenario,
  sameList,
  shownPlan,
  wordsOf,
} from "./scenario.ts"

const cake = { content: "Bake a cake", status: "in_progress" }

export const twins: Scenario = {
  id: "twins",
  about: "two sessions at once",
  acts: (client) => [
    {
      turns: [
        askingTurn,
        { calls: [ownCall(client, { todos: ownList })] },
        { calls: [ownCall(client, { todos: [{ id: "1", status: "completed" }] })] },
        askingTurn,
        { calls: [ownCall(client, {})] },
        { text: "I am done." },
      ],
      delegated: {
        task: "Prepare the party.",
        turns: [
          { calls: [ownCall(client, { todos: [cake] })] },
          { calls: [ownCall(client, { todos: [{ content: "Buy candles" }] })] },
          askingTurn,
        ],
      },
      play: async (stage) => {
        // Some lay out their folder at their first start, and not twice at once.
        const first = await stage.converse(["Hello."])
        const both = await Promise.all([stage.converse(["Do the work."]), stage.converse(["Prepare the party."])])
        const begun = listedSessions(stage).filter(({ todos }) => todos > 0)
        const lists = begun.map(({ session }) => shownPlan(stage, session).join(", ")).toSorted()
        const later = await stage.converse(["What is two and two?"])
        return [
          ...[first, ...both].map(endedWell),
          sameList("two sessions at once have one row and one plan each", lists, [
            "completed Read the notes, pending Write the report",
            "in_progress Bake a cake, pending Buy candles",
          ]),
          endedWell(later),
          toldNothing(stage),
        ]
      },
    },
  ],
}

const toldNothing = (stage: Stage): Fact => {
  const requests = stage.requests().slice(4)
  const mention = requests.map(wordsOf).find((words) => /Write the report|Bake a cake|still open/.test(words))
  return {
    what: "a later session is told of no other plan, and not sent back to one",
    ok: requests.length === 2 && mention === undefined,
    seen: mention === undefined ? (requests.length === 2 ? "" : `${requests.length} requests`) : mention.slice(-300),
  }
}
