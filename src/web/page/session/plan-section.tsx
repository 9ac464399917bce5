/** One plan, editable by keyboard, buttons and dragging. */
import { useCallback, useMemo, useRef, useState } from "react"
import { contentById } from "../../../plan/lookup.ts"
import { quoted } from "../../../plan/text/quoted.ts"
import type { Plan, Todo } from "../../../plan/todo.ts"
import type { EditAction } from "../../../views/board/edit.ts"
import { markIn } from "../../../views/plan/evidence-marks.ts"
import { cut } from "../../../views/text/width.ts"
import type { Row, SessionReply } from "../../api.ts"
import { type CommandHandler, useCommands } from "../keys/keyboard.ts"
import type { Loaded } from "../live/use-loaded.ts"
import { usePage } from "../page.ts"
import { Text } from "../parts/text.tsx"
import { Windowed } from "../parts/windowed.tsx"
import { type AskedEdit, askFor } from "./ask-for.ts"
import { type PlanItem, placeAt, planItems } from "./plan-items.ts"
import type { TodoAction } from "./todo-actions.tsx"
import { TodoRow } from "./todo-row.tsx"
import { type Dragging, useDragging } from "./use-dragging.ts"
import { useEditedPlan } from "./use-edited-plan.ts"
import { useKeptFocus } from "./use-kept-focus.ts"
import { useSelected } from "./use-selected.ts"

type PlanSectionProps = {
  row: Row
  session: Loaded<SessionReply>
  /** In a replay: a past state of the plan, which is read-only. */
  past?: Plan | undefined
  /** Whether the plan receives keys even if no part of it has the focus. */
  isMain: boolean
}

