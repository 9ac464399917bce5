/** Shows an agent's events on the screen: its answer row by row, each call on one line, everything else in short. */

import type { PlanEvent } from "../../plan/event.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import { emptyPlan, isFinished, type Plan } from "../../plan/todo.ts"
import type { AgentEvent } from "../../reference-agent/event.ts"
import type { AgentScreenOptions } from "../../reference-agent/screen.ts"
import { changeNoticeLines } from "../../views/plan/change-notice.ts"
import { standaloneListLines } from "../../views/plan/list.ts"
import { framedLines } from "../../views/plan/plan-view.ts"
import { indented } from "../../views/text/span.ts"
import type { Stage } from "./stage.ts"
import { callLabel, callLine, createRowStream, type Room } from "./transcript.ts"

export type EventListener = {
  onEvent: (event: AgentEvent) => void
  /** Ends the current message. */
  endAnswer(): void
}

export type EventListenerOptions = Pick<AgentScreenOptions, "view" | "describeCall"> & {
  /** The agent's plan at this moment. */
  plan: () => Plan
}

export const createEventListener = (stage: Stage, options: EventListenerOptions): EventListener => {
  const { view = "list", describeCall, plan } = options
  const answer = createRowStream()
  const listCalls = new Map<string, string>()
  let shown: Plan | undefined
  let isSaying = false
  let wasDone = false

  const writeAnswer = (rows: readonly string[]): void => {
    // Many answers begin with an empty line.
    const shown = isSaying ? rows : rows.slice(firstFull(rows))
    if (shown.length === 0) return
    stage.write(
      "said",
      shown.map((text) => [{ text }]),
      isSaying,
    )
    isSaying = true
  }
  const endAnswer = (): void => {
    writeAnswer(answer.end(stage.room().width))
    isSaying = false
    stage.change({ tail: "", thought: "" })
  }

  const endCall = (event: AgentEvent & { type: "tool-ended" }): void => {
    const { id, tool, isError, isHeldBack, isSilent, text, display, agent, depth } = event
    const call = stage.state.running.find((one) => one.id === id)
    stage.change({ running: stage.state.running.filter((one) => one !== call) })
    if (isSilent || isHeldBack || (display === undefined && !isError)) return
    const ended = { label: call?.label ?? callLabel(tool, undefined), isError, text, display }
    stage.write("done", [callLine({ ...ended, agent: depth === 0 ? undefined : agent }, stage.room())])
  }

  /**
   * Shows the effect of a list call, even one without changes, if the plan's view reports each call (behaviours G3, G6, O11).
   */
  const showListCall = ({ id, tool, isError, text }: AgentEvent & { type: "tool-ended" }): void => {
    const label = listCalls.get(id) ?? callLabel(tool, undefined)
    listCalls.delete(id)
    const room = stage.room()
    const now = plan()
    const changed = statusChanges(shown, now)
    shown = now
    if (view === "tree") {
      const result = isError ? [] : framedLines(view, now, narrower(room))
      stage.write("listed", [callLine({ label, isError, text }, room), ...indented(result, resultIndent)])
    }
    if (view === "panel" && !isError)
      stage.write("listed", changeNoticeLines(now, { ...room, height: mostTodos, events: changed }))
  }

  /** Adds a sub-agent when it starts, keeps its list up to date, and removes it when it ends. */
  const onMemberEvent = (event: AgentEvent): void => {
    const { members } = stage.state
    const { agent } = event
    if (event.type === "agent-started") {
      const { description } = event
      stage.change({ members: [...members, { agent, description, plan: emptyPlan }] })
    }
    if (event.type === "agent-ended") stage.change({ members: members.filter((member) => member.agent !== agent) })
    if (event.type !== "plan-changed") return
    const { plan } = event
    stage.change({ members: members.map((member) => (member.agent === agent ? { ...member, plan } : member)) })
  }

  /** A finished list soon leaves the screen, so its final state is written to the scroll-back. */
  const onPlanEvent = (plan: Plan): void => {
    const isDone = plan.todos.length > 0 && plan.todos.every(({ status }) => isFinished(status))
    if (isDone && !wasDone && view === "list")
      stage.write("shown", standaloneListLines(plan, { ...stage.room(), height: mostTodos }))
    wasDone = isDone
  }

  /** Events shown only for the main agent. */
  const onMainEvent = (event: AgentEvent): void => {
    if (event.type === "text-said") {
      writeAnswer(answer.push(event.text, stage.room().width))
      stage.change({ tail: answer.tail, thought: "" })
    }
    if (event.type === "thought-said") stage.change({ thought: lastLine(stage.state.thought + event.text) })
    if (event.type === "turn-started" || event.type === "turn-ended" || event.type === "turn-failed") endAnswer()
    if (event.type === "plan-changed") onPlanEvent(event.plan)
    if (event.type === "spinner-changed") stage.change({ doing: event.message })
    if (event.type === "tool-called" && event.isSilent) {
      shown ??= plan()
      const { tool, input } = event
      const does = describeCall && sanitise(describeCall({ tool, input }))
      listCalls.set(event.id, does ? `${callLabel(tool, undefined)} ${does}` : callLabel(tool, input))
    }
    if (event.type === "tool-ended" && event.isSilent) showListCall(event)
    if (event.type === "mode-changed") {
      stage.change({ isPlanMode: event.isPlanMode })
      stage.note(
        event.isPlanMode ? "Plan mode is on: the agent reads and plans, and changes nothing." : "Plan mode is off.",
      )
    }
  }

  const onEvent = (event: AgentEvent): void => {
    if (event.depth === 0) onMainEvent(event)
    else onMemberEvent(event)
    const { running, tokens } = stage.state
    if (event.type === "turn-ended") {
      const { output } = event.usage
      stage.change({ tokens: { now: tokens.now + output, all: tokens.all + output } })
    }
    if (event.type === "turn-failed") stage.complain(event.willRetry ? `${event.message} Trying again.` : event.message)
    if (event.type === "notice-given") stage.note(event.message)
    if (event.type === "compacted") stage.note("The conversation was replaced with a summary; the list stays.")
    if (event.type === "tool-called" && !event.isSilent) {
      const label = event.display ?? callLabel(event.tool, event.input)
      stage.change({ running: [...running, { id: event.id, label, progress: "" }] })
    }
    if (event.type === "tool-progressed") {
      const progress = lastLine(event.text.trimEnd())
      stage.change({ running: running.map((call) => (call.id === event.id ? { ...call, progress } : call)) })
    }
    if (event.type === "tool-ended") endCall(event)
  }
  return { onEvent, endAnswer }
}

const firstFull = (rows: readonly string[]): number => {
  const index = rows.findIndex((row) => row !== "")
  return index < 0 ? rows.length : index
}

/** Indents a result under the name of its call. */
const resultIndent = 2

const narrower = ({ width, ascii }: Room): Room => ({ width: Math.max(1, width - resultIndent), ascii })

/** The status changes since the list was last shown. */
const statusChanges = (before: Plan | undefined, after: Plan): PlanEvent[] => {
  const known = new Map(before?.todos.map(({ id, status }) => [id, status]))
  return after.todos.flatMap(({ id, status }): PlanEvent[] => {
    const from = known.get(id)
    return from === undefined || from === status
      ? []
      : [{ type: "todo-changed", id, from: { status: from }, to: { status } }]
  })
}

/** The most rows of a finished list in the scroll-back. */
const mostTodos = 30

/** The last line of a growing text, of which only the end is shown. */
const lastLine = (text: string): string => text.slice(-500).split("\n").at(-1) ?? ""
