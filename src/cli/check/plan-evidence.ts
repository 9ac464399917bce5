/** The evidence of a plan: from its session's files, and from checks that Headway ran. */
import {
  type Evidence,
  evidenceOfPlan,
  evidenceOnPlan,
  type Verified,
  withPlaces,
  withTextsOf,
  withVerifications,
} from "../../evidence/index.ts"
import { type Entry, isFinished, type Ledger, type Plan, planInSight } from "../../plan/index.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import { evidenceOfSession } from "../../sessions/evidence/read-evidence.ts"
import type { PlanKey } from "../../stores/store.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { Context } from "../command.ts"
import { homeOf } from "../place/place.ts"
import { gitStateOf, isChanged } from "./git-tree.ts"
import { type SessionFolder, sessionFolderOf } from "./session-folder.ts"
import { type WantedCheck, type WantedOptions, wantedChecks } from "./wanted-checks.ts"

export type EvidencePlan = {
  key: PlanKey
  plan: Plan
  /** Of a plan that is kept here. */
  entries: readonly Entry[]
  /** The session it is of, where its files are here, and all others. */
  seen: DiscoveredSession | undefined
  all: readonly DiscoveredSession[]
  ledger?: Pick<Ledger, "opened" | "todos" | "removed"> | undefined
}

/** Undefined if nothing is known: neither session files nor checks. */
export const evidenceOfPlanHere = async (context: Context, about: EvidencePlan): Promise<Evidence | undefined> => {
  const { key, plan, entries, seen, all, ledger } = about
  const read = seen && (await evidenceOfSession(seen, all).catch(() => undefined))
  const checks = await verifiedIn(context, { plan, entries, at: sessionFolderOf(context, about) })
  if (!read && checks.length === 0) return undefined
  const own = read?.evidence ?? evidenceOfPlan(key, plan.todos)
  const evidence = ledger ? evidenceOnPlan(own, { plan, ledger, agent: key.agent }) : withTextsOf(own, plan, key.agent)
  return withVerifications(evidence, checks, key.agent)
}

/** What Headway itself has checked of a plan, and whether files have changed since, if its folder is known. */
export const verifiedIn = async (
  context: Context,
  { plan, entries, at }: Pick<WantedOptions, "plan" | "entries"> & { at: SessionFolder },
): Promise<Verified[]> => {
  const wanted = wantedChecks({ plan, entries, home: homeOf(context), project: at.project }).filter(isCounted)
  if (wanted.length === 0) return []
  const files = await filesIn(context, at)
  const ofAll = plan.todos.every(({ status }) => isFinished(status)) ? { isPlanDone: true as const } : {}
  const placeOf = new Map(withPlaces(plan.todos).map(({ todo, nth }) => [todo.id, { todo: todo.content, nth }]))
  return wanted.flatMap((one): Verified[] => {
    const { todo } = one.check
    const about = todo === undefined ? ofAll : placeOf.get(todo)
    if (!about) return []
    return [{ ...about, isPersons: one.from === "person", ...verificationOf(one, files) }]
  })
}

/** A proposed check counts once it was run; that a file exists proves nothing unless the person asked for it. */
const isCounted = ({ from, last, check, setFor }: WantedCheck): boolean =>
  setFor === undefined &&
  (from === "person" || (last !== undefined && (check.command !== undefined || last.outcome !== "passed")))

/** What git says about the files of a plan's folder, or that the folder is not known from here. */
export type PlanFiles = { isKnown: boolean; tree?: string | undefined }

export const filesIn = async (context: Context, { folder, place }: SessionFolder): Promise<PlanFiles> => {
  if (place === "unknown") return { isKnown: false }
  const { env, home } = context.io
  const { tree } = await gitStateOf(folder, { env, home, headwayHome: homeOf(context) })
  return { isKnown: true, tree }
}

/** The same for an opened plan, with its session in the agent's files, if there is one. */
export const checksOfTracker =
  (context: Context) =>
  async (tracker: Pick<Tracker, "key" | "plan" | "ledger" | "entries">, seen: DiscoveredSession | undefined) => {
    const { key, plan, ledger } = tracker
    const at = sessionFolderOf(context, { key, ledger, seen })
    return verifiedIn(context, { plan: planInSight(plan, ledger), entries: await tracker.entries(), at })
  }

const verificationOf = ({ check, last }: WantedCheck, { isKnown, tree }: PlanFiles): Pick<Verified, "verification"> => {
  if (!last) return {}
  const { outcome, isNotRunnable, at, revision, printed, gate } = last
  const isStale = isKnown ? isChanged(last.tree, tree) : undefined
  return {
    verification: {
      ...(check.command === undefined ? {} : { command: check.command }),
      ...(check.file === undefined ? {} : { file: check.file }),
      outcome,
      ...(isNotRunnable ? { isNotRunnable } : {}),
      at,
      ...(revision === undefined ? {} : { revision }),
      ...(isStale === undefined ? {} : { isStale }),
      ...(isKnown || last.tree === undefined ? {} : { isElsewhere: true }),
      ...(printed === undefined ? {} : { printed }),
      ...(gate === undefined ? {} : { gate }),
    },
  }
}
