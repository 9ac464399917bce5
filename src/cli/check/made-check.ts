/** Runs one check and returns it as an event: its outcome, the commit, and the state of all files. */
import type { CheckRan, PlanCheck } from "../../plan/index.ts"
import type { Io } from "../io.ts"
import { gitStateOf, isChanged, untold } from "./git-tree.ts"
import { runCheck } from "./run-check.ts"

export type MakeCheckOptions = {
  io: Pick<Io, "env" | "home" | "onSignal">
  headwayHome: string
  folder: string
  timeLimit: number
}

/**
 * The caller has made sure that a person allowed it. A check that passes while files change runs once more: the files that it builds
 * are part of what it has checked, files that another program changed are not. Undefined if the person stopped it.
 */
export const makeCheck = async (check: PlanCheck, options: MakeCheckOptions): Promise<CheckRan | undefined> => {
  const until = performance.now() + options.timeLimit
  const first = await makeOnce(check, { ...options, until })
  if (first?.event.outcome !== "passed" || !first.isChanging) return first?.event
  const second = performance.now() < until ? await makeOnce(check, { ...options, until }) : first
  // There was no time for it: it has passed, and files have changed since.
  return second?.event.outcome === "timed-out" ? first.event : second?.event
}

/** In milliseconds, for a look at the files. The shorter one is for the look after a check that took all its time. */
const [longestLook, shortestLook] = [20_000, 5_000]

/** A check that passes has checked the files as they were before it: if they have changed by its end, its result is stale. */
const makeOnce = async (
  check: PlanCheck,
  { io, headwayHome, folder, until }: Omit<MakeCheckOptions, "timeLimit"> & { until: number },
): Promise<{ event: CheckRan; isChanging?: boolean | undefined } | undefined> => {
  const left = (): number => Math.max(1, Math.ceil(until - performance.now()))
  // The first look at a large project reads all its files; the next ones only what has changed.
  const asking = { env: io.env, home: io.home, headwayHome }
  const look = (most: number) => gitStateOf(folder, { ...asking, timeLimit: Math.min(most, longestLook) })
  const { touched, ...before } = await look(left())
  const ran = await runCheck(check, { folder, env: io.env, timeLimit: left(), onSignal: io.onSignal })
  if (!ran) return undefined
  // If git could not read the state before the check, it is not asked again after it.
  if (before.tree === untold) return { event: { type: "check-ran", check, ...ran, ...before } }
  const { touched: touchedSince, ...after } = await look(Math.max(left(), shortestLook))
  // Files that are as they were may have been others while the check ran, so that it has checked those.
  const isTouched = touched !== touchedSince
  const checked = isTouched && before.tree === after.tree ? { ...before, tree: untold } : before
  return {
    event: { type: "check-ran", check, ...ran, ...(ran.outcome === "passed" ? checked : { ...before, ...after }) },
    isChanging: isTouched || isChanged(before.tree, after.tree),
  }
}
