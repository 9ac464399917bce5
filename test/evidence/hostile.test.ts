/** Commands, outputs and todos that were made to take long: each of these took seconds or minutes when its length counted twice. */
import { expect, test } from "vitest"
import { assess } from "../../src/evidence/assess.ts"
import { mayMeanToFail } from "../../src/evidence/command-kind.ts"
import { outcomeOf } from "../../src/evidence/outcome.ts"
import { shellEdits } from "../../src/evidence/shell-edits.ts"
import { createTimeline } from "../../src/evidence/timeline.ts"
import { expectsNoEdit, isAboutChecking, mayEndInFailure } from "../../src/evidence/todo-intent.ts"

const filled = (word: string, length: number): string => word.repeat(Math.ceil(length / word.length)).slice(0, length)

test.each([
  ["Tests: ", "1"],
  ["", "passed: 1 "],
  ["=", "1 errors "],
  ["", "1 tests, "],
  ["Found 1 errors", " fixed, 1"],
])("lines that begin with %j and go on with %j without end are read", (begin, word) => {
  for (let count = 0; count < 40; count += 1)
    expect(outcomeOf({ command: "npm test", output: begin + filled(word, 64_000) })).toBe("unknown")
})

test("a summary after an endless line still counts", () => {
  const output = `${filled("Tests: 1", 60_000)}\nTests  1 failed | 2 passed (3)`
  expect(outcomeOf({ command: "npm test", output })).toBe("failed")
})

test.each(["tsc;", "tsc&&", "set -e;tsc;", "a|", "$(", "<<A ", "sh -c '", "xargs ", "find {}{} -exec "])(
  "a command of %j without end",
  (word) => {
    for (let count = 0; count < 20; count += 1) {
      const command = `npm test; ${filled(word, 20_000)}${count}`
      expect(outcomeOf({ command, exitCode: 1 })).not.toBe("passed")
      expect([shellEdits(command).files, mayMeanToFail(command)]).toEqual([expect.anything(), expect.anything()])
    }
  },
)

test.each(["write ", "run ", "and ", "explore and "])("a todo of %j without end is read", (word) => {
  const content = filled(word, 20_000)
  for (let count = 0; count < 200; count += 1)
    expect([expectsNoEdit(content), mayEndInFailure(content), isAboutChecking(content)]).toHaveLength(3)
})

test("actions are examined a limited number of times, however many todos were in progress then", () => {
  // A million pairs, of which half a million are looked at.
  const actions = 1_000
  const timeline = createTimeline()
  const listed = (status: "in_progress" | "completed") =>
    Array.from({ length: 1_000 }, (_, at) => ({ id: String(at), content: `Todo ${at}`, status }))
  timeline.list("main", { todos: listed("in_progress") }, { line: 1 })
  for (let at = 0; at < actions; at += 1) {
    const callId = `call-${at}`
    timeline.work({ type: "work", agent: "main", callId, work: { kind: "command", command: "npm test" } }, at + 2)
    timeline.work(
      { type: "work-result", agent: "main", callId, result: { exitCode: at === actions - 1 ? 0 : 1 } },
      at + 2,
    )
  }
  timeline.list("main", { todos: listed("completed") }, { line: actions + 3 })
  const { todos, list } = assess(timeline)
  expect([todos.length, list.lastCheck, list.bursts]).toEqual([1_000, "passed", 1])
  expect(new Set(todos.map(({ word }) => word))).toEqual(new Set(["backed"]))
  expect(todos.every(({ facts }) => facts.toolUses > 0)).toBe(true)
})

test("lists that are replaced again and again, and calls that are taken back, are read", () => {
  const timeline = createTimeline()
  for (let at = 0; at < 10_000; at += 1) {
    const todos = [{ id: String(at), content: `Todo ${at}`, status: "completed" as const }]
    timeline.list("main", { todos }, { line: at, callId: `call-${at}` })
    if (at % 2 === 0) timeline.takeBack(`call-${at}`)
  }
  expect(assess(timeline).todos).toHaveLength(5_000)
})