export const PlanSection = ({ row, session, past, isMain }: PlanSectionProps) => {
  const { prompts, toasts } = usePage()
  const place = useRef<HTMLDivElement>(null)
  const edited = useEditedPlan(row.key, session)
  const { act } = edited
  const plan = past ?? edited.plan
  const isEditable = row.isEditable && past === undefined
  const items = useMemo(() => (plan ? planItems(plan) : []), [plan])
  const { selected, onFocus } = useSelected()
  const [rewording, setRewording] = useState<string>()
  useKeptFocus(place, plan)

  const startAction = useCallback(
    (name: TodoAction, { id, status }: Todo): void => {
      const ask = (kind: AskedEdit, made: (text: string) => Parameters<typeof act>[0]): void =>
        prompts.ask(askFor(kind, (text) => act(made(text))))
      const because = (reason: string) => (reason === "" ? {} : { reason })
      switch (name) {
        case "toggle":
        case "start":
        case "remove":
          act({ kind: name, todo: id })
          break
        case "up":
        case "down":
          act({ kind: "move", todo: id, by: name === "up" ? -1 : 1 })
          break
        case "reword":
          setRewording(id)
          break
        case "block":
          // Blocking a blocked todo unblocks it, like an empty line on the terminal board.
          if (status === "blocked") act({ kind: "block", todo: id })
          else ask(name, (reason) => ({ kind: name, todo: id, ...because(reason) }))
          break
        case "drop":
          ask(name, (reason) => ({ kind: name, todo: id, ...because(reason) }))
          break
        case "note":
        case "answer":
          ask(name, (text) => ({ kind: name, todo: id, text }))
      }
    },
    [act, prompts],
  )
  const reword = useCallback(
    ({ id }: Todo, content: string | undefined): void => {
      setRewording(undefined)
      place.current?.querySelector<HTMLElement>(`[data-todo="${CSS.escape(id)}"]`)?.focus()
      if (content !== undefined) act({ kind: "reword", todo: id, content })
    },
    [act],
  )
  const drop = useCallback(
    ({ todo, target, side }: Dragging): void => {
      const { after, phase } = placeAt(items, todo, target, side)
      act({ kind: "place", todo, phase, ...(after === undefined ? {} : { after }) })
    },
    [act, items],
  )
  const { dragging, begin } = useDragging(drop)

  const command: CommandHandler = (given) => {
    const isInside = place.current?.contains(document.activeElement) === true
    if (given.kind !== "edit" || (!isInside && !isMain) || given.action === "text") return false
    if (!isEditable) {
      toasts.alert(past ? "This is an earlier state. Go back to now to change the plan." : "This plan is read-only.")
      return true
    }
    const focused = document.activeElement?.closest("[data-todo]")?.getAttribute("data-todo") ?? undefined
    const todo = isInside ? todoOf(items, focused ?? selected) : undefined
    if (given.action === "undo" || given.action === "redo") act({ kind: given.action })
    else if (given.action === "add") addAfter(todo?.id)
    else if (todo) startAction(given.action satisfies Exclude<EditAction, "text">, todo)
    else toasts.alert("Choose a todo first.")
    return true
  }
  useCommands(command)

  const addAfter = (id: string | undefined): void =>
    prompts.ask(askFor("add", (content) => act({ kind: "add", content, ...(id === undefined ? {} : { after: id }) })))

  const times = session.value?.times ?? {}
  const marks = past ? undefined : session.value?.marks
  const isRunning = (row.state === "working" || row.state === "stalled") && past === undefined
  const tabStop = todoOf(items, selected)?.id ?? firstOpen(items)
  const sideOf = (id: string) => (dragging?.target.todo === id && dragging.todo !== id ? dragging.side : undefined)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what has the focus is the selected todo
    <div ref={place} data-plan={row.key} className={dragging ? "plan dragging" : "plan"} onFocus={onFocus}>
      <Windowed
        items={items}
        height={38}
        label="Todos"
        render={(item) =>
          item.kind === "phase" ? (
            <li
              key={`phase ${item.name}`}
              className={dragging?.target.phase === item.name ? "phase drop-behind" : "phase"}
              data-phase={item.name}
            >
              <h3>
                <Text of={item.name} most={300} />
              </h3>
              <span className="count">
                {item.progress.completed} of {item.progress.total}
              </span>
            </li>
          ) : (
            <TodoRow
              key={item.todo.id}
              todo={item.todo}
              blockers={plan ? blockersOf(item.todo, plan) : ""}
              span={Object.hasOwn(times, item.todo.id) ? (times[item.todo.id] as TodoTimes) : undefined}
              mark={markIn(marks, item.todo)}
              hasMarks={marks !== undefined}
              isSelected={item.todo.id === selected}
              isTabStop={item.todo.id === tabStop}
              isEditable={isEditable}
              isRewording={item.todo.id === rewording}
              isRunning={isRunning}
              stopped={isRunning ? "" : row.updated}
              drop={sideOf(item.todo.id)}
              isDragged={dragging?.todo === item.todo.id}
              onAction={startAction}
              onReword={reword}
              onGrip={begin}
            />
          )
        }
      />
      {isEditable && (
        <p className="actions foot">
          <button type="button" className="button" onClick={() => addAfter(undefined)} aria-keyshortcuts="a">
            Add a todo <kbd>a</kbd>
          </button>
          {isMain && (
            <button type="button" className="button" onClick={() => act({ kind: "undo" })} aria-keyshortcuts="u">
              Undo <kbd>u</kbd>
            </button>
          )}
        </p>
      )}
    </div>
  )
}

const blockersOf = ({ blockedBy = [] }: Todo, plan: Plan): string =>
  blockedBy.map((id) => quoted(cut(contentById(plan, id), 80))).join(", ")

type TodoTimes = { started?: string; finished?: string }

const todoOf = (items: readonly PlanItem[], id: string | undefined): Todo | undefined => {
  const found = id === undefined ? undefined : items.find((item) => item.kind === "todo" && item.todo.id === id)
  return found?.kind === "todo" ? found.todo : undefined
}

/** The todo in progress, otherwise the first todo. */
const firstOpen = (items: readonly PlanItem[]): string | undefined => {
  const todos = items.flatMap((item) => (item.kind === "todo" ? [item.todo] : []))
  return (todos.find(({ status }) => status === "in_progress") ?? todos[0])?.id
}
