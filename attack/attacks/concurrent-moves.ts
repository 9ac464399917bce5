/** Many processes move one plan at once, to the same session and to different ones, while others write to it. */
import { spawn } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { bundle } from "../../test/stores/faults.ts"
import { checkHome } from "../home-check.ts"
import { ended } from "../machine.ts"
import type { Attack } from "./attack.ts"

const processes = 6
const writes = 5

export const concurrentMoves: Attack = {
  id: "concurrent-moves",
  about: "plans moved by several processes at once, while others write to them, lose no todo and double none",
  rounds: { short: 2, full: 12 },
  async run({ folder, progress }, rounds) {
    const program = await bundle("../../attack/mover.ts", folder)
    const broken: string[] = []
    let acknowledged = 0
    for (let round = 0; round < rounds; round += 1) {
      const home = mkdtempSync(join(folder, "home-"))
      const isSame = round % 2 === 0
      const children = Array.from({ length: processes }, (_, index) => {
        const role = index % 2 === 0 ? "write" : "move"
        const target = isSame ? "target" : `target-${index}`
        const words = [program, home, role, `p${index}`, target, String(writes)]
        return ended(spawn(process.execPath, words), words.slice(2))
      })
      const results = await Promise.all(children)
      for (const { words, code, err } of results) {
        if (code !== 0) broken.push(`round ${round}: ${words.join(" ")} ends with ${code}: ${err}`)
      }
      const contents = results.flatMap(({ out }) => out.split("\n").filter(Boolean))
      acknowledged += contents.length
      const { broken: found, plans } = await checkHome(home)
      broken.push(...found.map((line) => `round ${round}: ${line}`))
      const everywhere = new Set(plans.flatMap(({ plan }) => plan.todos.map(({ content }) => content)))
      broken.push(...contents.filter((one) => !everywhere.has(one)).map((one) => `round ${round}: ${one} is lost`))
      for (const { session, plan } of plans) {
        const contents = plan.todos.map(({ content }) => content)
        const doubled = contents.filter((one, index) => contents.indexOf(one) !== index)
        if (doubled.length > 0)
          broken.push(`round ${round}: ${session} has ${doubled.length} todos twice: ${doubled[0]}`)
      }
      progress(`${round} of ${rounds}`)
    }
    const tried = `${rounds} × ${processes} processes, ${acknowledged} todos acknowledged, to one session and to several`
    return { tried, broken }
  },
}
