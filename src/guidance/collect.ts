/** Runs several generators in parallel. Reports failures and keeps the other results. */
import { messageOf } from "../plan/headway-error.ts"
import { type Problem, warning } from "../plan/index.ts"

export type Generator<Item> = () => Item | undefined | Promise<Item | undefined>

/** The results of the generators, in order, without failed and empty ones. Never rejects. */
export const collect = async <Item>(
  generators: readonly (readonly [name: string, generator: Generator<Item>])[],
  onProblem: (problem: Problem) => void = () => {},
): Promise<Item[]> => {
  const given = await Promise.all(
    generators.map(async ([name, generator]) => {
      try {
        return await generator()
      } catch (cause) {
        report(onProblem, name, cause)
        return undefined
      }
    }),
  )
  return given.flatMap((item) => (item === undefined ? [] : [item]))
}

/** Reports a failure. An error in the host's listener is ignored, so that the other results still reach the model. */
const report = (onProblem: (problem: Problem) => void, name: string, cause: unknown): void => {
  try {
    const reason = messageOf(cause)
    onProblem(warning("reminder-failed", `The reminder "${name}" failed and is left out: ${reason}`))
  } catch {}
}
