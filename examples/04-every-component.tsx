/** Every component once, with its name: its props, and how it draws the same small plan. */

import type { Plan, PlanEvent } from "headway"
import {
  AgentDetail,
  AgentTodos,
  ChangeNotice,
  KeyHint,
  MemberPlan,
  PhaseTree,
  SpinnerWithTodos,
  StandaloneTodoList,
  TaskPanel,
  TodoList,
  TodosSummary,
} from "headway/tui"
import { renderToString } from "ink"

const plan: Plan = {
  revision: 1,
  phases: ["Look", "Build"],
  todos: [
    { id: "1", content: "Read the order form", status: "completed", phase: "Look", notes: ["Seven pages."] },
    {
      id: "2",
      content: "Change the address",
      status: "in_progress",
      phase: "Build",
      notes: ["Ask first.", "Test twice."],
    },
    { id: "3", content: "Test it with two countries", status: "pending", phase: "Build" },
    { id: "4", content: "Ask legal", status: "blocked", phase: "Build", reason: "no answer yet", waitsFor: "Maria" },
  ],
}
const events: PlanEvent[] = [
  { type: "todo-changed", id: "1", from: { status: "in_progress" }, to: { status: "completed" } },
  { type: "todo-changed", id: "2", from: { status: "pending" }, to: { status: "in_progress" } },
]

const gallery = {
  TodoList: <TodoList plan={plan} />,
  StandaloneTodoList: <StandaloneTodoList plan={plan} />,
  SpinnerWithTodos: <SpinnerWithTodos plan={plan} isExpanded />,
  AgentTodos: <AgentTodos plan={plan} isWorking tip="esc stops the agent" />,
  TodosSummary: <TodosSummary plan={plan} />,
  KeyHint: <KeyHint isExpanded={false} />,
  TaskPanel: <TaskPanel plan={plan} width={40} />,
  ChangeNotice: <ChangeNotice plan={plan} events={events} />,
  PhaseTree: <PhaseTree plan={plan} />,
  MemberPlan: <MemberPlan plan={plan} member="Reviewer" colour="magenta" />,
  AgentDetail: <AgentDetail plan={plan} />,
}

for (const [name, component] of Object.entries(gallery)) console.log(`${name}\n${renderToString(component)}\n`)
