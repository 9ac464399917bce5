/** The end of a turn is seen within five seconds: one that came to its end, one that was interrupted, one whose process was killed. */
import { setTimeout as pause } from "node:timers/promises"
import type { Stage } from "../stage.ts"
import { askingTurn, endedWell, type Fact, ownCall, ownList, type Scenario } from "./scenario.ts"

export const ending: Scenario = {
  id: "ending",
  about: "the end of a turn, seen within 5 s",
  acts: (client) => [
    {
      turns: [{ calls: [ownCall(client, { todos: ownList })] }, askingTurn],
      play: async (stage) => [endedWell(await stage.converse(["Do the work."])), await notWorking(stage, "by itself")],
    },
    ...(["SIGINT", "SIGKILL"] as const).map((signal) => ({
      turns: [{ calls: [ownCall(client, { todos: ownList })] }, { text: "This is never heard.", hang: 0 }],
      play: async (stage: Stage): Promise<Fact[]> => {
        await stage.converse(["Do the work."], { endWith: { signal, afterRequests: 2 } })
        return [await notWorking(stage, `with ${signal}`)]
      },
    })),
  ],
}

const limit = 5_000

/** Looks until no session is at work, or the time is over. */
const notWorking = async (stage: Stage, how: string): Promise<Fact> => {
  const began = performance.now()
  const what = `five seconds after it ended ${how} it is not at work any more`
  for (;;) {
    const { out } = stage.headway("list", "--json")
    const sessions = JSON.parse(out || "[]") as { session: string; state: string }[]
    const states = sessions.map(({ session, state }) => `${session.slice(0, 12)} ${state}`)
    const passed = performance.now() - began
    const isOver = sessions.length > 0 && sessions.every(({ state }) => state !== "working")
    if (isOver || passed > limit)
      return { what, ok: isOver, seen: `${states.join(", ") || "no session"} after ${Math.round(passed)} ms` }
    await pause(250)
  }
}
