/** The hostile suite in its short form; `npm run attack` does the same with full counts. */
import { expect, test } from "vitest"
import { attacks } from "../../attack/attacks/index.ts"
import { play } from "../../attack/play.ts"

/** Any number does; a failure says which, so that `npm run attack -- NAME --short --seed NUMBER` makes the same choices. */
const seed = Number(process.env.HEADWAY_ATTACK_SEED ?? Math.floor(Math.random() * 1e9))

for (const attack of attacks) {
  test(`${attack.id}: ${attack.about}`, { timeout: 120_000 }, async ({ skip }) => {
    const verdict = await play(attack, { size: "short", seed })
    if ("skipped" in verdict) return skip(verdict.skipped)
    expect(verdict.broken, `with seed ${seed}: ${verdict.tried}`).toEqual([])
  })
}
