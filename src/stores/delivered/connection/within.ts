/** Waits for a remote store only so long. */
import { HeadwayError } from "../../../plan/index.ts"

/** Says that the store has answered something: the wait begins again. */
export type Answered = () => void

/** A request that takes too long continues without being waited for. */
export const within = async <Result>(
  wait: number,
  action: Promise<Result> | ((answered: Answered) => Promise<Result>),
  name: string,
): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let end: Answered = () => {}
  const late = new Promise<never>((_, reject) => {
    end = () => reject(new HeadwayError("store-away", `${name} did not answer within ${wait} milliseconds.`))
  })
  const begin = (): void => {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(end, wait)
  }
  begin()
  try {
    const asked = typeof action === "function" ? action(begin) : action
    asked.catch(() => {})
    return await Promise.race([asked, late])
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}
