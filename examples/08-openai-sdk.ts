/** The OpenAI SDK: todo tools for `responses.create`. For chat completions, use `chat` instead of `responses`. */
import { openStore, openTracker } from "headway"
import { todoTools } from "headway/openai"
import OpenAI from "openai"
import type { ResponseInputItem } from "openai/resources/responses/responses"

if (!process.env.OPENAI_API_KEY) {
  console.error("Set OPENAI_API_KEY to run this example.")
  process.exit(1)
}

const tracker = await openTracker({ store: await openStore("memory:"), session: "my-session" })
const { responses, system } = todoTools(tracker)

const client = new OpenAI()
const input: ResponseInputItem[] = [{ role: "user", content: "Find out why the build is slow." }]

for (;;) {
  const { output, output_text } = await client.responses.create({
    model: "gpt-5",
    instructions: `You are a careful engineer.\n\n${system}`,
    tools: responses.tools,
    input: await responses.remind(input),
    store: false,
  })
  input.push(...(output as ResponseInputItem[]))
  const calls = output.filter((item) => item.type === "function_call")
  if (calls.length === 0) {
    console.log(output_text)
    break
  }
  for (const call of calls) input.push(await responses.execute(call))
}

for (const { id, status, content } of tracker.plan.todos) console.log(id, status, content)
