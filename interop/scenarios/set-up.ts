/** What set-up wrote works for the real client, doctor sees it, and undoing leaves nothing of ours. */
import type { Stage } from "../stage.ts"
import { askingTurn, endedWell, type Fact, ownCall, ownList, type Scenario } from "./scenario.ts"

export const setUp: Scenario = {
  id: "set-up",
  about: "set-up, doctor and undo",
  acts: (client) => [
    {
      turns: [{ calls: [ownCall(client, { todos: ownList })] }, askingTurn],
      play: async (stage) => {
        const before = diagnosis(stage)
        // Clients rewrite their own files while they run.
        const ran = await stage.converse(["Do the work."])
        const undone = stage.headway("setup", client.agent, "--undo")
        const after = diagnosis(stage)
        return [
          seen("doctor finds the client and our tool in it", before, "connected"),
          endedWell(ran),
          {
            ...seen("after --undo nothing of ours is left", after, "absent"),
            ...(undone.code === 0 ? {} : { ok: false }),
          },
        ]
      },
    },
  ],
}

type Part = { state: string; note?: string }

type Report = { agent: string; version?: string; parts: { user?: Record<string, Part> } }

const diagnosis = (stage: Stage): Report | undefined => {
  const { out } = stage.headway("doctor", "--json")
  return (JSON.parse(out) as { agents: Report[] }).agents.find(({ agent }) => agent === stage.client.agent)
}

/** Hooks that wait for the person's trust count: that is a click, and not ours to give. */
const seen = (what: string, report: Report | undefined, wanted: "connected" | "absent"): Fact => {
  const { mcp, hooks } = report?.parts.user ?? {}
  const isTrusted = (part: Part): boolean => part.state === wanted || /not trusted yet/.test(part.note ?? "")
  const parts = Object.entries({ ...(mcp ? { tool: mcp } : {}), ...(hooks ? { hooks } : {}) })
  return {
    what,
    ok: report?.version !== undefined && mcp?.state === wanted && (!hooks || isTrusted(hooks)),
    seen: [report?.version ?? "no version", ...parts.map(([name, { state }]) => `${name} ${state}`)].join(", "),
  }
}
