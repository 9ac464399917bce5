/** Asks the person questions: one at a time across all agents. Drops them when the work is interrupted. */
import { makeLineVisible, makeVisible } from "../plan/text/visible.ts"
import type { Permission } from "./tools/index.ts"

/** The agent that asks, and the signal that withdraws the question. */
export type Asker = { agent: string; depth: number; signal: AbortSignal }

/** A refusal may give the model a reason. */
export type Permitted = boolean | { why: string }

export type Asking = {
  permit(permission: Permission, by: Asker): Promise<Permitted>
  confirm(question: string, detail: string | undefined, by: Asker): Promise<boolean>
}

/** The permission as shown to a person: complete, with invisible characters made visible. */
export const visiblePermission = ({ target, question, detail, ...permission }: Permission): Permission => ({
  ...permission,
  target: makeLineVisible(target),
  question: makeLineVisible(question),
  ...(detail === undefined ? {} : { detail: makeVisible(detail) }),
})

/** Asks one question at a time. Makes the texts for `confirm` visible; those for `permit` already are. */
export const oneAtATime = ({ permit, confirm }: Asking): Asking => {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = last.then(() => {
      signal.throwIfAborted()
      return unlessAborted(signal, ask())
    })
    last = answer.catch(() => {})
    return answer
  }
  return {
    permit: (permission, by) => inTurn(by.signal, () => permit(permission, by)),
    confirm: (question, detail, by) =>
      inTurn(by.signal, () => confirm(question, detail === undefined ? undefined : makeVisible(detail), by)),
  }
}

/** Rejects when the signal is aborted, even if no answer ever comes. */
const unlessAborted = <Answer>(signal: AbortSignal, answer: Promise<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason)
    if (signal.aborted) giveUp()
    signal.addEventListener("abort", giveUp, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp))
  })
