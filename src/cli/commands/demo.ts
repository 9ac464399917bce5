/** `headway demo`: plays a recorded session through the real kernel and shows each step. */
import { findDialect } from "../../dialects/index.ts"
import { createMemoryStore } from "../../stores/memory.ts"
import { openTracker, type Tracker } from "../../tracker.ts"
import { panelText, widthOf } from "../../views/index.ts"
import type { Command } from "../command.ts"
import { recording } from "../demo-recording.ts"

const session = "demo"

export const demo: Command = {
  usage: "demo",
  about: "Plays a recorded session of several agents: each call, what the model is told, and the plan after it.",
  options: {},
  examples: ["headway demo", "headway demo --ascii"],
  async run({ io, values }) {
    const ascii = values.ascii === true
    const width = Math.min(io.columns ?? 72, 72)
    const store = createMemoryStore()
    const trackers = new Map<string, Tracker>()
    for (const [index, { agent, dialect, tool, input, about }] of recording.entries()) {
      const tracker = trackers.get(agent) ?? (await openTracker({ store, session, agent, now: io.now }))
      trackers.set(agent, tracker)
      const { ok, text, plan } = await tracker.write({ tool, input }, findDialect(dialect))
      const title = `${index + 1}/${recording.length} ${agent} ${ascii ? "-" : "·"} ${tool}`
      const rule = (ascii ? "-" : "─").repeat(Math.max(0, width - widthOf(title) - 1))
      const told = text.split("\n").map((line) => `  ${ascii ? "|" : "│"} ${line}`)
      const step = [`${title} ${rule}`, about, ok ? "told the model:" : "refused, and told the model:", ...told]
      io.out(`${[...step, panelText(plan, { width, ascii })].join("\n")}\n\n`)
    }
    io.out("Three agents, three vocabularies, one model. Next: headway --help\n")
    return 0
  },
}
