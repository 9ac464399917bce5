/** One todo of a plan: one line, or all details and actions when selected. */
import { memo, type PointerEvent } from "react"
import type { TodoSpan } from "../../../plan/log/history.ts"
import { isFinished, type Todo, type TodoStatus } from "../../../plan/todo.ts"
import type { DoneMark } from "../../../views/plan/evidence-marks.ts"
import { reasonOf } from "../../../views/plan/reason.ts"
import { Length, Running } from "../parts/since.tsx"
import { keyed, Text } from "../parts/text.tsx"
import { Mark, MarkDetails } from "./done-mark.tsx"
import { RewordField } from "./reword-field.tsx"
import { type TodoAction, TodoActions } from "./todo-actions.tsx"

export type TodoRowProps = {
  todo: Todo
  /** The texts of the todos that it waits for; empty if there are none. */
  blockers: string
  span: TodoSpan | undefined
  /** The evidence for it, if it is done and evidence is known. */
  mark: DoneMark | undefined
  /** Whether the plan has a column for marks. */
  hasMarks: boolean
  isSelected: boolean
  /** Whether the Tab key stops at this todo. */
  isTabStop: boolean
  isEditable: boolean
  isRewording: boolean
  /** Whether its clock is running. */
  isRunning: boolean
  /** When its session was last active, which is when its clock stopped. */
  stopped: string
  /** Whether the dragged todo would be dropped before or after this one. */
  drop: "before" | "behind" | undefined
  isDragged: boolean
  onAction: (action: TodoAction, todo: Todo) => void
  onReword: (todo: Todo, content: string | undefined) => void
  onGrip: (event: PointerEvent, todo: Todo) => void
}

export const TodoRow = memo((props: TodoRowProps) => {
  const { todo, mark, hasMarks, isSelected, isEditable, isRewording, drop, isDragged, onAction, onReword, onGrip } =
    props
  const { id, status, content } = todo
  const doubt = mark?.word === "contradicted" && "contradicted"
  const look = [status, doubt, isSelected && "selected", drop && `drop-${drop}`, isDragged && "dragged"].filter(Boolean)
  return (
    <li className={`todo ${look.join(" ")}`} data-stop="todo" data-todo={id} tabIndex={props.isTabStop ? 0 : -1}>
      <input
        type="checkbox"
        className="box"
        checked={status === "completed"}
        aria-label={`Done: ${content.slice(0, 200)}`}
        disabled={!isEditable}
        tabIndex={isSelected ? 0 : -1}
        onChange={() => onAction("toggle", todo)}
      />
      {hasMarks && <Mark mark={mark} />}
      <div className="body">
        {isRewording ? (
          <RewordField content={content} onDone={(text) => onReword(todo, text)} />
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the same is done by a key and by a button
          <div className="content" onDoubleClick={() => isEditable && onAction("reword", todo)}>
            {words[status] && <span className="hidden">{words[status]}: </span>}
            <Text of={content} className={isSelected ? "" : "clamp to-two"} />
          </div>
        )}
        <Below todo={todo} blockers={props.blockers} isSelected={isSelected} />
        {mark && isSelected && <MarkDetails mark={mark} />}
        {isSelected && isEditable && !isRewording && <TodoActions todo={todo} onAction={onAction} />}
      </div>
      <TodoTime {...props} />
      {isEditable && (
        <span className="grip" aria-hidden="true" onPointerDown={(event) => onGrip(event, todo)}>
          ⠿
        </span>
      )}
    </li>
  )
})

/** Words for the statuses that a checkbox cannot show. */
const words: Readonly<Partial<Record<TodoStatus, string>>> = {
  in_progress: "in progress",
  blocked: "blocked",
  cancelled: "dropped",
}

const TodoTime = ({ todo, span = {}, isRunning, stopped }: TodoRowProps) => {
  const { started, finished } = span
  if (started === undefined) return null
  if (todo.status === "in_progress") {
    // Its clock stops when its session does.
    return isRunning ? <Running since={started} /> : stopped > started ? <Length from={started} to={stopped} /> : null
  }
  return finished !== undefined && isFinished(todo.status) ? <Length from={started} to={finished} /> : null
}

/** The most notes shown of a todo that is not selected. */
const mostNotes = 3

const Below = ({ todo, blockers, isSelected }: Pick<TodoRowProps, "todo" | "blockers" | "isSelected">) => {
  const { status, notes = [], description = "" } = todo
  // "dropped", as on the button that drops a todo.
  const reason = reasonOf({ ...todo, waitsFor: todo.waitsFor?.trim() || blockers }).replace(/^cancelled:/, "dropped:")
  const isOpen = isSelected || status === "in_progress" || status === "blocked"
  const shown = isSelected ? notes : isOpen ? notes.slice(-mostNotes) : []
  const hidden = notes.length - shown.length
  const facts = isSelected ? factsOf(todo, blockers) : []
  return (
    <>
      {reason !== "" && <Text of={reason} className={`reason ${isSelected ? "" : "clamp to-two"}`} />}
      {isSelected && description.trim() !== "" && <Text of={description} as="lines" className="description" />}
      {keyed(shown).map(([key, note]) => (
        <Text key={key} of={note} as="lines" className={`note ${isSelected ? "" : "clamp to-two"}`} />
      ))}
      {hidden > 0 && <span className="note faint">{hidden === 1 ? "1 note" : `${hidden} notes`}</span>}
      {facts.length > 0 && <Text of={facts.join(" · ")} className="facts" />}
    </>
  )
}

const factsOf = ({ status, owner = "", priority }: Todo, blockers: string): string[] => [
  ...(owner.trim() === "" ? [] : [`owner ${owner}`]),
  ...(priority === undefined || priority === "medium" ? [] : [`${priority} priority`]),
  // For a blocked todo, the reason already names them.
  ...(blockers === "" || status === "blocked" ? [] : [`after ${blockers}`]),
]
