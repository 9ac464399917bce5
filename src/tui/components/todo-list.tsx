/** The list: one row per todo, crossed when it is completed. */
import { listLines } from "../../views/plan/list.ts"
import { Lines } from "./lines.tsx"
import { type PlanSource, usePlan } from "./use-plan.ts"
import { type Room, useRoom } from "./use-room.ts"

export type TodoListProps = Room & {
  plan: PlanSource
}

/** What is finished is dim and struck through, what is in progress bold; an empty plan draws nothing. */
export const TodoList = ({ plan, ...room }: TodoListProps) => <Lines lines={listLines(usePlan(plan), useRoom(room))} />
