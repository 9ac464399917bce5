/** `headway todo add`, killed at random moments. */

import { checkHome } from "../home-check.ts"
import { createMachine } from "../machine.ts"
import { afterNext, killOften, killSummary, notOnce, runningChild, writtenFolders } from "./_kill.ts"
import type { Attack } from "./attack.ts"

export const killTodo: Attack = {
  id: "kill-todo",
  about: "a killed todo add loses nothing that was acknowledged and leaves nothing behind",
  rounds: { short: 2, full: 50 },
  async run(stage, rounds) {
    const machine = createMachine(stage.folder)
    const acknowledged = new Set<string>()
    const kills = await killOften(stage, {
      rounds,
      folders: writtenFolders(machine.headwayHome),
      start: (round) => {
        const child = machine.start(["todo", "add", `Todo of round ${round}`, "--new", "--session", "s"])
        child.stdin?.end()
        return runningChild(child)
      },
      after: async (round, isDone) => {
        if (isDone) acknowledged.add(`Todo of round ${round}`)
        return afterNext(machine, ["show", "--session", "s"])
      },
    })
    const { plans } = await checkHome(machine.headwayHome)
    const there = plans.flatMap(({ plan }) => plan.todos.map(({ content }) => content))
    return { tried: killSummary(kills, "todo add"), broken: [...kills.broken, ...notOnce(acknowledged, there)] }
  },
}
