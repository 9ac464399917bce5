/** Decides whose plans the view of a run shows, and how (behaviours A6, A7). */
import { progressOf } from "../../plan/progress.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { Plan } from "../../plan/todo.ts"
import type { Turn } from "../../streams/turns.ts"
import { countOpen, type LiveLists, nextLists, noLists } from "../../views/live-lists.ts"
import { memberFrames } from "../../views/plan/member-frame.ts"
import type { Line } from "../../views/text/span.ts"
import { cut } from "../../views/text/width.ts"
import type { AgentList, Member } from "./view.ts"

type List = {
  type: "todo_list"
  agentId: string
  parentId?: string
  items: readonly unknown[]
  name: string
  /** The plan as its agent reported it. */
  plan: Plan
}

/** Every agent that a member starts works for the member. */
const parentOf = (agent: string): { parentId?: string } => (agent === "main" ? {} : { parentId: "main" })

/** Calls `onCleared` with a sentence about each plan that leaves the view before its agent's turn has ended well. */
export const createRunState = (onCleared: (sentence: string) => void) => {
  let member: Member = {}
  let isStopping = false
  let lists: LiveLists<List> = noLists
  /** The agents' plans, including a person's changes. */
  const plans = new Map<string, Plan>()

  const planOf = ({ agentId, plan }: List): Plan => plans.get(agentId) ?? plan

  const report = (before: LiveLists<List>): void => {
    const shown = new Set(lists.map(({ list }) => list.agentId))
    for (const { list } of before) if (!shown.has(list.agentId)) onCleared(clearedText(list.name, planOf(list)))
  }

  const clear = (): void => {
    const before = lists
    lists = nextLists(lists, { type: "clear" })
    report(before)
    plans.clear()
    isStopping = false
  }

  return {
    clear,
    begin(next: Member): void {
      member = next
      lists = nextLists(lists, { type: "clear" })
      plans.clear()
      isStopping = false
    },
    list({ agent, plan, ...list }: AgentList): void {
      if (isStopping) return
      const name = (agent === "main" ? member.name : undefined) ?? list.name
      const next = { agentId: agent, ...parentOf(agent), items: plan.todos, name, plan }
      lists = nextLists(lists, { type: "todo_list", ...next })
    },
    planned: (agent: string, plan: Plan): void => void plans.set(agent, plan),
    turned({ agent, state }: Turn): void {
      const before = lists
      lists = nextLists(lists, { type: "turn", agentId: agent, ...parentOf(agent), state })
      if (state === "failed") report(before)
    },
    stopping(): void {
      clear()
      isStopping = true
    },
    lines({ width, height, ascii }: { width: number; height: number; ascii: boolean }): Line[] {
      if (isStopping) return [[{ text: cut("Stopping. Press again to stop it sooner.", width), style: { dim: true } }]]
      const frames = lists.map(({ list, hasEnded }) => ({
        plan: planOf(list),
        name: list.name,
        colour: member.colour,
        hasEnded,
        isSubAgent: list.parentId !== undefined,
      }))
      return memberFrames(frames, { width, height, ascii })
    },
  }
}

const clearedText = (name: string, plan: Pick<Plan, "todos">): string => {
  const { completed, total } = progressOf(plan)
  return `Cleared the plan of ${sanitise(name)}: ${completed} of ${total} completed, ${countOpen(plan.todos)} left open.`
}
