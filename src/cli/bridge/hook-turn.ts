/** Lets the hooks of one session act one after the other, because each counts on what the one before it left. */
import { join } from "node:path"
import { takingTurns } from "../../home/take-turns.ts"

/** `plan` is the name of the plan's files. */
export const inTurn = <Result>(home: string, plan: string, action: () => Promise<Result>): Promise<Result> =>
  takingTurns(join(home, "cache", "turns", plan), action)
