/** The board in a real terminal, killed at random moments while todos are typed into it. */
import { headwayIn } from "../../test/terminal.ts"
import { checkHome } from "../home-check.ts"
import { createMachine } from "../machine.ts"
import { below } from "../random.ts"
import { afterNext, killOften, killSummary, notOnce, writtenFolders } from "./_kill.ts"
import type { Attack } from "./attack.ts"

/** Milliseconds in which a line that was ended becomes a todo. */
const oneEdit = 40

/** The modes of a terminal cannot be given back after `kill -9`; that is the shell's to do, and is not looked at here. */
export const killBoard: Attack = {
  id: "kill-board",
  about: "a killed board loses no edit it had shown",
  rounds: { short: 1, full: 50 },
  async run({ random, ...stage }, rounds) {
    const machine = createMachine(stage.folder)
    const first = await machine.headway(["todo", "add", "Begin", "--new", "--session", "s"])
    if (first.code !== 0) throw new Error(first.err)
    const acknowledged: string[] = ["Begin"]
    const kills = await killOften(
      { random, ...stage },
      {
        rounds: rounds - 1,
        folders: writtenFolders(machine.headwayHome),
        start: async (round) => {
          const env = { ...machine.env, TERM: "xterm-256color" }
          const board = headwayIn(["--own"], { cwd: machine.project, env, columns: 120, rows: 30 })
          await board.waitFor("q quit")
          board.type("\r")
          await board.waitFor("esc back")
          for (let number = below(random, 2); number >= 0; number -= 1) {
            const content = `Edit ${number} of round ${round}`
            board.type(`a${content}\r`)
            await board.waitFor(`○ ${content}`)
            acknowledged.push(content)
          }
          board.type(`aHalf an edit of round ${round}\r`)
          return { kill: () => board.kill("SIGKILL"), ended: board.exited.then(() => null), span: oneEdit }
        },
        after: () => afterNext(machine, ["show", "--session", "s"]),
      },
    )
    const { plans } = await checkHome(machine.headwayHome)
    const there = plans.flatMap(({ plan }) => plan.todos.map(({ content }) => content))
    return {
      tried: `${killSummary(kills, "board")}, ${acknowledged.length} edits shown`,
      broken: [...kills.broken, ...notOnce(acknowledged, there)],
    }
  },
}
