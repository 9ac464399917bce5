/** What the log of the plan behind a row tells: its history, and whether the agent is told about a person's changes. */
import { emptyLedger, type Writer } from "../plan/index.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { SessionRow } from "../views/board/session.ts"
import type { Board } from "./board.ts"
import { historyOf, momentIn } from "./history.ts"
import type { KeptPlans } from "./kept-plans.ts"
import type { BoardRows, FindWhenTold } from "./rows.ts"

export type RowLogsOptions = {
  rows: Pick<BoardRows, "find" | "read">
  /** The rows as they are shown now. */
  shown: () => readonly SessionRow[]
  kept: Pick<KeptPlans, "open">
  viewer: Writer | undefined
  whenToldOf: FindWhenTold
}

export type RowLogs = Pick<Board, "history" | "moment" | "whenTold">

export const createRowLogs = ({ rows, shown, kept, viewer, whenToldOf }: RowLogsOptions): RowLogs => {
  /** The log of the kept plan behind a row, if there is one. */
  const logOf = async (key: string): Promise<Tracker | undefined> => {
    const { plan } = rows.find(key) ?? {}
    return plan && kept.open(plan)
  }

  return {
    async history(key) {
      const { plan, times } = await rows.read(key)
      const row = shown().find((one) => one.key === key)
      const entries = (await (await logOf(key))?.entries()) ?? []
      return historyOf(entries, {
        agentName: row?.agentName ?? row?.agentType ?? "",
        plan,
        times,
        viewer,
      })
    },
    moment: async (key, entry) => momentIn((await (await logOf(key))?.entries()) ?? [], entry),
    async whenTold(key) {
      const tracker = await logOf(key)
      const { session, agent, agentType, state } = rows.find(key)?.seen ?? {}
      if (tracker) return whenToldOf(tracker, state)
      if (session === undefined || agent === undefined || agentType === undefined) return undefined
      const opened = { type: "plan-opened", session, agent, agentType } as const
      return whenToldOf({ key: { session, agent }, ledger: { ...emptyLedger, opened } }, state)
    },
  }
}
