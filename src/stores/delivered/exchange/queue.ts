/** One exchange per plan at a time, in this process and among all processes of this home. */
import { join } from "node:path"
import { hashedNameOf } from "../../../home/paths/file-names.ts"
import { takingTurns } from "../../../home/writing/take-turns.ts"
import { keyText } from "../../../plan/plan-key.ts"
import type { PlanKey } from "../../store.ts"
import type { DeliveryFolder } from "../folder.ts"
import type { Claim } from "./claim.ts"
import type { Exchanged } from "./exchange.ts"

export type ExchangeQueue = {
  /** Callers that arrive during an exchange share the next one. */
  add(key: PlanKey, claim?: Claim): Promise<Exchanged>
  isUnderWay(key: PlanKey): boolean
  /** Whether an exchange waits for another process: that it takes long says nothing of the remote store. */
  isWaiting(): boolean
}

/** Runs an action once no other process of this home exchanges the same plan. */
export type InTurn = (action: () => Promise<Exchanged>) => Promise<Exchanged>

export type QueueOptions = {
  folder: Pick<DeliveryFolder, "turns">
  exchange: (key: PlanKey, claims: readonly Claim[], inTurn: InTurn) => Promise<Exchanged>
}

export const createExchangeQueue = ({ folder, exchange }: QueueOptions): ExchangeQueue => {
  const underWay = new Map<string, Promise<void>>()
  const coming = new Map<string, { claims: Claim[]; done: Promise<Exchanged> }>()
  let waiting = 0

  const inTurnFor =
    (key: PlanKey): InTurn =>
    (action) => {
      waiting += 1
      return takingTurns(join(folder.turns, hashedNameOf(key)), () => {
        waiting -= 1
        return action()
      })
    }

  return {
    add(key, claim) {
      const name = keyText(key)
      const next = coming.get(name)
      if (next) {
        if (claim) next.claims.push(claim)
        return next.done
      }
      const claims = claim ? [claim] : []
      const done = (underWay.get(name) ?? Promise.resolve()).then(() => {
        coming.delete(name)
        return exchange(key, claims, inTurnFor(key))
      })
      coming.set(name, { claims, done })
      const over = done.then(ignore, ignore).finally(() => {
        if (underWay.get(name) === over) underWay.delete(name)
      })
      underWay.set(name, over)
      return done
    },
    isUnderWay: (key) => underWay.has(keyText(key)),
    isWaiting: () => waiting > 0,
  }
}

const ignore = (): void => {}
