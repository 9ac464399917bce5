/** Removes plans that match a condition, each only if nothing was written to it since the check. */
import { isHeadwayError, messageOf, type Problem, warning } from "../../plan/index.ts"
import type { PlanKey, PlanSummary, Store } from "../store.ts"
import type { Database } from "./database.ts"
import { keyDigest } from "./keys.ts"
import type { Place } from "./log.ts"
import type { ListedPlan, Summaries } from "./summaries.ts"

export type SweepOptions = {
  condition: Parameters<Store["sweep"]>[0]
  summaries: Pick<Summaries, "read">
  /** Waits for this process's own writes to a plan. */
  whenWritten: (key: PlanKey) => Promise<void>
  removed: (key: PlanKey) => void
}

export const positionOf = ({ log, seq }: Place): string => `${log}/${seq}`

export const sweepPlans = async (
  { query, schema, address }: Database,
  { condition, summaries, whenWritten, removed }: SweepOptions,
): ReturnType<Store["sweep"]> => {
  const isHeld = ({ summary, place }: ListedPlan): boolean => condition(summary, positionOf(place))
  const swept: { removed: PlanSummary[]; problems: Problem[] } = { removed: [], problems: [] }
  const { listed, problems } = await summaries.read()
  swept.problems.push(...problems)
  for (const { summary } of listed.filter(isHeld)) {
    const key: PlanKey = { session: summary.session, agent: summary.agent }
    try {
      await whenWritten(key)
      const now = (await summaries.read({ session: key.session })).listed.find((one) => one.summary.agent === key.agent)
      if (!now || !isHeld(now)) continue
      await whenWritten(key)
      const values = [keyDigest(key), now.place.log, now.place.seq]
      const [row] = await query(`select ${schema}.remove_plan($1::uuid, $2::bigint, $3::bigint) as done`, values)
      if (row?.done) {
        removed(key)
        swept.removed.push(now.summary)
      } else
        swept.problems.push(warning("kept", `A plan in ${address.name} was kept: it was written to in the meantime.`))
    } catch (cause) {
      if (isHeadwayError(cause) && cause.code === "read-only") throw cause
      swept.problems.push(warning("not-removed", `A plan in ${address.name} could not be removed: ${messageOf(cause)}`))
    }
  }
  if (swept.removed.length > 0) await query(`select ${schema}.tidy()`).catch(() => {})
  return swept
}
