/** Runs the hooks of one session one at a time, because each depends on the state left by the previous one. */
import { join } from "node:path"
import { takingTurns } from "../../home/writing/take-turns.ts"

/** `plan` is the name of the plan's files. */
export const inTurn = <Result>(home: string, plan: string, action: () => Promise<Result>): Promise<Result> =>
  takingTurns(join(home, "cache", "turns", plan), action)
