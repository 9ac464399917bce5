/** Runs one check and returns it as an event: its outcome, the commit, and the state of all files. */
import type { CheckRan, PlanCheck } from "../../plan/index.ts"
import type { Io } from "../io.ts"
import { gitStateOf } from "./git-tree.ts"
import { runCheck } from "./run-check.ts"

export type MadeCheck = {
  /** Absent if the person stopped it. */
  event?: CheckRan
  /** Its program is not installed, which says nothing about the work. */
  isNotRunnable: boolean
}

/** The caller has made sure that a person allowed it. */
export const makeCheck = async (
  check: PlanCheck,
  { io, folder, timeLimit }: { io: Pick<Io, "env" | "home" | "onSignal">; folder: string; timeLimit: number },
): Promise<MadeCheck> => {
  const before = await gitStateOf(folder, io)
  const found = await runCheck(check, { folder, env: io.env, timeLimit, onSignal: io.onSignal })
  if (!found) return { isNotRunnable: false }
  const { isNotRunnable = false, ...ran } = found
  // What a check builds is part of what it has checked.
  const after = await gitStateOf(folder, io)
  return { event: { type: "check-ran", check, ...ran, ...before, ...after }, isNotRunnable }
}
