/** An agent's todos, whatever it does: under its spinner while it works, on their own while it is idle. */
import { SpinnerWithTodos, type SpinnerWithTodosProps } from "./spinner-with-todos.tsx"
import { StandaloneTodoList } from "./standalone-todo-list.tsx"
import { usePlan } from "./use-plan.ts"

export type AgentTodosProps = SpinnerWithTodosProps & {
  isWorking: boolean
}

/** Idle and collapsed it draws nothing. */
export const AgentTodos = ({ isWorking, plan, ...props }: AgentTodosProps) => {
  // Followed here, so that it goes on while one view takes the place of the other.
  const shown = usePlan(plan)
  if (isWorking) return <SpinnerWithTodos plan={shown} {...props} />
  const { width, height, isExpanded = false } = props
  return isExpanded ? <StandaloneTodoList plan={shown} width={width} height={height} /> : null
}
