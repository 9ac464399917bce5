/** The conversation is cut, and the plan is in the very next request. */
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
  timesIn,
  wordsOf,
} from "./scenario.ts"

export const compaction: Scenario = {
  id: "compaction",
  about: "the plan after compaction",
  acts: (client) => {
    if (!client.compaction) return []
    return [
      client.compaction.prompt === undefined ? cutByItself(client) : cutByPrompt(client, client.compaction.prompt),
    ]
  },
}

/** A client that does not wait for its hook may send this many requests before the hook has said anything. */
const mostLater = 3

/** In the middle of the work, when a reply says how full the context is. */
const cutByItself = (client: Client): Act => ({
  turns: [
    { calls: [ownCall(client, { todos: ownList })] },
    { calls: client.otherCall ? [client.otherCall] : [], usage: { input: client.compaction?.usage ?? 0, output: 1 } },
    ...(client.compaction?.late && client.otherCall ? Array(mostLater).fill({ calls: [client.otherCall] }) : []),
    askingTurn,
  ],
  play: async (stage) => [endedWell(await stage.converse(["Do the work."])), ...restored(stage, 2)],
})

const cutByPrompt = (client: Client, prompt: string): Act => ({
  turns: [{ calls: [ownCall(client, { todos: ownList })] }, askingTurn, askingTurn],
  play: async (stage) => [endedWell(await stage.converse(["Do the work.", prompt, "Go on."])), ...restored(stage, 2)],
})

const restored = (stage: Stage, at: number): Fact[] => {
  const requests = stage.requests()
  const [before, after] = [requests[at - 1], requests[at]].map((request) => request?.neutral.messages.length ?? 0)
  const { ownTool, compaction: { late } = {} } = stage.client
  const calls = requests[at]?.neutral.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "call")) ?? []
  const later = late === undefined ? [requests[at]] : requests.slice(at + 1, at + 1 + mostLater)
  const words = later.map(wordsOf).find((one) => one.includes("#1 [in_progress]")) ?? ""
  return [
    {
      what: "the conversation is cut: the call that made the plan is gone",
      ok: requests[at] !== undefined && !calls.some((part) => part.type === "call" && part.tool === ownTool),
      seen: `${before} messages before, ${after} after`,
    },
    {
      what: `after compaction the plan is in ${late === undefined ? "the next request" : `one of the ${mostLater} requests after the next`}, once, with ids`,
      ok: ["#1 [in_progress] Read the notes", "#2 [pending] Write the report"].every(
        (line) => timesIn(words, line) === 1,
      ),
      seen: /[^\n]*\n\n#1 \[[^\n]*/.exec(words)?.[0].replaceAll("\n", " ").slice(-120) ?? "no plan in it",
      ...(late === undefined ? {} : { cannot: late }),
    },
  ]
}
