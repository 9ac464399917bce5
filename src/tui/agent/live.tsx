/** The live part of the agent's screen: its current activity, its list, and the input line. */
import { Box, useStdout } from "ink"
import { useLayoutEffect, useMemo, useSyncExternalStore } from "react"
import { progressOf } from "../../plan/progress.ts"
import type { Plan } from "../../plan/todo.ts"
import type { Agent } from "../../reference-agent/agent.ts"
import type { AgentScreenOptions } from "../../reference-agent/screen.ts"
import { agentTasksLines } from "../../views/plan/list.ts"
import { framedLines, type PlanView } from "../../views/plan/plan-view.ts"
import { fitted, layoutOf, type ViewOptions } from "../../views/plan/row.ts"
import { clockText, tokensText } from "../../views/text/elapsed.ts"
import { lineWidth, spread } from "../../views/text/line-layout.ts"
import type { Line as SpanLine, Style } from "../../views/text/span.ts"
import { widthOf } from "../../views/text/width.ts"
import { AgentTodos } from "../components/agent-todos.tsx"
import { useAppearance } from "../components/appearance.tsx"
import { Line } from "../components/line.tsx"
import { Lines } from "../components/lines.tsx"
import { useClock } from "../components/use-clock.ts"
import { type TodosToggleOptions, useTodosToggle } from "../components/use-todos-toggle.ts"
import { useVisibleTodos } from "../components/use-visible-todos.ts"
import type { Key } from "../terminal/keyboard.ts"
import { longestText } from "../terminal/line-editor.ts"
import type { Timer } from "../terminal/pace.ts"
import { paintRows } from "../terminal/paint.ts"
import { createTerminalModes, wrapping } from "../terminal/terminal-modes.ts"
import { useKeys } from "../terminal/use-keys.ts"
import { useTerminalSize } from "../terminal/use-terminal-size.ts"
import { PromptLine, promptRows } from "./prompt-line.tsx"
import {
  leastRows,
  mostRows,
  type QuestionParts,
  questionLines,
  questionParts,
  questionShares,
  seenQuestion,
} from "./question-lines.ts"
import type { AgentSession } from "./session.ts"
import type { StageState } from "./stage.ts"

export type AgentScreenProps = Pick<TodosToggleOptions, "startsExpanded" | "onEvent" | "onSave"> & {
  session: AgentSession
  agent: Pick<Agent, "tracker">
  now: () => Date
  /** How the plan is shown. @default "list" */
  view?: PlanView | undefined
  /** Returns the evidence for done todos. @default no evidence is shown */
  marks?: AgentScreenOptions["marks"]
  /** Seconds until finished todos leave the list on the screen (behaviour O13). If negative, they stay. */
  clearDelay: number
  /** Ctrl+Z: gives the terminal back to the shell until the program is continued. */
  onPause?: (() => void) | undefined
  /** Distinguishes Esc from sequences that begin with it. @default the system's timer */
  timer?: Timer | undefined
  /** The terminal whose size is used. @default the one that Ink draws on */
  output?: NodeJS.WriteStream
}

