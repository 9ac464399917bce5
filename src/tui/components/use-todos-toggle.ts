/** Whether the todos are expanded, and the key that changes it. */
import { useInput, useStdin } from "ink"
import { useRef, useState } from "react"
import { type PlanSource, planOf } from "./use-plan.ts"

/** The state before the toggle, passed to the host only. */
export type ToggleTodosEvent = { type: "toggle_todos"; is_expanded: boolean; has_todos: boolean }

export type TodosToggleOptions = {
  plan: PlanSource
  /** Whether the view is expanded at first, for example from the setting `showExpandedTodos`. @default false */
  startsExpanded?: boolean | undefined
  /** Listens to Ctrl+T. Turn it off while another component has the keyboard. @default true */
  isActive?: boolean | undefined
  onEvent?: ((event: ToggleTodosEvent) => void) | undefined
  /** Saves the new state for the next start, for example in the setting `showExpandedTodos`. */
  onSave?: ((isExpanded: boolean) => void) | undefined
}

export type TodosToggle = { isExpanded: boolean; toggle: () => void }

/** Ctrl+T toggles if there is a keyboard. `toggle` does the same from code. */
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
    // Without a keyboard Ink would throw. For a pipe, Ink reports `undefined` instead of false.
    { isActive: isActive && isRawModeSupported === true },
  )
  return { isExpanded, toggle }
}
