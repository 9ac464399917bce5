/** A person changes the agent's own list: it is said who hears of it, it stays in sight, and what is done against it is told. */
import { askingTurn, endedWell, type Fact, type Scenario, wordsOf } from "./scenario.ts"

type Listed = { session: string; agent: string; todos: number }

export const editNative: Scenario = {
  id: "edit-native",
  acts: ({ ownList: own }) =>
    own
      ? [
          {
            setup: own.setup,
            turns: [
              { calls: [own.call([todo("Build", "in_progress"), todo("Deploy", "pending")])] },
              askingTurn,
              { calls: [own.call([todo("Build", "completed"), todo("Deploy", "completed")])] },
              askingTurn,
            ],
            play: async (stage) => {
              const first = await stage.converse(["Do the work."])
              const listed = JSON.parse(stage.headway("list", "--json").out || "[]") as Listed[]
              const session = listed.find(({ agent, todos }) => agent === "main" && todos === 2)?.session ?? "none"
              const edit = stage.headway("todo", "rm", "Deploy", "--session", session)
              const before = stage.headway("history", "--session", session).out
              const second = await stage.converse(["Go on."], { isResumed: true })
              const after = stage.headway("history", "--session", session).out
              return [
                endedWell(first),
                endedWell(second),
                ...(edit.err.includes("will not hear") ? notHeard(edit.code, before, after) : heard(edit.err, before)),
                ...(edit.err.includes("will not hear")
                  ? []
                  : [told(stage.requests().slice(2).map(wordsOf).join("\n"))]),
              ]
            },
          },
        ]
      : [],
}

const todo = (content: string, status: string) => ({ content, status })

const notHeard = (code: number | null, before: string, after: string): Fact[] => [
  { what: "an edit it does not hear of is said to be so, and done", ok: code === 0, seen: `exit ${code}` },
  { what: "history shows it as not told", ok: before.includes("(not told)"), seen: "" },
  {
    what: "what it does against the edit is in history",
    ok: /went on with "Deploy" \(completed\)/.test(after),
    seen: /went on with.*/.exec(after)?.[0] ?? "nothing",
  },
]

const heard = (said: string, before: string): Fact[] => [
  { what: "it is said when it hears of an edit", ok: said.includes("at its next turn"), seen: said.trim() },
  { what: "until then history shows it as not told yet", ok: before.includes("(not told yet)"), seen: "" },
]

const told = (words: string): Fact => ({
  what: "it is told of the edit",
  ok: /removed \S+ "Deploy"/.test(words),
  seen: "",
})
