/** `headway gc`: removes old finished plans, only when asked. */
import { HeadwayError } from "../../plan/headway-error.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { PlanSummary } from "../../stores/store.ts"
import { reporter } from "../choose/plans.ts"
import { namedSessionId } from "../choose/target.ts"
import { defineCommand } from "../command.ts"
import { ageText } from "../duration.ts"
import { printJson } from "../output/plan-json.ts"
import { storeOf } from "../place/place.ts"

export const gc = defineCommand({
  usage: "gc --older-than 30d [--dry-run] [--unfinished]",
  about:
    "Removes plans that are finished and have not changed for a while, with their history. Nothing else removes plans.",
  options: {
    "older-than": { type: "duration", value: "TIME", takesZero: true, about: "unchanged for this long: 30d, 12h, 45m" },
    "dry-run": { type: "boolean", about: "only say what would be removed" },
    unfinished: { type: "boolean", about: "also plans with work left" },
  },
  examples: ["headway gc --older-than 30d --dry-run", "headway gc --older-than 90d --unfinished"],
  async run(context) {
    const { io, values } = context
    const limit = values["older-than"]
    if (limit === undefined) throw new HeadwayError("usage", "gc needs --older-than, for example --older-than 30d.")
    const before = io.now().getTime() - limit
    const store = await storeOf(context)
    const { plans, problems } = await store.list()
    const asked = values.session ? await namedSessionId(context) : undefined
    const isAsked = ({ session, agent }: PlanSummary): boolean =>
      (asked === undefined || asked === session) && (values.agent === undefined || values.agent === agent)
    // An unreadable plan may have open work.
    const isOld = ({ updated, isFinished, unread = 0 }: PlanSummary): boolean =>
      Date.parse(updated) < before && ((isFinished && unread === 0) || values.unfinished === true)
    const isDue = (plan: PlanSummary): boolean => isAsked(plan) && isOld(plan)
    const swept = values["dry-run"] ? { removed: plans.filter(isDue), problems } : await store.sweep(isDue)
    const old = swept.removed
    swept.problems.forEach(reporter(context))
    if (values.json) {
      io.out(printJson(old))
      return 0
    }
    const verb = values["dry-run"] ? "would remove" : "removed"
    for (const { session, agent, progress, updated } of old) {
      io.out(
        `${verb} ${sanitise(session)} ${sanitise(agent)} (${progress.completed}/${progress.total}, ${ageText(updated, io.now())} old)\n`,
      )
    }
    io.err(`headway: ${verb} ${old.length} of ${plans.length} plans\n`)
    return 0
  },
})
