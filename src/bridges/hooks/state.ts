/** The state of a session between two hook processes: small, and safe to lose. */
import { join } from "node:path"
import { type ContinuationState, continuationFrom } from "../../guidance/continuation.ts"
import { countersFrom, type TurnCounters } from "../../guidance/turns.ts"
import { planFileName } from "../../home/paths/file-names.ts"
import { foreignTextIn } from "../../home/reading/foreign-file.ts"
import { replaceFile } from "../../home/writing/write-file.ts"
import type { PlanKey } from "../../plan/event.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"

export type HookState = {
  turns: TurnCounters
  continuation: ContinuationState
  /** The position of the plan in its store when everything in it had been said; absent while something has not. */
  position?: string | undefined
  /** The list tool the model used last. */
  listTool?: string
  /** `turns.work` when it was last looked whether a reminder is due. */
  checked: number
  /** The last text that held the agent back: it may return as if the person had typed it. */
  held?: string
  /** The failed checks reported to the agent when it stopped: each is reported once. */
  contradicted?: string
  /** The events put aside that are counted here and may not be removed yet. */
  taken?: readonly string[]
}

export const readHookState = (home: string, key: PlanKey): HookState => hookStateFrom(foreignTextIn(pathOf(home, key)))

export const saveHookState = (home: string, key: PlanKey, state: HookState): void =>
  void replaceFile(pathOf(home, key), JSON.stringify(state), join(home, "tmp"))

const pathOf = (home: string, key: PlanKey): string => join(home, "cache", "hooks", `${planFileName(key)}.json`)

const hookStateFrom = (text: string | undefined): HookState => {
  const given = parsed(text)
  const { turns, continuation, position, listTool, checked, held, contradicted, taken } = given
  return {
    turns: countersFrom(turns),
    continuation: continuationFrom(continuation),
    checked: isCount(checked) ? checked : 0,
    ...(typeof position === "string" ? { position } : {}),
    ...(typeof listTool === "string" ? { listTool } : {}),
    ...(typeof held === "string" ? { held } : {}),
    ...(typeof contradicted === "string" ? { contradicted } : {}),
    ...(Array.isArray(taken) ? { taken: taken.filter((id) => typeof id === "string") } : {}),
  }
}

const parsed = (text = "{}"): Record<string, unknown> => {
  const value = parseJson(text)
  return isRecord(value) ? value : {}
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
