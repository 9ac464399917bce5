/** Our tool is offered and called by its name, the plan is kept, and a person's edits reach the model at the next chance. */
import type { Client } from "../clients/client.ts"
import type { Stage } from "../stage.ts"
import {
  type Act,
  askingTurn,
  endedWell,
  type Fact,
  ownCall,
  ownList,
  type Scenario,
  sameList,
  shownPlan,
  timesIn,
  wordsOf,
} from "./scenario.ts"

const inResult = "Ask Ada first"
const byHook = "Water the plants"

export const tool: Scenario = {
  id: "tool",
  about: "our tool is called, and a person's edit comes with its result",
  acts: (client) => [client.otherCall ? withHooks(client) : withoutHooks(client)],
}

const firstTurns = (client: Client) => [
  { text: "I make a plan.", calls: [ownCall(client, { todos: ownList })] },
  { calls: [ownCall(client, { todos: [{ id: "1", status: "completed" }] })] },
]

const withoutHooks = (client: Client): Act => ({
  turns: [...firstTurns(client), askingTurn],
  meanwhile: { 1: ["todo", "add", inResult] },
  play: async (stage) => [
    endedWell(await stage.converse(["Do the work."])),
    ...offered(stage),
    sameList("the plan is in headway show", shownPlan(stage), kept),
    reached(stage, 2, inResult, "result"),
  ],
})

/** Two calls at once: their hooks run side by side, and still one of them tells it. */
const withHooks = (client: Client): Act => ({
  turns: [...firstTurns(client), { calls: client.otherCall ? [client.otherCall, client.otherCall] : [] }, askingTurn],
  meanwhile: { 1: ["todo", "add", inResult], 2: ["todo", "add", byHook] },
  play: async (stage) => [
    endedWell(await stage.converse(["Do the work."])),
    ...offered(stage),
    sameList("the plan is in headway show", shownPlan(stage), [...kept, `pending ${byHook}`]),
    reached(stage, 2, inResult, "result"),
    reached(stage, 3, byHook, "hook"),
    writtenOnce(stage),
  ],
})

const kept = ["completed Read the notes", "pending Write the report", `pending ${inResult}`]

const offered = (stage: Stage): Fact[] => {
  const { ownTool, ownToolUnlisted } = stage.client
  const { tool: calledAs } = ownCall(stage.client, {})
  const [first, second] = stage.requests()
  const names = first?.neutral.tools.map(({ name }) => name) ?? []
  const parts = second?.neutral.messages.flatMap((message) => message.parts) ?? []
  const call = parts.find((part) => part.type === "call" && part.tool === calledAs)
  const result = parts.find((part) => part.type === "result" && call?.type === "call" && part.id === call.id)
  const text = result?.type === "result" ? result.text : ""
  return [
    {
      what: `${ownTool} is ${ownToolUnlisted ? "not " : ""}in the first request`,
      ok: names.includes(ownTool) !== (ownToolUnlisted !== undefined),
      seen: `${first?.neutral.model ?? "no model"}, ${names.length} tools`,
      ...(ownToolUnlisted ? { cannot: ownToolUnlisted.reason } : {}),
    },
    {
      what: `it is called ${ownToolUnlisted ? `through ${calledAs}` : "by that name"}, and answers`,
      ok: /\b1 Read the notes \[in_progress\]/.test(text) && text.includes("0/2 done"),
      seen: text === "" ? "no answer" : /"text":/.test(text) ? "as JSON" : "as text",
    },
  ]
}

const reached = (stage: Stage, at: number, edit: string, way: "result" | "hook"): Fact => {
  const requests = stage.requests()
  const [before, times] = [requests[at - 1], requests[at]].map((request) => timesIn(wordsOf(request), edit))
  return {
    what: `a person's edit reaches the next request, ${way === "hook" ? "through a hook" : "with the tool's result"}`,
    ok: before === 0 && times === 1,
    seen: times === 1 ? "once" : `${times} times`,
  }
}

/** The hook sees the same calls as the server. */
const writtenOnce = (stage: Stage): Fact => {
  const { out } = stage.headway("history")
  const times = timesIn(out, "through todo (headway)")
  return { what: "a call the hook sees too is recorded once", ok: times === 2, seen: `${times} entries for 2 calls` }
}
