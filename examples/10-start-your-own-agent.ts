/** Your own coding agent, made from ours: with your tool, your permissions and your screen. */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findDialect, openStore, openTracker } from "headway"
import { type AgentTool, createMemoryTranscript, findModel, openAgent } from "headway/agent"

if (!process.env.ANTHROPIC_API_KEY) {
  console.error("Set ANTHROPIC_API_KEY to run this example.")
  process.exit(1)
}

const deploy: AgentTool = {
  name: "Deploy",
  description: "Deploys to the staging server.",
  schema: { type: "object", properties: {}, additionalProperties: false },
  isEnabled: () => true,
  isReadOnly: () => false, // refused in plan mode
  isConcurrencySafe: () => false, // never in parallel with another call
  needsPermission: async () => ({ action: "run", target: "staging", isOutside: true, question: "Deploy to staging?" }),
  renderToolUseMessage: () => "Deploying to staging",
  run: async (_, { agentId, isSubAgent, plan, notify, setSpinnerMessage }) => {
    if (isSubAgent) return { text: `${agentId} may not deploy: ask the main agent.`, isError: true }
    setSpinnerMessage("Uploading") // shown until the call ends
    notify(`${plan.todos.length} todos go with it.`) // a sentence for the person
    return { text: "Deployed version 1.4.", display: "Deployed 1.4" }
  },
}

const { model, contextWindow } = await findModel("anthropic/claude-sonnet-4-5", process.env)
const tracker = await openTracker({ store: await openStore("memory:"), session: "my-session" })

const agent = await openAgent({
  model,
  contextWindow,
  tracker,
  transcript: createMemoryTranscript(),
  cwd: await mkdtemp(join(tmpdir(), "my-agent-")),
  dialect: findDialect("headway"),
  planFile: join(tmpdir(), "my-session.md"),
  tools: [deploy],
  permit: async ({ action, isOutside, question }) => {
    console.log(`asked: ${question}`)
    return action === "write" && !isOutside ? true : { why: "Only on weekdays." }
  },
  confirm: async () => true,
  onEvent: (event) => {
    if (event.type === "tool-ended" && !event.isSilent) console.log(`${event.tool}: ${event.display ?? event.text}`)
    if (event.type === "plan-changed") for (const { status, content } of event.plan.todos) console.log(status, content)
    if (event.type === "notice-given") console.log(`notice: ${event.message}`)
  },
})

const { ending, text } = await agent.run("Write the notes of the release and deploy it.", new AbortController().signal)
console.log(`${ending}: ${text}`)
agent.close()
