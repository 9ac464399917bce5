/** Our plugin, installed as the client's users install things: it works alone, and nothing is doubled when set-up is used too. */
import type { Stage } from "../stage.ts"
import {
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

const first = "Ask Ada first"
const second = "Water the plants"

export const plugin: Scenario = {
  id: "plugin",
  about: "our plugin, alone and with set-up",
  acts: (client) => {
    const { otherCall, pluginTool = client.ownTool } = client
    if (!otherCall) return []
    const other = { calls: [otherCall] }
    return [
      {
        isInstalled: true,
        turns: [
          { calls: [{ tool: pluginTool, input: { todos: ownList } }] },
          other,
          askingTurn,
          { calls: [ownCall(client, { todos: ownList, replace: true })] },
          other,
          askingTurn,
        ],
        meanwhile: { 1: ["todo", "add", first], 4: ["todo", "add", second] },
        play: async (stage) => {
          const alone = await stage.converse(["Do the work."])
          const list = shownPlan(stage)
          const seen = [
            offered(stage, 0, [pluginTool], "the plugin's tool is in the first request"),
            sameList("the plan is in headway show", list, [...ownList.map(written), `pending ${first}`]),
            editReaches(stage, 2, first, "a person's edit reaches the next request through the plugin, once"),
          ]
          const unseen = (cannot: string): Fact[] => [
            { ...offered(stage, 0, [], "this model is not shown the plugin's tool"), cannot },
            unseenNote(stage),
          ]
          const facts = [
            endedWell(alone),
            ...(client.pluginUnseen === undefined ? seen : unseen(client.pluginUnseen)),
            connection(stage, "plugin"),
          ]
          const { err } = stage.headway("setup", client.agent)
          const both = await stage.converse(["Do more work."])
          return [
            ...facts,
            { what: "setup says that the plugin is there", ok: /also has Headway's plugin/.test(err), seen: "" },
            connection(stage, "both"),
            endedWell(both),
            offered(stage, 3, [client.ownTool], "with set-up too, our tool is offered once"),
            editReaches(stage, 5, second, "with set-up too, an edit is told once"),
          ]
        },
      },
    ]
  },
}

const written = ({ content, status }: (typeof ownList)[number]): string => `${status} ${content}`

const offered = (stage: Stage, at: number, wanted: readonly string[], what: string): Fact => {
  const names = stage.requests()[at]?.neutral.tools.map(({ name }) => name) ?? []
  const ours = names.filter((name) => name.includes("headway"))
  return { ...sameList(what, ours, wanted), seen: `${ours.join(", ") || "none"} of ${names.length}` }
}

const editReaches = (stage: Stage, at: number, edit: string, what: string): Fact => {
  const times = timesIn(wordsOf(stage.requests()[at]), edit)
  return { what, ok: times === 1, seen: times === 1 ? "" : `${times} times` }
}

type Report = { connected: string; plugin?: { note?: string } }

const reportOf = (stage: Stage): Partial<Report> => {
  const { out } = stage.headway("doctor", stage.client.agent, "--json")
  return (JSON.parse(out) as { agents: Report[] }).agents[0] ?? {}
}

const unseenNote = (stage: Stage): Fact => {
  const { note = "" } = reportOf(stage).plugin ?? {}
  return { what: "doctor says so, and what to do", ok: note.includes("headway setup"), seen: note }
}

const connection = (stage: Stage, wanted: string): Fact => {
  const { connected } = reportOf(stage)
  return { what: `doctor says it is connected by: ${wanted}`, ok: connected === wanted, seen: connected ?? "nothing" }
}
