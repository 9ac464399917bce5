/**
 * The evidence for the done todos of one plan, for commands that show it: only what is cheap, unless more is requested.
 */
import { type Brief, marksOf, planFailures, type Verified } from "../../evidence/index.ts"
import { planCheckSentence } from "../../evidence/sentences.ts"
import type { Entry } from "../../plan/event.ts"
import { evidenceCacheIn, evidencePlace } from "../../sessions/evidence/evidence-cache.ts"
import type { DoneMarks } from "../../views/plan/evidence-marks.ts"
import type { Shown } from "../choose/shown-plan.ts"
import type { Context } from "../command.ts"
import { homeOf, type RootedContext } from "../place/place.ts"

/** In bytes, of all files of a session: reading them takes no longer than starting does. */
const mostRead = 2 << 20

export type ShownMarks = {
  marks: DoneMarks
  /** The checks of the whole plan that fail on the current files, each as a sentence. */
  failures: readonly string[]
}

/** Undefined where nothing is known without reading much. `entries` are the log of a plan of which something was checked. */
export const marksOfShown = async (
  context: RootedContext,
  shown: Shown,
  entries: readonly Entry[],
): Promise<ShownMarks | undefined> => {
  const { plan, key } = shown
  const brief = await briefOfShown(context, shown)
  const checks = entries.length > 0 ? await checksIn(context, shown, entries) : []
  if (!brief && checks.length === 0) return undefined
  return {
    marks: marksOf(plan.todos, { brief, agent: key.agent, checks }),
    failures: planFailures(checks).map(planCheckSentence),
  }
}

/** The same from the cache alone, if it is still valid: the session is not read. */
export const keptMarks = (
  home: string,
  path: string,
  { plan, agent }: { plan: Shown["plan"]; agent: string },
): DoneMarks | undefined => {
  const brief = evidenceCacheIn(home).load(path)
  return brief && marksOf(plan.todos, { brief, agent, checks: [] })
}

/** From its own file only: to find those of sub-agents, all sessions would have to be read. */
const briefOfShown = async (context: RootedContext, { seen }: Shown): Promise<Brief | undefined> => {
  if (!seen) return undefined
  const cache = context.values.root === undefined ? evidenceCacheIn(homeOf(context)) : undefined
  const kept = cache?.load(evidencePlace(seen))
  if (kept) return kept
  const { createGrowingEvidence } = await import("../../sessions/evidence/growing-evidence.ts")
  return createGrowingEvidence({ cache, most: mostRead })
    .read(seen, [])
    .catch(() => undefined)
}

const checksIn = async (context: Context, shown: Shown, entries: readonly Entry[]): Promise<readonly Verified[]> => {
  const { verifiedIn } = await import("./plan-evidence.ts")
  const { sessionFolderOf } = await import("./session-folder.ts")
  return verifiedIn(context, { plan: shown.plan, entries, at: sessionFolderOf(context, shown) })
}
