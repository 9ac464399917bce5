/** Questions to the person: one at a time across all agents, and dropped when the work is interrupted. */
import { makeLineVisible, makeVisible } from "../plan/text/visible.ts"
import type { Permission } from "./tools/index.ts"

/** Who asks, and until when an answer is wanted. */
export type Asker = { agent: string; depth: number; signal: AbortSignal }

/** A refusal may say why, for the model to read. */
export type Permitted = boolean | { why: string }

export type Asking = {
  permit(permission: Permission, by: Asker): Promise<Permitted>
  confirm(question: string, detail: string | undefined, by: Asker): Promise<boolean>
}

/** As a person is asked for it: all of it, with nothing invisible in it. */
export const visiblePermission = ({ target, question, detail, ...permission }: Permission): Permission => ({
  ...permission,
  target: makeLineVisible(target),
  question: makeLineVisible(question),
  ...(detail === undefined ? {} : { detail: makeVisible(detail) }),
})

/** Makes visible what the person confirms. What `permit` receives is already visible. */
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
