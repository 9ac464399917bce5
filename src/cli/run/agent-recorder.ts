/** Records the lists of a running agent as plans, which a person can change while it works. */
import { messageOf } from "../../plan/headway-error.ts"
import { type Plan, type Problem, warning } from "../../plan/index.ts"
import type { Observed, Tracker } from "../../tracker/tracker.ts"

export type RecorderOptions = {
  /** Opens the plan of one agent of the run. */
  open: (agent: string) => Promise<Tracker>
  /** Called with the current plan, including a person's changes. */
  onPlan: (agent: string, plan: Plan) => void
  /** Called once if plans cannot be saved. The run continues without. */
  onProblem: (problem: Problem) => void
  /** Begins the call ids of the lists of this run, so that none is confused with one of another run. */
  callIdPrefix: string
}

export type Recorder = {
  /** The list of an agent, as it is now. */
  take(agent: string, list: Pick<Plan, "todos" | "phases">): void
  /** Resolves when everything taken is kept. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Lists that wait for the store; of more, only the newest count. */
const mostWaiting = 50

type Lane = { waiting: Observed[]; tracker: Tracker | undefined; work: Promise<void> | undefined }

export const createRecorder = ({ open, onPlan, onProblem, callIdPrefix }: RecorderOptions): Recorder => {
  const lanes = new Map<string, Lane>()
  const endings: (() => Promise<void>)[] = []
  let count = 0
  let isBroken = false

  const begin = async (agent: string, lane: Lane): Promise<Tracker> => {
    const tracker = await open(agent)
    // Only the newest state matters while others still wait.
    tracker.subscribe(({ plan }) => lane.waiting.length === 0 && onPlan(agent, plan))
    endings.push(tracker.close)
    // Only the main agent's plan is one that people change while it runs. Not every place can be watched.
    if (agent === "main")
      await tracker.follow().then(
        (stop) => endings.unshift(stop),
        () => {},
      )
    return tracker
  }

  const drain = async (agent: string, lane: Lane): Promise<void> => {
    let list: Observed | undefined
    try {
      lane.tracker ??= await begin(agent, lane)
      for (list = lane.waiting.shift(); list; list = lane.waiting.shift()) {
        await lane.tracker.mirror(list)
      }
      onPlan(agent, lane.tracker.plan)
    } catch (cause) {
      const last = lane.waiting.at(-1) ?? list
      if (last) onPlan(agent, { ...last, revision: 0 })
      if (!isBroken) onProblem(notKept(cause))
      isBroken = true
    } finally {
      lane.work = undefined
    }
  }

  return {
    take(agent, { todos, phases }) {
      if (isBroken) {
        onPlan(agent, { todos, phases, revision: 0 })
        return
      }
      const lane = lanes.get(agent) ?? { waiting: [], tracker: undefined, work: undefined }
      lanes.set(agent, lane)
      // The first one is shown before it is kept: opening a plan takes a moment.
      if (!lane.tracker) onPlan(agent, { todos, phases, revision: 0 })
      count += 1
      if (lane.waiting.length >= mostWaiting) lane.waiting.pop()
      lane.waiting.push({ todos, phases, callId: `${callIdPrefix}/${count}` })
      lane.work ??= drain(agent, lane)
    },
    async settled() {
      for (const { work } of lanes.values()) await work
    },
    async close() {
      for (const { work } of lanes.values()) await work
      for (const end of endings) await end().catch(() => {})
    },
  }
}

const notKept = (cause: unknown): Problem => {
  const reason = messageOf(cause)
  return warning("not-kept", `The run continues, but its plan is not saved: ${reason}`)
}
