/** The public door of this room: Ink components for people who build agents. */

export { AgentDetail, type AgentDetailProps } from "./components/agent-detail.tsx"
export { AgentTodos, type AgentTodosProps } from "./components/agent-todos.tsx"
export { type Appearance, AppearanceProvider, useAppearance } from "./components/appearance.tsx"
export { ChangeNotice, type ChangeNoticeProps } from "./components/change-notice.tsx"
export { KeyHint, type KeyHintProps } from "./components/key-hint.tsx"
export { Line } from "./components/line.tsx"
export { MemberPlan, type MemberPlanProps } from "./components/member-plan.tsx"
export { PhaseTree, type PhaseTreeProps } from "./components/phase-tree.tsx"
export type { SpinnerProps } from "./components/spinner.tsx"
export { SpinnerWithTodos, type SpinnerWithTodosProps } from "./components/spinner-with-todos.tsx"
export { StandaloneTodoList, type StandaloneTodoListProps } from "./components/standalone-todo-list.tsx"
export { TaskPanel, type TaskPanelProps } from "./components/task-panel.tsx"
export { TodoList, type TodoListProps } from "./components/todo-list.tsx"
export { TodosSummary, type TodosSummaryProps } from "./components/todos-summary.tsx"
export { type PlanOptions, type PlanSource, usePlan } from "./components/use-plan.ts"
export type { Room } from "./components/use-room.ts"
export {
  type TodosToggle,
  type TodosToggleOptions,
  type ToggleTodosEvent,
  useTodosToggle,
} from "./components/use-todos-toggle.ts"
export { useVisibleTodos, type VisibleTodosOptions } from "./components/use-visible-todos.ts"
export { type TerminalSize, useTerminalSize } from "./terminal/use-terminal-size.ts"
