/** The plan after an entry of its history. The previous plan stays visible while it is read. */
import { useEffect, useRef, useState } from "react"
import type { Plan } from "../../../plan/todo.ts"
import type { Moment } from "../../api.ts"
import { load, sessionPath } from "../request.ts"

/** How many plans are cached. A past plan never changes, and people drag the slider back and forth. */
const mostKept = 100

export const useMoment = (key: string, entry: string | undefined): Plan | undefined => {
  const [shown, setShown] = useState<{ key: string; plan: Plan }>()
  const kept = useRef(new Map<string, Plan>())
  const isRunning = useRef(false)
  const wanted = useRef(entry)
  wanted.current = entry
  useEffect(() => {
    if (entry === undefined) return setShown(undefined)
    const read = async (): Promise<void> => {
      if (isRunning.current) return
      isRunning.current = true
      // A drag passes many entries. After each reply, only the current one is requested.
      for (let next = wanted.current; next !== undefined; ) {
        const plan = kept.current.get(next) ?? (await momentAt(key, next))
        if (plan) kept.current.set(next, plan)
        for (const old of [...kept.current.keys()].slice(0, -mostKept)) kept.current.delete(old)
        if (plan && wanted.current !== undefined) setShown({ key, plan })
        if (wanted.current === next) break
        next = wanted.current
      }
      isRunning.current = false
    }
    void read()
  }, [key, entry])
  return entry !== undefined && shown?.key === key ? shown.plan : undefined
}

const momentAt = async (key: string, entry: string): Promise<Plan | undefined> => {
  try {
    const { plan } = await load<Moment>(sessionPath(key, `/history/${encodeURIComponent(entry)}`))
    return plan as Plan
  } catch {
    return undefined
  }
}
