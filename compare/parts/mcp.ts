/** What an MCP server costs: to start, in tokens, and for each update. */
import { encode } from "gpt-tokenizer"
import { median } from "../../bench/measure.ts"
import { connect } from "../mcp-client.ts"
import type { Figure } from "../results.ts"
import { killGroup, mcpCall, openPlace, startGroup, timed } from "../stage.ts"
import { createLedger, type Part } from "./part.ts"

const tokens = (value: unknown): number => encode(typeof value === "string" ? value : JSON.stringify(value)).length

type Tool = { name: string; description?: string; inputSchema?: unknown }

export const mcp: Part = async (given) => {
  const { figure, row, rows, leftOut } = createLedger(given)
  for (const contender of given.contenders) {
    const { peer, ready } = contender
    const { mcp: server } = peer
    if (!server) continue
    let tools: Tool[] = []
    const figures: Figure[] = []
    const place = openPlace()
    try {
      peer.seed(place, 1_000, ready.program)
      figures.push(
        await figure(peer.title, "spawn to tools listed", () =>
          timed(
            async () => {
              const child = startGroup(mcpCall(contender, place))
              try {
                const client = await connect(child)
                tools = (await client.call("tools/list", {})).tools as Tool[]
                return undefined
              } finally {
                killGroup(child)
              }
            },
            { rounds: 5, seconds: 8 },
          ),
        ),
        { count: tools.length },
        {
          count: tools
            .map(({ name, description, inputSchema }) => tokens({ name, description, input_schema: inputSchema }))
            .reduce((sum, one) => sum + one, 0),
        },
      )
    } finally {
      place.close()
    }
    for (const size of [1_000, 10_000]) {
      const here = openPlace()
      const child = startGroup(mcpCall(contender, here))
      let spent = 0
      try {
        peer.seed(here, size, ready.program)
        const at = `update at ${size.toLocaleString("en-US")}`
        const update = await figure(peer.title, at, async () => {
          const client = await connect(child)
          const times: number[] = []
          for (let number = 1; number <= 9; number += 1) {
            const asked = server.finish(number, here)
            const started = performance.now()
            const reply = await client.call("tools/call", asked)
            times.push(performance.now() - started)
            const texts = (reply.content as { text?: string }[]).map(({ text = "" }) => text)
            if (reply.isError === true) throw new Error(texts.join(" "))
            // Folders differ from machine to machine.
            spent = tokens(asked.arguments) + tokens(texts.join("\n").replaceAll(here.folder, "/project"))
          }
          const { done } = peer.read(here, ready.program)
          if (done !== times.length) throw new Error(`${done} of ${times.length} updates are in the store`)
          return { ms: median(times), runs: times.length }
        })
        figures.push(update)
        if (size === 1_000) figures.push("none" in update ? update : { count: spent })
      } finally {
        killGroup(child)
        here.close()
      }
    }
    row(peer.title, figures)
  }
  return {
    id: "mcp",
    title: "MCP servers",
    about:
      "From the start of the server until its tools are listed, with 1,000 todos stored; the tokens of all tools it offers by default (name, description and schema, counted with a GPT tokenizer); a call that changes one todo, timed in a server that runs, and the tokens of its arguments and its reply.",
    columns: [
      "spawn to tools listed",
      "tools",
      "definition tokens",
      "update at 1,000",
      "tokens of one update",
      "update at 10,000",
    ],
    rows,
    leftOut,
  }
}
