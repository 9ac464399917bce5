/** The session of a person with an agent: input, runs, queue and interruptions, independent of drawing. */
import { contentById, emptyPlan, type Plan, workingPlan } from "../../plan/index.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { Agent } from "../../reference-agent/agent.ts"
import type { AgentScreenOptions, ScreenListeners } from "../../reference-agent/screen.ts"
import type { Change } from "../../tracker/tracker.ts"
import { describeEvent } from "../../views/changes.ts"
import { systemTimer, type Timer } from "../terminal/pace.ts"
import { createCommands } from "./commands.ts"
import { createEventListener } from "./events.ts"
import { createKeys, type Press } from "./keys.ts"
import { createQuestions } from "./questions.ts"
import { createStage, type Stage } from "./stage.ts"
import type { Room } from "./transcript.ts"
import { createWork } from "./work.ts"

export type SessionOptions = Pick<AgentScreenOptions, "command" | "view" | "describeCall"> & {
  /** The available columns and characters. Called whenever lines are written. */
  room: () => Room
  /** @default the system's clock */
  now?: () => Date
  /** The least time between two drawings, in milliseconds. @default 30 */
  pace?: number
  /** Measures how long a question is visible. @default the system's */
  timer?: Timer
}

export type AgentSession = Pick<Stage, "subscribe" | "takeWritten" | "note"> & {
  readonly state: Stage["state"]
  /** The agent's questions to the person. */
  readonly listeners: ScreenListeners
  begin(agent: Agent, prompt?: string): void
  /** Call this when the screen begins to show this question. */
  questionDrawn(question: Stage["state"]["question"]): void
  readonly press: Press
  leave(): void
  /** Resolves when the person left or `leave` was called. */
  readonly left: Promise<void>
  /** Resolves when, after that, no part of the agent is running. */
  readonly over: Promise<void>
}

export const createAgentSession = (options: SessionOptions): AgentSession => {
  const { command, view, describeCall, now = () => new Date(), pace = 30, timer = systemTimer } = options
  const stage = createStage(options.room, pace)
  const { change, note } = stage
  const plan = (): Plan => (agent ? workingPlan(agent.tracker.plan, agent.tracker.ledger) : emptyPlan)
  const { onEvent, endAnswer } = createEventListener(stage, { view, describeCall, plan })
  const questions = createQuestions(stage, timer)
  let agent: Agent | undefined
  let stopTelling = (): void => {}
  let end = (): void => {}
  const left = new Promise<void>((resolve) => {
    end = resolve
  })

  const leave = (): void => {
    if (stage.state.isOver) return
    endAnswer()
    work.abort()
    stopTelling()
    change({ isOver: true })
    stage.flush()
    end()
  }

  const work = createWork({ stage, now, agent: () => agent, endAnswer })
  const commands = createCommands({ command, stage, work, agent: () => agent, leave })

  /** Reports changes that a person made elsewhere. Those of a command are in its answer, and the agent's own in its list. */
  const tellChange = ({ plan, events, entry }: Change): void => {
    if (entry.by.kind !== "person" || commands.isRunning) return
    const clauses = events.flatMap((event) => describeEvent(event, (id) => contentById(plan, id)) ?? [])
    if (clauses.length > 0) note(`${sanitise(entry.by.id)}: ${clauses.join("; ")}`)
  }

  return {
    get state() {
      return stage.state
    },
    subscribe: stage.subscribe,
    takeWritten: stage.takeWritten,
    note,
    listeners: { permit: questions.permit, confirm: questions.confirm, onEvent },
    begin(given, prompt = "") {
      agent = given
      stopTelling = given.tracker.subscribe(tellChange)
      change({ isPlanMode: given.planMode.isOn })
      if (prompt.trim() !== "") work.runPrompt(prompt.trim())
    },
    questionDrawn: questions.drawn,
    press: createKeys({ stage, questions, work, commands, leave }),
    leave,
    left,
    over: left.then(work.settled).then(() => undefined),
  }
}
