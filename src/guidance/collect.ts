/** Asks several sources for what they have to say, side by side: one that fails is reported, and the others are still heard. */
import { messageOf } from "../plan/headway-error.ts"
import { type Problem, warning } from "../plan/index.ts"

export type Generator<Said> = () => Said | undefined | Promise<Said | undefined>

/** What the generators gave, in their order; those that failed or had nothing are left out. Never rejects. */
export const collect = async <Said>(
  generators: readonly (readonly [name: string, generator: Generator<Said>])[],
  onProblem: (problem: Problem) => void = () => {},
): Promise<Said[]> => {
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
  return given.flatMap((said) => (said === undefined ? [] : [said]))
}

/** An error in the host's own listener must not cost the model what the other sources have to say. */
const report = (onProblem: (problem: Problem) => void, name: string, cause: unknown): void => {
  try {
    const reason = messageOf(cause)
    onProblem(warning("reminder-failed", `The reminder "${name}" failed and is left out: ${reason}`))
  } catch {}
}