export const AgentScreen = (props: AgentScreenProps) => {
  const { session, agent, output, now, view = "list", marks: marksOf, clearDelay, onPause, timer, ...toggling } = props
  const state = useSyncExternalStore(session.subscribe, () => session.state)
  const plan = useVisibleTodos(agent.tracker, { now, clearDelay })
  const { colour, ascii } = useAppearance()
  const { write, stdout } = useStdout()
  const { columns, rows } = useTerminalSize(output)
  // Ctrl+T is read below, together with all other keys.
  const { isExpanded, toggle } = useTodosToggle({ plan: agent.tracker, isActive: false, ...toggling })
  const width = columns || 80
  const rowOptions = { width, ascii }
  const members = state.members.filter((member) => member.plan.todos.length > 0)
  const isTyping = state.editor.text !== ""
  const asked = useMemo(
    () => state.question && questionParts(state.question, { width, ascii, isTyping }),
    [state.question, width, ascii, isTyping],
  )
  const height = rows || 24
  // The evidence is read again only when the list changes.
  const marks = useMemo(() => marksOf?.(plan.todos), [marksOf, plan])
  const todos = todoRows(plan, { ...rowOptions, marks, view, height, isExpanded })
  const surroundings = { rows: height, width, todos, isExpanded, asked }
  const shares = sharesOf({ ...state, members }, surroundings)
  const seen = seenQuestion(state, asked, shares.question)
  const press = (key: Key): void => {
    if (key.ctrl && key.name === "t") toggle()
    else if (key.ctrl && key.name === "z") onPause?.()
    else session.press(key, seen)
  }
  useKeys(press, timer)
  // Ink counts its rows to erase them. Every row that the terminal wraps would leave one behind.
  useLayoutEffect(() => {
    const modes = createTerminalModes(stdout, ["no-wrapping", "marked-pastes"])
    modes.enter()
    return modes.leave
  }, [stdout])
  useLayoutEffect(() => session.questionDrawn(state.question), [session, state.question])
  // Finished output moves to the scroll-back once the live part no longer shows it.
  useLayoutEffect(() => {
    const lines = session.takeWritten()
    if (lines.length > 0) write(`${wrapping.on}${paintRows(lines, colour)}\n${wrapping.off}`)
  })
  if (state.isOver) return null

  const { isWorking, doing, question, editor, since, tokens } = state
  const { completed, total } = progressOf(plan)
  return (
    <Box flexDirection="column" marginTop={shares.gap}>
      <Lines lines={nowLines(state, rowOptions).slice(0, shares.now)} />
      <Lines lines={memberLines(members, { ...rowOptions, height: shares.members, isExpanded })} />
      {shares.todos > 0 && (
        <AgentTodos
          plan={plan}
          isWorking={isWorking}
          isExpanded={isExpanded}
          view={view}
          marks={marks}
          message={doing}
          since={since}
          now={now}
          tokens={tokens.now}
          suffix={total === 0 ? "" : `${completed}/${total}`}
          width={width}
          height={shares.todos}
        />
      )}
      <Lines lines={queuedLines(state, rowOptions).slice(0, shares.queued)} />
      {asked && <Lines lines={questionLines(asked, shares.question, state)} />}
      <PromptLine
        editor={editor}
        width={width}
        height={shares.line}
        hasCursor={!question || isTyping}
        placeholder={isWorking || question ? "" : "What should be done?"}
      />
      {shares.hint > 0 && <Hint state={state} options={{ ...rowOptions, isExpanded, view }} now={now} />}
    </Box>
  )
}

type RowOptions = { width: number; ascii: boolean }
type Surroundings = {
  rows: number
  width: number
  todos: number
  isExpanded: boolean
  asked: QuestionParts | undefined
}

/** How many rows each part gets. One row stays free; otherwise the terminal would scroll with every drawing. */
const sharesOf = (state: StageState, { rows, width, todos, isExpanded, asked }: Surroundings) => {
  let left = Math.max(1, rows - 1)
  const take = (wanted: number, atMost = left): number => {
    const taken = Math.max(0, Math.min(wanted, atMost, left))
    left -= taken
    return taken
  }
  // A question comes first: its subject must be visible before anything else.
  const least = leastRows(asked, left)
  take(least)
  const line = take(promptRows(state.editor, width), Math.max(1, Math.floor(left / 3)))
  const hint = take(1)
  const question = questionShares(
    asked,
    least + take(mostRows(asked) - least, left - Math.min(4, Math.floor(left / 4))),
  )
  const now = take(state.running.length + (state.tail === "" && state.thought === "" ? 0 : 1), Math.ceil(left / 3))
  const queued = take(state.queued.length, Math.min(3, Math.floor(left / 3)))
  const gap = left > 6 ? take(1) : 0
  const wanted = state.members.reduce((sum, { plan }) => sum + (isExpanded ? Math.min(6, plan.todos.length + 1) : 1), 0)
  const members = take(wanted, Math.floor(left / 2))
  // The last message should stay visible next to a long list.
  const mostTodos = Math.max(6, Math.floor(rows / 2))
  return { line, question, hint, now, queued, gap, members, todos: take(todos + (state.isWorking ? 1 : 0), mostTodos) }
}

