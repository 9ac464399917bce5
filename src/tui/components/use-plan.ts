/** The plan of a tracker as it is now, drawn again on every change. */
import { useCallback, useEffect, useRef, useSyncExternalStore } from "react"
import type { Plan } from "../../plan/todo.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { Todos } from "../../views/plan/row.ts"

/** What every component draws: a plan, or the tracker of one, which the component then follows. */
export type PlanSource<Kind extends Todos = Todos> = Kind | Tracker

export type PlanOptions = {
  /** Called when the changes of others cannot be followed; our own still show. */
  onError?: ((cause: unknown) => void) | undefined
}

/** Follows a tracker, including changes of other processes; a plan is returned as it is. */
export const usePlan = <Kind extends Todos = Plan>(
  source: PlanSource<Kind>,
  options: PlanOptions = {},
): Kind | Plan => {
  // A host may pass a new listener with every render; following continues.
  const latest = useRef(options.onError)
  latest.current = options.onError
  const tracker = isTracker(source) ? source : undefined
  const subscribe = useCallback((listener: () => void) => tracker?.subscribe(listener) ?? nothing, [tracker])
  useEffect(() => (tracker ? follow(tracker, (cause) => latest.current?.(cause)) : undefined), [tracker])
  return useSyncExternalStore(subscribe, () => planOf(source))
}

/** The plan of a source at this moment. */
export const planOf = <Kind extends Todos>(source: PlanSource<Kind>): Kind | Plan =>
  isTracker(source) ? source.plan : source

const isTracker = (source: Todos | Tracker): source is Tracker => "subscribe" in source

const nothing = (): void => {}

/** Until the returned function is called; also when that happens before following has begun. */
const follow = (tracker: Tracker, onError: (cause: unknown) => void): (() => void) => {
  let isOver = false
  const following = tracker.follow()
  following
    .then(async () => {
      // What others wrote before the first subscription.
      if (!isOver) await tracker.refresh()
    })
    .catch(onError)
  return () => {
    isOver = true
    following.then((stop) => stop()).catch(nothing)
  }
}
