/** An agent's todos, whatever it does: under its spinner while it works, on their own while it is idle. */
import { SpinnerWithTodos, type SpinnerWithTodosProps } from "./spinner-with-todos.tsx"
import { StandaloneTodoList } from "./standalone-todo-list.tsx"

export type AgentTodosProps = SpinnerWithTodosProps & {
  isWorking: boolean
}

/** Idle and collapsed it draws nothing. */
export const AgentTodos = ({ isWorking, ...props }: AgentTodosProps) => {
  if (isWorking) return <SpinnerWithTodos {...props} />
  const { plan, width, height, isExpanded = false } = props
  return isExpanded ? <StandaloneTodoList plan={plan} width={width} height={height} /> : null
}
