/** Removes plans of a remote store, there first and then here. */
import { keyText } from "../../plan/plan-key.ts"
import type { PlanKey, Store } from "../store.ts"
import type { Connection } from "./connection/connection.ts"
import type { Answered } from "./connection/within.ts"
import type { Outbox } from "./outbox.ts"

export type RemovalOptions = {
  connection: Connection
  mirror: Store
  outbox: Outbox
  position: (key: PlanKey) => Promise<string | undefined>
  /** What waits here is delivered before a sweep. */
  deliverAll: (answered: Answered) => Promise<void>
  /** Everything else that is known here about a removed plan. */
  forget: (key: PlanKey) => void
}

type Condition = Parameters<Store["sweep"]>[0]

export const createRemoval = (options: RemovalOptions): Pick<Store, "remove" | "sweep"> => {
  const { connection, mirror, outbox, position, deliverAll, forget } = options

  /** The condition of a sweep, which is told the positions of plans as they are known here. */
  const withPositions = async (condition: Condition, answered: Answered): Promise<Condition> => {
    const here = new Map<string, string | undefined>()
    for (const plan of (await mirror.list()).plans) here.set(keyText(plan), await position(plan))
    const there = new Map<string, string | undefined>()
    return (plan, now) => {
      answered()
      const name = keyText(plan)
      if (!there.has(name)) there.set(name, now)
      // Changed while it was swept, and then its position is another one than any that was told here.
      return condition(plan, there.get(name) === now ? (here.get(name) ?? now) : now)
    }
  }

  return {
    async remove(key) {
      await connection.assertWritable()
      await connection.reachable((remote) => remote.remove(key), "a plan cannot be removed")
      await mirror.remove(key)
      await outbox.store.remove(key)
      forget(key)
    },
    async sweep(condition) {
      await connection.assertWritable()
      const swept = await connection.reachable(async (remote, answered) => {
        await deliverAll(answered)
        return remote.sweep(await withPositions(condition, answered))
      }, "plans cannot be removed")
      for (const plan of swept.removed) {
        // Entries written here in the meantime start the plan again. A copy that cannot be removed is found to be old.
        await mirror.remove(plan).then(
          () => forget(plan),
          () => {},
        )
      }
      return swept
    },
  }
}
