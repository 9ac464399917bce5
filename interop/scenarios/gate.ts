/** With `--gate`, a todo stays open while a check that the person set fails; the second time it is taken. */
import type { Turn } from "../../src/scripted/script.ts"
import type { Client, Native } from "../clients/client.ts"
import type { Act } from "./scenario.ts"
import { endedWell, ownCall, type Scenario, sameList, shownPlan, timesIn, wordsOf } from "./scenario.ts"

const content = "Add the numbers"

export const gate: Scenario = {
  id: "gate",
  about: "a done that its check refuses",
  acts: (client) => [ownAct(client), ...client.natives.filter(isGated).map((native) => nativeAct(native))],
}

/** Only Claude Code asks before it ticks a task off. */
const isGated = ({ tool, onlyPending }: Native): boolean => tool === "TaskUpdate" && onlyPending === undefined

const ownAct = (client: Client): Act => {
  const call = (status: string): Turn => ({ calls: [ownCall(client, { todos: [{ id: "1", content, status }] })] })
  return act([call("in_progress")], [call("completed")], "our tool", {})
}

const nativeAct = ({ tool, turns, isThere = false, args = [], env = {} }: Native): Act => {
  const begun = [{ content, status: "in_progress" as const }]
  const done = turns([{ content, status: "completed" }], begun)
  return act(turns(begun), done, tool, { args, env, setup: isThere ? [] : ["--native", "on"] })
}

type More = Pick<Native, "args" | "env"> & { setup?: readonly string[] }

const act = (begins: readonly Turn[], ticks: readonly Turn[], name: string, { args, env, setup = [] }: More): Act => ({
  turns: [...begins, ...ticks, ...ticks, { text: "I am done." }, { text: "No one should hear this." }],
  setup: ["--gate", ...setup],
  // While the list is answered for the first time, the person says what is to be checked.
  meanwhile: { [begins.length]: ["check", "set", "1", "echo 'not ok 1 - adds'; exit 1"] },
  play: async (stage) => {
    const ran = await stage.converse(["Do the work."], { args: args ?? [], env: env ?? {} })
    const requests = stage.requests()
    const refused = wordsOf(requests[begins.length + ticks.length])
    const { out } = stage.headway("history", "--json")
    return [
      endedWell(ran),
      {
        what: `${name}: what its check refuses stays open, and the model is told which line failed`,
        ok: timesIn(refused, "stays open") > 0 && timesIn(refused, "not ok 1 - adds") > 0,
        seen: "",
      },
      sameList(`${name}: the second time it is taken`, shownPlan(stage), [`completed ${content}`]),
      { what: `${name}: and marked`, ok: out.includes('"overruled"'), seen: "" },
    ]
  },
})
