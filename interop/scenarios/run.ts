/** `headway run` shows the plan that is kept with our tool, read from what the client prints. */
import { askingTurn, endedWell, type Fact, ownCall, ownList, type Scenario, sameList } from "./scenario.ts"

export const run: Scenario = {
  id: "run",
  about: "`headway run` with our tool",
  acts: (client) => [
    {
      turns: [
        { calls: [ownCall(client, { todos: ownList })] },
        { calls: [ownCall(client, { todos: [{ id: "1", status: "completed" }] })] },
        askingTurn,
      ],
      play: async (stage) => {
        const ran = await stage.runUnderHeadway("Do the work.")
        return [endedWell(ran), ...shown(ran.out, ran.err)]
      },
    },
  ],
}

type Listed = { type: string; plan?: { todos: { content: string; status: string }[] } }

const shown = (out: string, err: string): Fact[] => {
  const lists = out.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Listed] : []))
  const last = lists.findLast(({ plan }) => plan !== undefined)?.plan?.todos ?? []
  return [
    sameList(
      "the plan of our tool is shown",
      last.map(({ content, status }) => `${status} ${content}`),
      ["completed Read the notes", "pending Write the report"],
    ),
    {
      what: "it is not said that there is no plan tool",
      ok: !/no plan tool/.test(`${out}${err}`),
      seen: "",
    },
  ]
}
