/** `headway hook`, killed at random moments, and the same event sent again as an agent's next try. */

import { checkHome } from "../home-check.ts"
import { createMachine, misconductOf } from "../machine.ts"
import { afterNext, killOften, killSummary, notOnce, runningChild, writtenFolders } from "./_kill.ts"
import type { Attack } from "./attack.ts"

export const killHook: Attack = {
  id: "kill-hook",
  about: "a killed hook loses no list it had taken, and the same event sent again is applied once",
  rounds: { short: 2, full: 50 },
  async run(stage, rounds) {
    const machine = createMachine(stage.folder)
    const acknowledged = new Set<string>()
    const event = (round: number): string =>
      JSON.stringify({
        session_id: "s",
        cwd: machine.project,
        hook_event_name: "PostToolUse",
        tool_name: "TodoWrite",
        tool_use_id: callOf(round),
        // Each list keeps what stood in those before.
        tool_input: {
          todos: Array.from({ length: round + 1 }, (_, index) => ({
            content: `Todo of round ${index}`,
            activeForm: `Doing todo ${index}`,
            status: index < round ? "completed" : "in_progress",
          })),
        },
      })
    const kills = await killOften(stage, {
      rounds,
      folders: writtenFolders(machine.headwayHome),
      start: (round) => {
        const child = machine.start(["hook", "claude-code"])
        child.stdin?.end(event(round))
        return runningChild(child)
      },
      after: async (round, isDone) => {
        acknowledged.add(callOf(round))
        const again = isDone
          ? []
          : misconductOf(await machine.headway(["hook", "claude-code"], { input: event(round) }))
        return [...again, ...(await afterNext(machine, ["show", "--session", "s"]))]
      },
    })
    const { plans } = await checkHome(machine.headwayHome)
    const calls = plans.flatMap(({ entries }) => entries.flatMap(({ via }) => via?.callId?.split(" ")[0] ?? []))
    const todos = plans.flatMap(({ plan }) => plan.todos.map(({ content }) => content))
    const lost = todos.length === rounds + 1 ? [] : [`the plan has ${todos.length} todos instead of ${rounds + 1}`]
    return {
      tried: killSummary(kills, "hook claude-code"),
      broken: [...kills.broken, ...notOnce(acknowledged, calls), ...lost],
    }
  },
}

const callOf = (round: number): string => `call-${round}`
