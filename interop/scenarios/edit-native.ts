/** A person changes the agent's own list: it is said who hears of it, it stays in sight, and what is done against it is told. */
import type { Native, NativeTodo } from "../clients/client.ts"
import { type Act, askingTurn, endedWell, type Fact, type Scenario, wordsOf } from "./scenario.ts"

type ListedPlan = { session: string; agent: string; todos: number }

export const editNative: Scenario = {
  id: "edit-native",
  about: "an edit of its own list",
  acts: ({ natives }) => natives.filter(({ onlyPending }) => onlyPending === undefined).map(edited),
}

const before: readonly NativeTodo[] = [
  { content: "Build", status: "in_progress" },
  { content: "Deploy", status: "pending" },
]

const after = before.map((todo): NativeTodo => ({ ...todo, status: "completed" }))

const edited = ({ tool, turns, isThere = false, args = [], env = {} }: Native): Act => {
  const first = turns(before)
  return {
    setup: isThere ? [] : ["--native", "on"],
    turns: [...first, askingTurn, ...turns(after, before), askingTurn],
    play: async (stage) => {
      const begun = await stage.converse(["Do the work."], { args, env })
      const listed = JSON.parse(stage.headway("list", "--json").out || "[]") as ListedPlan[]
      const session = listed.find(({ agent, todos }) => agent === "main" && todos === 2)?.session ?? "none"
      const edit = stage.headway("todo", "rm", "Deploy", "--session", session)
      const untold = stage.headway("history", "--session", session).out
      const resumed = await stage.converse(["Go on."], { isResumed: true, args, env })
      const history = stage.headway("history", "--session", session).out
      const words = stage
        .requests()
        .slice(first.length + 1)
        .map(wordsOf)
        .join("\n")
      return [
        endedWell(begun),
        endedWell(resumed),
        ...(edit.err.includes("will not see")
          ? factsWhenNotTold(tool, edit, untold)
          : factsWhenTold(tool, edit, untold, words)),
        wentOn(history),
      ]
    },
  }
}

type Edit = { code: number | null; err: string }

const factsWhenNotTold = (tool: string, { code, err }: Edit, untold: string): Fact[] => [
  {
    what: `an edit of the list of ${tool}, which it does not see, is reported as such, and done`,
    ok: code === 0,
    seen: err.trim() || `exit ${code}`,
    cannot: "It does not see an edit of its own list; the edit is shown as not told.",
  },
  { what: "history shows it as not told", ok: untold.includes("(not told)"), seen: "" },
]

const factsWhenTold = (tool: string, { err }: Edit, untold: string, words: string): Fact[] => [
  {
    what: `it is said when it hears of an edit of the list of ${tool}`,
    ok: err.includes("at its next turn"),
    seen: err.trim(),
  },
  { what: "until then history shows it as not told yet", ok: untold.includes("(not told yet)"), seen: "" },
  { what: "it is told of the edit", ok: /removed \S+ "Deploy"/.test(words), seen: "" },
]

/** It completes the todo all the same. */
const wentOn = (history: string): Fact => ({
  what: "what it does against the edit is in history",
  ok: /continued "Deploy" \(completed\)/.test(history),
  seen: /continued.*/.exec(history)?.[0] ?? "nothing",
})
