/** `headway store check`: reads every plan of the store and says what is wrong with it. */
import { createFold, type Entry, type Fold, messageOf, sanitise } from "../../plan/index.ts"
import { canonicalJson } from "../../plan/json.ts"
import { deliveryOf, isElsewhere } from "../../stores/index.ts"
import { type PlanKey, type PlanSummary, type Store, summarise } from "../../stores/store.ts"
import type { Context } from "../command.ts"
import { printJson } from "../output/plan-json.ts"
import { createProgress } from "../output/progress.ts"
import { homeOf, urlOf } from "../place/place.ts"
import { changes, openPlainly, storeName } from "./store-places.ts"

type Found = PlanKey & { problem: string }

export const storeCheck = async (context: Context): Promise<number> => {
  const { io, values } = context
  const url = urlOf(context)
  const store = await openPlainly(context)
  const { plans, problems } = await store.list()
  const progress = createProgress(io)
  const found: Found[] = []
  for (const [index, plan] of plans.entries()) {
    progress.report(() => `${index} of ${plans.length} plans checked`)
    found.push(...(await checkPlan(store, plan)))
  }
  const damage = (await store.findDamage?.()) ?? []
  found.push(...damage.flatMap(({ key, problem }) => (key ? [{ ...key, problem }] : [])))
  progress.clear()
  const messages = [
    ...problems.map(({ message }) => message),
    ...damage.flatMap(({ key, problem }) => (key ? [] : problem)),
  ]
  const general = [...new Set([...messages, ...(await undelivered(context, url))])]
  const isWell = found.length + general.length === 0
  if (values.json) {
    io.out(printJson({ store: storeName(context, url), plans: plans.length, problems: general, found }))
    return isWell ? 0 : 1
  }
  for (const message of general) io.out(`${sanitise(message)}\n`)
  for (const { session, agent, problem } of found)
    io.out(`${sanitise(session)} ${sanitise(agent)}: ${sanitise(problem)}\n`)
  io.err(
    `headway: ${plans.length === 1 ? "1 plan" : `${plans.length} plans`} checked, ${problemsText(found.length + general.length)}\n`,
  )
  return isWell ? 0 : 1
}

const problemsText = (count: number): string =>
  count === 0 ? "no problems" : count === 1 ? "1 problem" : `${count} problems`

const undelivered = async (context: Context, url: string): Promise<string[]> => {
  if (!isElsewhere(url)) return []
  const state = await deliveryOf(url, homeOf(context))
  const { undelivered: count, refused } = state
  return [
    ...(count > 0 ? [`${changes(count)} made here ${count === 1 ? "is" : "are"} not delivered yet`] : []),
    ...(refused > 0
      ? [
          `${changes(refused)} made here ${refused === 1 ? "was" : "were"} rejected by the database: see "headway store rejected"`,
        ]
      : []),
  ]
}

const checkPlan = async (store: Store, plan: PlanSummary): Promise<Found[]> => {
  const key = { session: plan.session, agent: plan.agent }
  const say = (problem: string): Found => ({ ...key, problem })
  try {
    const { entries, problems } = await store.load(key)
    const fold = createFold()
    for (const entry of entries) fold.add(entry)
    const { opened } = fold.ledger
    const isOthers = opened && (opened.session !== key.session || opened.agent !== key.agent)
    const now = summarise(key, fold)
    return [
      ...problems.map(({ message }) => say(message)),
      ...(opened ? [] : [say("its log does not say whose plan it is")]),
      ...(isOthers ? [say(`its log says it is the plan of "${opened.session}" "${opened.agent}"`)] : []),
      ...(isTwice(entries) ? [say("some entries are in its log twice; they count once")] : []),
      ...(isListedAs(plan, now) ? [] : [say("the listing does not match its log")]),
      ...((await hasOwnState(store, key, fold))
        ? []
        : [say("the folded state that is kept with it does not match its log")]),
    ]
  } catch (cause) {
    return [say(`it could not be read: ${messageOf(cause)}`)]
  }
}

const isTwice = (entries: readonly Entry[]): boolean => new Set(entries.map(({ id }) => id)).size < entries.length

/** What could not be read is reported already. */
const isListedAs = ({ unread: _, ...listed }: PlanSummary, now: PlanSummary): boolean =>
  canonicalJson(listed) === canonicalJson(now)

/** Whether a reader that goes on from the folded state, if there is one, arrives at the same plan. */
const hasOwnState = async (store: Store, key: PlanKey, { plan }: Fold): Promise<boolean> => {
  const snapshot = await store.readSnapshot?.(key)
  if (!snapshot) return true
  try {
    const fold = createFold(snapshot.state)
    const { entries, restarted } = await store.load(key, snapshot.cursor)
    if (restarted) return true
    for (const entry of entries) fold.add(entry)
    return canonicalJson(fold.plan.todos) === canonicalJson(plan.todos)
  } catch {
    return false
  }
}
