/** The current plan of a tracker; redraws on every change. */
import { useCallback, useEffect, useRef, useSyncExternalStore } from "react"
import type { Plan } from "../../plan/todo.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { Todos } from "../../views/plan/row.ts"

/** What every component draws: a plan, or a tracker, whose plan the component then follows. */
export type PlanSource<Kind extends Todos = Todos> = Kind | Tracker

export type PlanOptions = {
  /** Called if changes by other processes cannot be followed. Changes by this process are still shown. */
  onError?: ((cause: unknown) => void) | undefined
}

/** Follows a tracker, including changes by other processes. Returns a plan as it is. */
export const usePlan = <Kind extends Todos = Plan>(
  source: PlanSource<Kind>,
  options: PlanOptions = {},
): Kind | Plan => {
  // A host may pass a new listener with every render, which must not restart following.
  const latest = useRef(options.onError)
  latest.current = options.onError
  const tracker = isTracker(source) ? source : undefined
  const subscribe = useCallback((listener: () => void) => tracker?.subscribe(listener) ?? nothing, [tracker])
  useEffect(() => (tracker ? follow(tracker, (cause) => latest.current?.(cause)) : undefined), [tracker])
  return useSyncExternalStore(subscribe, () => planOf(source))
}

/** The current plan of a source. */
export const planOf = <Kind extends Todos>(source: PlanSource<Kind>): Kind | Plan =>
  isTracker(source) ? source.plan : source

const isTracker = (source: Todos | Tracker): source is Tracker => "subscribe" in source

const nothing = (): void => {}

/** Follows a tracker until the returned function is called, even if that happens before following has begun. */
const follow = (tracker: Tracker, onError: (cause: unknown) => void): (() => void) => {
  let isOver = false
  const following = tracker.follow()
  following
    .then(async () => {
      // Reads what others wrote before the subscription.
      if (!isOver) await tracker.refresh()
    })
    .catch(onError)
  return () => {
    isOver = true
    following.then((stop) => stop()).catch(nothing)
  }
}
