/** The plans that clients of a server write to, open while they are used. */
import { keyOf } from "../../../board/joined-session.ts"
import { createRecent } from "../../../board/recent.ts"
import type { PlanKey, Store } from "../../../stores/store.ts"
import type { Gate } from "../../../tracker/gate.ts"
import { openTracker } from "../../../tracker/open-tracker.ts"
import type { Tracker } from "../../../tracker/tracker.ts"
import { reporter } from "../../choose/plans.ts"
import type { Context } from "../../command.ts"
import { homeOf } from "../../place/place.ts"
import { beginFromSession } from "./begun-plan.ts"
import { mostKept, type PlaceOfPlans } from "./place-of-plans.ts"

export type OpenPlans = {
  /** Opened where it is not open. `isNew` says that no session can have a list already. */
  open(key: PlanKey, agentType?: string, isNew?: boolean): Promise<Tracker>
  /** A plan to read, which is not kept. */
  read(from: Store, key: PlanKey): Promise<Tracker>
  /** The store of a plan that is open. */
  storeOf(key: PlanKey): Store | undefined
  /** Closes a plan that nothing is written to any more. */
  closeOne(key: PlanKey): Promise<void>
  /** If the plan is open, it has to read what others wrote. */
  refresh(key: PlanKey): Promise<void>
  close(): Promise<void>
}

export type OpenPlansOptions = {
  place: PlaceOfPlans
  /** The name that the server was started with. */
  agent: string
  gate: Gate | undefined
}

type OpenPlan = { from: Store; tracker: Promise<Tracker> }

export const createOpenPlans = (context: Context, { place, agent, gate }: OpenPlansOptions): OpenPlans => {
  const { io } = context
  const home = homeOf(context)
  const plans = createRecent<string, OpenPlan>(mostKept, (plan) => closeLater(plan))

  const openPlan = (from: Store, key: PlanKey, agentType?: string): Promise<Tracker> => {
    const parent = key.agent === agent ? {} : { parent: { agent } }
    const opened = { project: place.projectIn(from), ...(agentType === undefined ? {} : { agentType }), ...parent }
    return openTracker({ store: from, ...key, opened, now: io.now, gate, onProblem: reporter(context) })
  }

  /** A session that is older than its plan has a list in its model's context already. */
  const begin = async (from: Store, key: PlanKey, agentType?: string): Promise<Tracker> => {
    const tracker = await openPlan(from, key, agentType)
    await beginFromSession({ store: from, tracker, agentType, project: place.projectIn(from), home, io })
    return tracker
  }

  return {
    async open(key, agentType, isNew = false) {
      const id = keyOf(key)
      // Awaited before the lookup: otherwise two calls at once would each open the plan.
      const from = await place.storeFor(key, agentType)
      const known = plans.get(id)
      if (known && known.from !== from) closeLater(known)
      const tracker = known?.from === from ? known.tracker : (isNew ? openPlan : begin)(from, key, agentType)
      plans.set(id, { from, tracker })
      // If it could not be opened, the next call tries again.
      tracker.catch(() => plans.delete(id))
      return tracker
    },
    read: openPlan,
    storeOf: (key) => plans.get(keyOf(key))?.from,
    async closeOne(key) {
      const tracker = await plans.get(keyOf(key))?.tracker
      plans.delete(keyOf(key))
      await tracker?.close()
    },
    async refresh(key) {
      await (await plans.get(keyOf(key))?.tracker)?.refresh()
    },
    async close() {
      await Promise.all(plans.values().map(async ({ tracker }) => (await tracker).close()))
    },
  }
}

const closeLater = ({ tracker }: OpenPlan): void => {
  tracker.then((one) => one.close()).catch(() => {})
}
