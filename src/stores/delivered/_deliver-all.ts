/** Delivers everything that waits. The time limit is per plan, so many plans do not make a slow store count as unreachable. */
import type { PlanKey } from "../store.ts"
import { wasReached } from "./connection/errors.ts"
import type { Answered } from "./connection/within.ts"
import type { Exchanged } from "./exchange/exchange.ts"
import type { Outbox } from "./outbox.ts"

/** The plans with waiting entries. */
export const dirtyKeys = async (outbox: Outbox): Promise<PlanKey[]> => (outbox.isEmpty() ? [] : outbox.keys())

export type DeliverAllOptions = {
  outbox: Outbox
  exchange: (key: PlanKey) => Promise<Exchanged>
  answered: Answered
  /** No further plan is begun after this time (`performance.now()`). */
  until: number
}

/** Rejects with the first failure, after the other plans were tried too if the store was reached. */
export const deliverAll = async (options: DeliverAllOptions): Promise<void> => {
  const { outbox, exchange, answered, until } = options
  let failure: unknown
  for (const key of await dirtyKeys(outbox)) {
    if (performance.now() > until) break
    try {
      const { forbidden } = await exchange(key)
      failure ??= forbidden
    } catch (cause) {
      if (!wasReached(cause)) throw cause
      failure ??= cause
    }
    answered()
  }
  if (failure !== undefined) throw failure
}
