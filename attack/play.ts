/** Runs one attack in a folder of its own. An attack that could not be run counts as broken: nothing was proved. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Attack, Stage, Verdict } from "./attacks/attack.ts"
import { createRandom } from "./random.ts"

export type PlayOptions = {
  size: keyof Attack["rounds"]
  seed: number
  progress?: Stage["progress"]
}

export const play = async (attack: Attack, { size, seed, progress = () => {} }: PlayOptions): Promise<Verdict> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `headway-attack-${attack.id}-`)))
  try {
    return await attack.run({ folder, random: createRandom(seed, attack.id), progress }, attack.rounds[size])
  } catch (cause) {
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    return { tried: attack.about, broken: [`the attack could not be carried out: ${why}`] }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
