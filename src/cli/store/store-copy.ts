/** `headway store copy`: the plans of one store into another, entry by entry, so that it can be stopped and run again. */
import { createFold, type Entry, type Fold, HeadwayError, messageOf, sanitise } from "../../plan/index.ts"
import { type OwnEntries, ownEntriesIn } from "../../stores/delivered/own-entries.ts"
import { isElsewhere } from "../../stores/index.ts"
import { type Cursor, type PlanKey, type Store, summarise } from "../../stores/store.ts"
import type { Context } from "../command.ts"
import { printJson } from "../output/plan-json.ts"
import { createProgress } from "../output/progress.ts"
import { say } from "../output/say.ts"
import { homeOf } from "../place/place.ts"
import { deliverBeforeCopy, leftText } from "./store-delivery.ts"
import { assertThere, openPlainly, storeName } from "./store-places.ts"

type Copied = PlanKey & { entries: number; problem?: string; hasFailed?: boolean }

export const storeCopy = async (context: Context): Promise<number> => {
  const { io, values, words } = context
  const [, from, to] = words
  if (!from || !to)
    throw new HeadwayError("usage", "copy needs two stores: headway store copy file: postgres://USER@HOST/DATABASE")
  assertThere(context, from)
  const left = await deliverBeforeCopy(context, from)
  const [source, target] = [await openPlainly(context, from), await openPlainly(context, to)]
  if (source.name === target.name) throw new HeadwayError("usage", "Both are the same store.")
  const attributed = attribution(homeOf(context), { from, to, source, target })
  const { plans, problems } = await source.list()
  const progress = createProgress(io)
  const copied: Copied[] = []
  for (const [index, key] of plans.entries()) {
    progress.report(() => `${index} of ${plans.length} plans copied`)
    copied.push(await copyPlan({ source, target, attributed }, key))
  }
  progress.clear()
  const undelivered = left?.undelivered ?? 0
  const wrong = copied.filter(({ problem }) => problem !== undefined)
  const entries = copied.reduce((sum, one) => sum + one.entries, 0)
  if (values.json) {
    const [fromName, toName] = [storeName(context, from), storeName(context, to)]
    const counts = { plans: plans.length, entries, undelivered }
    io.out(printJson({ from: fromName, to: toName, ...counts, problems, differ: wrong }))
    return wrong.length + undelivered > 0 ? 1 : 0
  }
  const isNew = copied.filter((one) => one.entries > 0).length
  const failed = copied.filter(({ hasFailed }) => hasFailed).length
  const there = `${plans.length - isNew - failed} were there already`
  const failedText = failed > 0 ? `, ${failed} could not be copied` : ""
  io.out(`${isNew} of ${plans.length} plans copied, ${entries} entries; ${there}${failedText}\n`)
  for (const { message } of problems) say(io, message)
  if (left) say(io, `not in the copy: ${leftText(left)}`)
  for (const { session, agent, problem } of wrong) say(io, `${sanitise(session)} ${sanitise(agent)}: ${problem}`)
  if (wrong.length === 0)
    say(io, `compared: ${plans.length === 1 ? "the plan is" : `${plans.length} plans are`} the same in both`)
  return wrong.length + undelivered > 0 ? 1 : 0
}

type Copying = { source: Store; target: Store; attributed: OwnEntries["attributed"] }

/** What others wrote to a database does not become this person's by being copied to their files, and what is this person's stays so. */
const attribution = (
  home: string,
  { from, to, source, target }: { from: string; to: string; source: Store; target: Store },
): OwnEntries["attributed"] => {
  if (isElsewhere(from) === isElsewhere(to)) return (_, entries) => entries
  if (isElsewhere(from)) return ownEntriesIn(home, source.name).attributed
  const { sealed } = ownEntriesIn(home, target.name)
  return (key, entries) => entries.map((entry) => (entry.by.isElsewhere ? entry : sealed(key, entry)))
}

/** Appends what the other store does not have, and compares what follows from both logs. */
const copyPlan = async ({ source, target, attributed }: Copying, { session, agent }: PlanKey): Promise<Copied> => {
  const key = { session, agent }
  try {
    const { entries: read, problems } = await source.load(key)
    const there = await target.load(key)
    const known = new Map(there.entries.map((entry) => [entry.id, entry]))
    const entries = attributed(key, [...read]).map((entry) => known.get(entry.id) ?? entry)
    const missing = entries.filter(({ id }) => !known.has(id))
    if (missing.length > 0) await appendTo(target, key, missing, there.cursor)
    const after = await target.load(key)
    const [one, other] = [folded(entries), folded(after.entries)]
    if (missing.length > 0) await target.keepSummary?.(key, summarise(key, other), after.cursor)
    const result = { ...key, entries: missing.length }
    if (!isSameState(one, other))
      return { ...result, problem: "the plan is different there: it was changed in both stores" }
    return problems.length > 0 ? { ...result, problem: sanitise(problems[0]?.message ?? "") } : result
  } catch (cause) {
    return { ...key, entries: 0, problem: sanitise(messageOf(cause)), hasFailed: true }
  }
}

const mostAtOnce = 500

const appendTo = async (target: Store, key: PlanKey, entries: readonly Entry[], from: Cursor): Promise<void> => {
  let cursor = from
  for (let index = 0; index < entries.length; index += target.appendAll ? mostAtOnce : 1) {
    const part = entries.slice(index, index + mostAtOnce)
    const [first] = part
    if (!first) return
    const loaded = target.appendAll
      ? await target.appendAll(key, part, cursor)
      : await target.append(key, first, cursor)
    cursor = loaded.cursor
  }
}

const folded = (entries: readonly Entry[]): Fold => {
  const fold = createFold()
  for (const entry of entries) fold.add(entry)
  return fold
}

/** Of the list and all that is known about it. */
const isSameState = (one: Fold, other: Fold): boolean =>
  JSON.stringify(one.snapshot()) === JSON.stringify(other.snapshot())
