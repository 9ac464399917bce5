/** The agent's own list, switched on by set-up, is recorded through its hooks. */
import { nativeList } from "../clients/client.ts"
import { askingTurn, endedWell, type Scenario, sameList, shownPlan } from "./scenario.ts"

export const native: Scenario = {
  id: "native",
  acts: ({ natives = [] }) =>
    natives.map(({ tool, turns, isAllPending = false, isThere = false, args = [], env = {} }) => ({
      turns: [...turns, askingTurn],
      setup: isThere ? [] : ["--native", "on"],
      play: async (stage) => {
        const ran = await stage.converse(["Do the work."], { args, env })
        // Its lines are broken where they are long.
        const out = stage.headway("history").out.replace(/\s+/g, " ")
        const wanted = nativeList.map(({ content, status }) => `${isAllPending ? "pending" : status} ${content}`)
        return [
          endedWell(ran),
          sameList(`its own list, kept with ${tool}, is in headway show`, shownPlan(stage), wanted),
          {
            what: `history names ${tool}`,
            ok: out.includes(`through ${tool} (`),
            seen: [...new Set(out.match(/through \w+ \([\w-]+\)/g))].join(", "),
          },
        ]
      },
    })),
}
