/** A sub-agent that calls our tool keeps a list of its own and cannot touch its parent's. */
import type { Stage } from "../stage.ts"
import { askingTurn, endedWell, type Fact, ownCall, ownList, type Scenario, sameList, shownPlan } from "./scenario.ts"

const task = "Look at the attic and say what is there."

export const subAgent: Scenario = {
  id: "sub-agent",
  about: "a sub-agent with our tool",
  acts: (client) =>
    client.delegation
      ? [
          {
            turns: [{ calls: [ownCall(client, { todos: ownList })] }, ...client.delegation(task), askingTurn],
            delegated: {
              task,
              turns: [
                {
                  calls: [ownCall(client, { todos: [{ content: "Climb up", status: "in_progress" }], replace: true })],
                },
                client.delegateEnd ? { calls: [client.delegateEnd], repeat: true } : { text: "Dust.", repeat: true },
              ],
            },
            play: async (stage) => [
              endedWell(await stage.converse(["Do the work."])),
              sameList(
                "the list of its parent stays",
                shownPlan(stage),
                ownList.map(({ content, status }) => `${status} ${content}`),
              ),
              ownPlan(stage),
            ],
          },
        ]
      : [],
}

type ListedPlan = { agent: string; isOwn: boolean; todos: number; parent?: { agent: string } }

const ownPlan = (stage: Stage): Fact => {
  const plans = JSON.parse(stage.headway("list", "--json", "--all").out) as ListedPlan[]
  const children = plans.filter(({ isOwn, agent }) => isOwn && agent !== "main")
  return {
    what: "a sub-agent has its own list, under its parent's",
    ok: children.length === 1 && children[0]?.todos === 1 && children[0].parent?.agent === "main",
    seen: children.map(({ agent, todos }) => `${agent}: ${todos} todo`).join(", ") || "no list of its own",
  }
}
