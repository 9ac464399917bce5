/** An agent's todos: under its spinner while it works, on their own while it is idle. */
import { Box } from "ink"
import type { Plan } from "../../plan/todo.ts"
import { framedLines, type PlanView } from "../../views/plan/plan-view.ts"
import type { Todos } from "../../views/plan/row.ts"
import { Lines } from "./lines.tsx"
import { Spinner } from "./spinner.tsx"
import { SpinnerWithTodos, type SpinnerWithTodosProps } from "./spinner-with-todos.tsx"
import { StandaloneTodoList } from "./standalone-todo-list.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { useRoom } from "./use-room.ts"

export type AgentTodosProps = Omit<SpinnerWithTodosProps, "plan"> & {
  plan: PlanSource<MaybePhased>
  isWorking: boolean
  /** The list, the box or the tree of phases. A dialect's `view` names the one that its agent uses. @default "list" */
  view?: PlanView | undefined
}

/**
 * While the agent is idle, a collapsed list draws nothing; a collapsed box or tree shows 8 todos, an expanded one as
 * many as fit.
 */
export const AgentTodos = ({ isWorking, plan, view = "list", ...props }: AgentTodosProps) => {
  // Followed here, so that following continues when the view changes.
  const shown = usePlan<MaybePhased>(plan)
  if (view !== "list") return <FramedTodos isWorking={isWorking} plan={shown} view={view} {...props} />
  if (isWorking) return <SpinnerWithTodos plan={shown} {...props} />
  const { width, height, marks, isExpanded = false } = props
  return isExpanded ? <StandaloneTodoList plan={shown} width={width} height={height} marks={marks} /> : null
}

/** Only the tree needs phases. */
type MaybePhased = Todos & Partial<Pick<Plan, "phases">>

type FramedProps = Omit<AgentTodosProps, "plan" | "view"> & { plan: MaybePhased; view: Exclude<PlanView, "list"> }

const FramedTodos = ({ isWorking, plan, view, width, height, marks, isExpanded, tip: _, ...spinner }: FramedProps) => {
  const room = useRoom({ width, height, marks })
  const { height: rows = Number.POSITIVE_INFINITY } = room
  const left = isWorking ? rows - 1 : rows
  return (
    <Box flexDirection="column">
      {isWorking && <Spinner plan={plan} room={room} {...spinner} />}
      {left > 0 && <Lines lines={framedLines(view, { phases: [], ...plan }, { ...room, height: left, isExpanded })} />}
    </Box>
  )
}
