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

/** A line of `headway events`. */
type OutputLine = { type: string; items?: { text: string; status: string }[] }

const shown = (out: string, err: string): Fact[] => {
  const lines = out.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as OutputLine] : []))
  const last = lines.findLast(({ type }) => type === "todo_list")?.items ?? []
  return [
    sameList(
      "the plan of our tool is shown",
      last.map(({ text, status }) => `${status} ${text}`),
      ["completed Read the notes", "pending Write the report"],
    ),
    { what: "it is not said that there is no plan tool", ok: !/no plan tool/.test(`${out}${err}`), seen: "" },
  ]
}
