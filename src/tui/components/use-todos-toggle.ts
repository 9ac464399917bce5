/** Whether the todos are expanded, and the key that changes it. */
import { useInput, useStdin } from "ink"
import { useRef, useState } from "react"
import { type PlanSource, planOf } from "./use-plan.ts"

/** The state before the toggle, passed to the host only. */
export type ToggleTodosEvent = { type: "toggle_todos"; is_expanded: boolean; has_todos: boolean }

export type TodosToggleOptions = {
  plan: PlanSource
  /** Whether the view is expanded at first, such as the setting `showExpandedTodos`. @default false */
  startsExpanded?: boolean | undefined
  /** Listen to Ctrl+T; off while something else has the keyboard. @default true */
  isActive?: boolean | undefined
  onEvent?: ((event: ToggleTodosEvent) => void) | undefined
  /** Keeps the new state for the next start, such as in the setting `showExpandedTodos`. */
  onSave?: ((isExpanded: boolean) => void) | undefined
}

export type TodosToggle = { isExpanded: boolean; toggle: () => void }

/** Ctrl+T toggles, where there is a keyboard; `toggle` does the same by hand. */
export const useTodosToggle = (options: TodosToggleOptions): TodosToggle => {
  const { plan, startsExpanded = false, isActive = true, onEvent, onSave } = options
  const { isRawModeSupported } = useStdin()
  const [isExpanded, setExpanded] = useState(startsExpanded)
  // Two keys may arrive before anything is redrawn.
  const latest = useRef(isExpanded)
  const toggle = (): void => {
    const before = latest.current
    latest.current = !before
    setExpanded(!before)
    onEvent?.({ type: "toggle_todos", is_expanded: before, has_todos: planOf(plan).todos.length > 0 })
    onSave?.(!before)
  }
  useInput(
    (input, { ctrl, eventType }) => {
      if (ctrl && input === "t" && eventType !== "release") toggle()
    },
    // Without a keyboard to take over Ink would throw, and of a pipe it says neither yes nor no.
    { isActive: isActive && isRawModeSupported === true },
  )
  return { isExpanded, toggle }
}
