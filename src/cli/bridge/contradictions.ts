/**
 * The todos of a session that are marked done although its last check failed, read from the transcript named by its
 * hook.
 */
import { statSync } from "node:fs"
import type { Contradiction } from "../../guidance/contradicted.ts"
import { foreignChunks } from "../../home/reading/foreign-file.ts"
import { evidenceIn } from "../../sessions/evidence/read-evidence.ts"
import { contradictionsOf } from "../check/contradictions-of.ts"

/** In bytes: an agent waits for its hook, and a longer transcript would take too long to read. */
const longest = 8 << 20

/** None where the transcript cannot be read in a moment. */
export const contradictionsIn = async (path: string, agentType: string): Promise<Contradiction[]> => {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > longest) return []
    const { evidence } = await evidenceIn([foreignChunks(path)], agentType)
    return contradictionsOf(evidence)
  } catch {
    return []
  }
}
