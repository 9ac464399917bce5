/** Many writers at once, and writers that are killed, on one plan of the library's own store. */
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { bundle, killWriters, writeTogether } from "../../test/stores/faults.ts"
import { sweepTogether } from "../../test/stores/together.ts"
import { createMachine } from "../machine.ts"
import type { Attack } from "./attack.ts"

export const storeFaults: Attack = {
  id: "store-faults",
  about:
    "processes that write to one plan at once, while gc removes plans, or are killed doing so, lose nothing that was acknowledged",
  // In `npm test` the same faults have tests of their own.
  rounds: { short: 0, full: 60 },
  async run({ folder, random, progress }, rounds) {
    if (rounds === 0) return { skipped: "test/stores/faults.test.ts tries this" }
    const program = await bundle("./writer.ts", folder)
    const fresh = (): string => mkdtempSync(join(folder, "home-"))
    const { headway } = createMachine(folder)
    const broken: string[] = []
    let together = 0
    for (const [kind, todos] of [
      ["add", 1],
      ["change", 1],
      ["change", 600],
    ] as const) {
      progress(`16 processes ${kind}`)
      const options = { home: fresh(), program, processes: 16, writes: Math.min(rounds, 40), kind, todos }
      await writeTogether(options).then(
        (count) => {
          together += count
        },
        (cause: Error) => broken.push(`16 processes that ${kind}: ${cause.message}`),
      )
    }
    progress("writers against gc")
    const sweeping = await bundle("./sweeping.ts", folder)
    const swept = await sweepTogether({ home: fresh(), program: sweeping, plans: 5 * rounds }).catch((cause: Error) => {
      broken.push(`writers against gc: ${cause.message}`)
      return undefined
    })
    const nextCommand = async (words: string[]): Promise<number> => (await headway(words)).code ?? -1
    const report = await killWriters({ home: fresh(), program, rounds, nextCommand, random }).catch((cause: Error) => {
      broken.push(`killed writers: ${cause.message}`)
      return undefined
    })
    const kills = `${rounds} × kill -9 with ${report?.acknowledged ?? 0} acknowledged, ${report?.tornLines ?? 0} torn lines`
    const plans = `3 writers against 2 gc on ${5 * rounds} plans, ${swept?.kept ?? 0} kept at the last moment`
    return { tried: `3 × 16 processes with ${together} writes acknowledged, ${plans}, ${kills}`, broken }
  },
}
