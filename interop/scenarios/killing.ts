/**
 * The client is killed in the middle of a turn and taken up again: nothing of the plan is lost, and it continues in the
 * same one.
 */
import {
  askingTurn,
  endedWell,
  listedSessions,
  ownCall,
  ownList,
  type Scenario,
  sameList,
  shownPlan,
  statesOf,
} from "./scenario.ts"

export const killing: Scenario = {
  id: "killing",
  about: "killed in the middle of a turn, then resumed",
  acts: (client) => [
    {
      turns: [
        { calls: [ownCall(client, { todos: ownList })] },
        { calls: [ownCall(client, { todos: [{ id: "1", status: "completed" }] })] },
        { text: "This is never heard.", hang: 0 },
        { calls: [ownCall(client, { todos: [{ id: "2", status: "in_progress" }] })] },
        askingTurn,
      ],
      play: async (stage) => {
        await stage.converse(["Do the work."], { endWith: { signal: "SIGKILL", afterRequests: 3 } })
        const left = shownPlan(stage)
        const states = statesOf(stage)
        const resumed = await stage.converse(["Go on."], { isResumed: true })
        const rows = listedSessions(stage).filter(({ todos }) => todos > 0)
        return [
          sameList("nothing of the plan is lost", left, ["completed Read the notes", "pending Write the report"]),
          {
            what: "no session is at work after it",
            ok: states.length > 0 && !states.includes("working"),
            seen: states.join(", "),
          },
          endedWell(resumed),
          sameList("the resumed session goes on in the same plan", shownPlan(stage), [
            "completed Read the notes",
            "in_progress Write the report",
          ]),
          { what: "there is one row for it", ok: rows.length === 1, seen: `${rows.length} rows` },
        ]
      },
    },
  ],
}
