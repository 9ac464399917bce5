/** Damaged lines of every format an agent writes. */

import { setImmediate as nextTurn } from "node:timers/promises"
import { streamIds } from "../../test/agents/loaded.ts"
import { surviveDamage } from "../../test/streams/mutations.ts"
import type { Attack } from "./attack.ts"

export const damagedStreams: Attack = {
  id: "damaged-streams",
  about: "damaged lines of any format are survived, and the good line after them is read",
  rounds: { short: 8, full: 1000 },
  async run({ progress }, rounds) {
    const broken: string[] = []
    for (const id of streamIds) {
      progress(id)
      await nextTurn()
      try {
        surviveDamage(id, rounds, ({ type, items }) => type === "todo_list" && items.every(({ text }) => text !== ""))
      } catch (cause) {
        broken.push(`${id}: ${(cause as Error).message.slice(0, 2000)}`)
      }
    }
    return { tried: `${rounds} damaged streams of each of ${streamIds.length} formats`, broken }
  },
}