/** The rows that the plan's view needs. The list needs one more, for its heading or for the next todo. */
const todoRows = (
  plan: Plan,
  { view, isExpanded, ...options }: RowOptions & Heights & Pick<ViewOptions, "marks"> & { view: PlanView },
): number => (view === "list" ? plan.todos.length + 1 : framedLines(view, plan, { ...options, isExpanded }).length)

/** The running calls, then the row that the model is writing, otherwise its thought. */
const nowLines = ({ running, tail, thought }: StageState, { width, ascii }: RowOptions): SpanLine[] => {
  const layout = layoutOf({ width, ascii })
  const line = (text: string, style?: Style): SpanLine => [{ text: fitted(text, layout), style }]
  const calls = running.map(({ label, progress }) =>
    line(`${ascii ? "-" : "◦"} ${label}${progress.trim() === "" ? "" : `: ${progress}`}`, { dim: true }),
  )
  if (tail !== "") return [line(tail), ...calls]
  return thought.trim() === "" ? calls : [line(thought, { dim: true }), ...calls]
}

/** Sub-agents with a list (behaviour C35): the progress of each and, if the todos are expanded, the list. */
const memberLines = (members: Members, { height, isExpanded, ...rowOptions }: RowOptions & Heights): SpanLine[] => {
  const each = isExpanded ? Math.max(1, Math.floor(height / Math.max(1, members.length))) : 1
  return members
    .flatMap(({ description, plan }) => {
      const [heading = [], ...list] = agentTasksLines(plan, { ...rowOptions, height: Math.max(2, each) })
      const name = fitted(description, layoutOf({ ...rowOptions, width: Math.max(8, rowOptions.width - 16) }))
      return [[{ text: `${name} `, style: { colour: "cyan" as const } }, ...heading], ...list.slice(0, each - 1)]
    })
    .slice(0, height)
}

type Members = StageState["members"]
type Heights = { height: number; isExpanded: boolean }

const queuedLines = ({ queued }: StageState, rowOptions: RowOptions): SpanLine[] =>
  queued.map((text) => [{ text: fitted(`queued: ${text}`, layoutOf(rowOptions)), style: { dim: true } }])

/** Explains why typed keys have no effect, or why only the beginning of a paste is in the prompt. */
const tooLong = `No more than ${longestText.toLocaleString("en")} characters fit here: the rest was left out.`

type HintOptions = RowOptions & { isExpanded: boolean; view: PlanView }

/**
 * The keys and, at the right end, the total working time and tokens. A component of its own, so that each second
 * redraws only this line.
 */
const Hint = ({ state, options, now }: { state: StageState; options: HintOptions; now: () => Date }) => {
  const { since, worked, tokens } = state
  const time = useClock(now, since !== undefined).getTime()
  const length = worked + (since ? time - since.getTime() : 0)
  const facts = [length < 1000 ? [] : clockText(length), tokens.all > 0 ? tokensText(tokens.all) : []].flat()
  const { width, ellipsis } = layoutOf(options)
  const keys = hintLine(state, options)
  const room = width - lineWidth(keys) - 1
  // The keys take precedence; time and tokens get the remaining columns.
  const right = [facts, facts.slice(0, 1), []]
    .map((some) => some.join(options.ascii ? " - " : " · "))
    .find((text) => widthOf(text) <= room)
  return <Line line={right ? spread(keys, [{ text: right, style: { dim: true } }], width, ellipsis) : keys} />
}

const hintLine = (state: StageState, { isExpanded, view, ...rowOptions }: HintOptions): SpanLine => {
  const { armed, isPlanMode, isWorking } = state
  if (armed !== undefined)
    return [{ text: fitted(`${armed} again to leave`, layoutOf(rowOptions)), style: { dim: true } }]
  if (state.editor.text.length >= longestText)
    return [{ text: fitted(tooLong, layoutOf(rowOptions)), style: { colour: "yellow" } }]
  const mode = isPlanMode ? "plan mode, " : ""
  const [more, less] = view === "list" ? ["show", "hide"] : ["more", "fewer"]
  const keys = [`ctrl+t ${isExpanded ? less : more} todos`, isWorking ? "esc interrupts" : "/help"].join(", ")
  const text = fitted(mode + keys, layoutOf(rowOptions))
  return [
    { text: text.slice(0, mode.length), style: { colour: "magenta" } },
    { text: text.slice(mode.length), style: { dim: true } },
  ]
}
