/** The list: one row per todo, crossed when it is completed. */
import { listLines } from "../../views/plan/list.ts"
import { Lines } from "./lines.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { type Room, useRoom } from "./use-room.ts"

export type TodoListProps = Room & {
  plan: PlanSource
}

/** Finished todos are dim and struck through, the todo in progress is bold. Draws nothing for an empty plan. */
export const TodoList = ({ plan, ...room }: TodoListProps) => <Lines lines={listLines(usePlan(plan), useRoom(room))} />
