/** Sub-agents: each has its own list, linked to the todo it works on, and cannot change another's. */
import { anthropic } from "@ai-sdk/anthropic"
import { generateText, stepCountIs, tool } from "ai"
import { openStore, openTracker, type Tracker } from "headway"
import { todoTools } from "headway/ai-sdk"
import { z } from "zod"

if (!process.env.ANTHROPIC_API_KEY) {
  console.error("Set ANTHROPIC_API_KEY to run this example.")
  process.exit(1)
}

const model = anthropic("claude-sonnet-4-5")

const work = async (tracker: Tracker, prompt: string): Promise<string> => {
  const todos = todoTools(tracker)
  const { text } = await generateText({
    model,
    system: tracker.isSubAgent ? `You work for another agent.\n\n${todos.system}` : todos.system,
    prompt,
    tools: { ...todos.tools, ...(tracker.isSubAgent ? {} : { delegate: delegateFor(tracker) }) },
    stopWhen: stepCountIs(10),
  })
  return text
}

const delegateFor = (tracker: Tracker) =>
  tool({
    description: "Hands one todo to another agent and answers what it found.",
    inputSchema: z.object({ name: z.string(), todo: z.string(), task: z.string() }),
    execute: async ({ name, todo, task }) => {
      const child = await tracker.child(name, { agentType: "my-agent", todo })
      const found = await work(child, task)
      await child.close()
      return found
    },
  })

const store = await openStore("memory:")
const tracker = await openTracker({ store, session: "my-session", opened: { agentType: "my-agent" } })

console.log(await work(tracker, "Find all uses of the old date format and replace them."))
for (const { content, status } of tracker.plan.todos) console.log(`main: ${status} ${content}`)
for (const { agent, parent, progress } of await tracker.children())
  console.log(`${agent}: ${progress.completed}/${progress.total}, for todo ${parent?.todo}`)
