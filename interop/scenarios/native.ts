/** The agent's own list, switched on by set-up, is recorded through its hooks or read from its files. */
import type { NativeTodo } from "../clients/client.ts"
import type { Stage } from "../stage.ts"
import { askingTurn, endedWell, type Fact, listedSessions, type Scenario, sameList, shownPlan } from "./scenario.ts"

/** The list every native tool is made to say. */
const list: readonly NativeTodo[] = [
  { content: "Read the notes", status: "in_progress" },
  { content: "Write the report", status: "pending" },
]

export const native: Scenario = {
  id: "native",
  about: "its own list is recorded",
  acts: ({ natives }) =>
    natives.map(({ tool, turns, onlyPending, isThere = false, isObserved = false, args = [], env = {} }) => ({
      turns: [...turns(list), askingTurn],
      setup: isThere ? [] : ["--native", "on"],
      play: async (stage) => {
        const ran = await stage.converse(["Do the work."], { args, env })
        const session = listedSessions(stage)[0]?.session ?? ""
        const wanted = list.map(({ content, status }) => `${onlyPending ? "pending" : status} ${content}`)
        return [
          endedWell(ran),
          sameList(`its own list, kept with ${tool}, is in headway show`, shownPlan(stage, session), wanted),
          ...(isObserved ? [] : [recorded(stage, session, tool)]),
        ]
      },
    })),
}

const recorded = (stage: Stage, session: string, tool: string): Fact => {
  // Its lines are broken where they are long.
  const out = stage.headway("history", "--session", session).out.replace(/\s+/g, " ")
  return {
    what: `history names ${tool}`,
    ok: out.includes(`through ${tool} (`),
    seen: [...new Set(out.match(/through \w+ \([\w-]+\)/g))].join(", "),
  }
}
