/** The AI SDK: todo tools next to your own, and a middleware that tells the model what changed between its turns. */
import { anthropic } from "@ai-sdk/anthropic"
import { generateText, stepCountIs, tool, wrapLanguageModel } from "ai"
import { openStore, openTracker } from "headway"
import { todoTools } from "headway/ai-sdk"
import { edits } from "headway/plan"
import { panelText } from "headway/views"
import { z } from "zod"

if (!process.env.ANTHROPIC_API_KEY) {
  console.error("Set ANTHROPIC_API_KEY to run this example.")
  process.exit(1)
}

const tracker = await openTracker({ store: await openStore("memory:"), session: "my-session" })
const todos = todoTools(tracker)

tracker.subscribe(({ plan }) => console.log(panelText(plan, { width: 60 })))

const { text } = await generateText({
  model: wrapLanguageModel({ model: anthropic("claude-sonnet-4-5"), middleware: todos.middleware }),
  system: `You are a careful engineer.\n\n${todos.system}`,
  prompt: "See that the tests pass, then publish.",
  tools: {
    ...todos.tools,
    runTests: tool({
      description: "Runs the tests.",
      inputSchema: z.object({}),
      // A person changes the plan while the tests run; the model is told before its next turn.
      execute: async () => {
        await tracker.edit({ kind: "person", id: "ada" }, () => edits.add("Ask Maria before publishing"))
        return "12 passed"
      },
    }),
  },
  stopWhen: stepCountIs(10),
})
console.log(text)
