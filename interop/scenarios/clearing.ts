/** A new conversation in the same process starts a plan of its own, and its hooks know it. */
import type { Stage } from "../stage.ts"
import {
  askingTurn,
  endedWell,
  type Fact,
  ownCall,
  ownList,
  type Scenario,
  sameList,
  shownPlan,
  timesIn,
  wordsOf,
} from "./scenario.ts"

export const clearing: Scenario = {
  id: "clearing",
  about: "a new conversation in the same process",
  acts: (client) =>
    client.clearing === undefined
      ? []
      : [
          {
            turns: [
              { calls: [ownCall(client, { todos: ownList })] },
              askingTurn,
              { calls: [ownCall(client, { todos: [{ content: "Bake a cake", status: "in_progress" }] })] },
              { text: "I am done." },
              askingTurn,
            ],
            play: async (stage) => [
              endedWell(await stage.converse(["Do the work.", client.clearing ?? "", "Something else."])),
              sameList("after clearing, a plan begins anew", shownPlan(stage), ["in_progress Bake a cake"]),
              heldBack(stage),
            ],
          },
        ],
}

const heldBack = (stage: Stage): Fact => {
  const words = wordsOf(stage.requests()[4])
  return {
    what: "stopping goes by the new plan",
    ok: timesIn(words, "Bake a cake") > 0 && /still open/.test(words) && timesIn(words, "Read the notes") === 0,
    seen: words === "" ? "it was let go" : "",
  }
}
