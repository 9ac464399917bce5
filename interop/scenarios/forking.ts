/** A session that is forked begins with a copy of the plan, under the same ids, and does not touch the one it came from. */
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

export const forking: Scenario = {
  id: "forking",
  about: "a forked session",
  acts: (client) =>
    client.forking === undefined
      ? []
      : [
          {
            turns: [
              { calls: [ownCall(client, { todos: ownList })] },
              askingTurn,
              { calls: [ownCall(client, { todos: [{ id: "2", status: "in_progress" }] })] },
              { calls: [ownCall(client, { todos: [{ content: "Another way" }], replace: true })] },
              askingTurn,
            ],
            play: async (stage) => {
              const first = await stage.converse(["Do the work."])
              const parent = listedSessions(stage)[0]?.session ?? ""
              const second = await stage.converse(["Try it another way."], { args: client.forking?.(parent) ?? [] })
              const fork = listedSessions(stage).find(({ session }) => session !== parent)?.session ?? ""
              return [
                endedWell(first),
                endedWell(second),
                knowsIds(stage),
                sameList("the plan it was forked from stays as it was", shownPlan(stage, parent), [
                  "in_progress Read the notes",
                  "pending Write the report",
                ]),
                sameList("the fork has its own", shownPlan(stage, fork), ["pending Another way"]),
                sameList(
                  "there is one row for each",
                  listedSessions(stage).map(({ todos }) => String(todos)),
                  ["1", "2"],
                ),
              ]
            },
          },
        ],
}

const knowsIds = (stage: Stage): Fact => {
  const words = wordsOf(stage.requests()[3])
  const isKnown = /2 in_progress: Write the report/.test(words) && !/There is no todo/.test(words)
  return { what: "the fork's first call finds the todo it names", ok: isKnown, seen: isKnown ? "" : words.slice(-300) }
}
