/** Evidence for done todos: a todo whose test passed, and one that is ticked off against its test, which is said once. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Turn } from "../../src/scripted/script.ts"
import type { Client, NativeTodo } from "../clients/client.ts"
import type { Ran, Stage } from "../stage.ts"
import { endedWell, type Fact, ownCall, type Scenario, sameList, timesIn, wordsOf } from "./scenario.ts"

const list = (one: NativeTodo["status"], other: NativeTodo["status"]): NativeTodo[] => [
  { content: "Add the numbers", status: one },
  { content: "Handle zero", status: other },
]

const steps = [list("in_progress", "pending"), list("completed", "in_progress"), list("completed", "completed")]

const right = "export const add = (a, b) => a + b\n"
const wrong = "export const add = (a, b) => a - b\n"

export const evidence: Scenario = {
  id: "evidence",
  about: "evidence for done todos",
  acts: (client) => {
    const { work, natives } = client
    if (!work) return []
    const native = natives.find(({ onlyPending }) => onlyPending === undefined)
    const listed = (step: number): readonly Turn[] =>
      native?.turns(steps[step] ?? [], steps[step - 1]) ?? [
        { calls: [ownCall(client, { todos: steps[step], replace: true })] },
      ]
    const edited = (content: string): Turn => ({ calls: [work.write("add.mjs", content)] })
    const tested: Turn = { calls: [work.run("npm test")] }
    return [
      {
        turns: [
          ...listed(0),
          edited(wrong),
          tested,
          edited(right),
          tested,
          ...listed(1),
          edited(wrong),
          tested,
          ...listed(2),
          { text: "I am done." },
          { text: "I am done, really." },
          { text: "No one should hear this." },
        ],
        setup: native && !native.isThere ? ["--native", "on"] : [],
        play: async (stage) => {
          prepare(join(stage.home, "project"))
          const args = [...(native?.args ?? []), ...(work.args ?? [])]
          const ran = await stage.converse(["Do the work."], { args, env: native?.env ?? {} })
          return [endedWell(ran), ...seen(stage), printed(stage, ran), ...factsAboutReports(stage, client)]
        },
      },
    ]
  },
}

const prepare = (project: string): void => {
  writeFileSync(join(project, "package.json"), '{ "type": "module", "scripts": { "test": "node --test" } }\n')
  writeFileSync(
    join(project, "add.test.mjs"),
    `import assert from "node:assert"
import { test } from "node:test"
import { add } from "./add.mjs"
test("adds", () => assert.equal(add(1, 2), 3))
`,
  )
}

type Told = { todos: { word: string; facts: { edits: { count: number }; checks: { outcome: string }[] } }[] }

const wordsIn = (out: string): string[] =>
  (JSON.parse(out || '{"todos":[]}') as Told).todos.map(
    ({ word, facts }) =>
      `${word} (${facts.edits.count} edited, ${facts.checks.map(({ outcome }) => outcome).join(" and ") || "nothing"} checked)`,
  )

const wanted = ["backed (2 edited, failed and passed checked)", "contradicted (1 edited, failed checked)"]

const seen = (stage: Stage): Fact[] => {
  const { out, err } = stage.headway("evidence", "--json")
  return [
    {
      ...sameList("its session file has the evidence for each", wordsIn(out), wanted),
      ...(out === "" ? { seen: err } : {}),
    },
  ]
}

/** What it printed may tell less: where no line says what is in progress, no more is said than that it was edited. */
const printed = (stage: Stage, { out }: Ran): Fact => {
  const path = join(stage.home, "printed.jsonl")
  writeFileSync(path, out)
  const found = wordsIn(stage.headway("evidence", path, "--json").out)
  const ok = JSON.stringify(found) === JSON.stringify(wanted) || found.some((one) => one.startsWith("unchecked"))
  return { what: "what it printed tells it too", ok, seen: found.join(", ") || "nothing" }
}

/** Only of a list that its hooks have recorded. */
const factsAboutReports = (stage: Stage, { otherCall, cannot }: Client): Fact[] => {
  if (!otherCall || cannot?.stopping !== undefined) return []
  const requests = stage.requests()
  const last = wordsOf(requests.at(-1))
  return [
    {
      what: "it hears once, as it stops, which check speaks against what it ticked off",
      // Some clients say it in a message, and once more in what they put before it.
      ok: timesIn(last, 'You marked "Handle zero"') > 0 && !/\bNo one should hear this\b/.test(last),
      seen: timesIn(last, "You marked") === 0 ? "it was let go at once" : `${requests.length} requests`,
    },
  ]
}
