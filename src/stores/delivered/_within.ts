/** Waits for a remote store only so long. */
import { HeadwayError } from "../../plan/index.ts"

/** A request that takes too long continues without being waited for. */
export const within = async <Result>(wait: number, action: Promise<Result>, name: string): Promise<Result> => {
  action.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new HeadwayError("store-away", `${name} did not answer within ${wait} milliseconds.`))
    }, wait)
  })
  try {
    return await Promise.race([action, late])
  } finally {
    clearTimeout(timer)
  }
}
