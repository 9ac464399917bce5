/** Where evidence is easily read wrong. */
import { describe, expect, test } from "vitest"
import { loadStream } from "../../src/agents/index.ts"
import { sentencesOf } from "../../src/evidence/sentences.ts"
import { createEvidenceReader } from "../../src/sessions/evidence/evidence-reader.ts"
import { around, claudeLines, evidenceIn, type Step, wordOf } from "./claude-session.ts"

const failing = "Tests  1 failed | 2 passed (3)"
const passing = "Tests  3 passed (3)"
const edit: Step = { edit: "src/login.ts" }
const red: Step = { run: "npm test", prints: failing, fails: true }
const green: Step = { run: "npm test", prints: passing }

describe("the word for a todo", () => {
  test.each<[string, string, Step[], string]>([
    ["an edit and a check that passed", "Fix login", [edit, green], "backed"],
    ["an edit without a check", "Fix login", [edit], "unchecked"],
    ["a check that failed last", "Fix login", [edit, red], "contradicted"],
    ["a check that passed before the last edit", "Fix login", [edit, green, edit], "unchecked"],
    ["no tool at all", "Fix login", [], "nothing-seen"],
    ["a sub-agent of which nothing is known", "Fix login", [{ delegates: "Fix it" }], "delegated"],
    ["a check without an edit", "Run the tests", [green], "backed"],
    ["TDD, where the test is to fail", "Write a failing test for login", [edit, red], "unchecked"],
    ["tests that are written first", "Add tests for login", [edit, red], "unchecked"],
    ["debugging", "Debug the login failure", [red], "nothing-seen"],
    ["a rerun hidden by a pipe", "Fix login", [edit, red, { run: "npm test | tail -5", prints: "done" }], "unchecked"],
    [
      "a rerun in a pipe that shows its summary",
      "Fix login",
      [edit, red, { run: "npm test | tail -5", prints: passing }],
      "backed",
    ],
    [
      "a failure that a pipe hides",
      "Fix login",
      [edit, { run: "npm test 2>&1 | tail -5", prints: failing }],
      "contradicted",
    ],
    [
      "a lint failure that is fixed and not run again",
      "Fix login",
      [edit, { run: "npx eslint .", fails: true }, edit],
      "unchecked",
    ],
    ["tests that were refused", "Fix login", [edit, { run: "npm test", refused: true }], "unchecked"],
    ["a failure and then a refusal", "Fix login", [edit, red, { run: "npm test", refused: true }], "unchecked"],
    [
      "a missing program",
      "Fix login",
      [edit, { run: "pytest", code: 127, fails: true, prints: "pytest: command not found" }],
      "unchecked",
    ],
    ["work with sed", "Fix login", [red, { run: "sed -i 's/a/b/' src/login.ts" }], "unchecked"],
    ["work with a patch", "Fix login", [red, { run: "git apply fix.patch" }], "unchecked"],
    ["work with a here document", "Fix login", [{ run: "cat > src/login.ts <<'EOF'\nx\nEOF" }, green], "backed"],
    [
      "work with a script of its own after a failure",
      "Fix login",
      [edit, red, { run: "python3 - <<'EOF'\nopen('a','w')\nEOF" }],
      "unchecked",
    ],
    [
      "work with a tool of a server after a failure",
      "Fix login",
      [edit, red, { uses: "mcp__editor__replace" }],
      "unchecked",
    ],
    [
      "an edit that went wrong after a failure",
      "Fix login",
      [edit, red, { edit: "src/login.ts", fails: true }],
      "contradicted",
    ],
    ["reading after a failure", "Fix login", [edit, red, { uses: "Read" }], "contradicted"],
    ["two commands joined by &&", "Fix login", [edit, { run: "npm run build && npm test" }], "backed"],
    ["two commands joined by ;", "Fix login", [edit, { run: "npm test; git status" }], "unchecked"],
    ["a failure of one kind and a pass of another", "Fix login", [edit, red, { run: "npx tsc --noEmit" }], "unchecked"],
    ["a background run whose end is not seen", "Fix login", [edit, { run: "npm test", background: "b1" }], "unchecked"],
    [
      "a background run that ends in its time",
      "Fix login",
      [edit, { run: "npm test", background: "b1" }, { hears: "b1", prints: passing }],
      "backed",
    ],
    ["an edit and a check in one command", "Fix login", [{ run: "sed -i 's/a/b/' src/a.ts && npm test" }], "backed"],
    ["a check and an edit in one command", "Fix login", [{ run: "npm test && sed -i 's/a/b/' src/a.ts" }], "unchecked"],
    [
      "a failure on the state without the changes",
      "Fix login",
      [edit, { run: "git stash && npm test", prints: failing, fails: true }, { run: "git stash pop" }],
      "unchecked",
    ],
    [
      "a count of failures that a pipe leaves over",
      "Fix login",
      [edit, { run: "npm test 2>&1 | grep -c FAIL", prints: "0" }],
      "unchecked",
    ],
    ["a run that is to be reported", "Run the tests and report the results", [red], "nothing-seen"],
    ["a run to see how things are", "Check the current test status", [red], "nothing-seen"],
    ["a linter that fails last", "Fix login", [edit, green, { run: "npx eslint .", fails: true }], "contradicted"],
    [
      "a type check that a pipe hides",
      "Fix login",
      [edit, { run: "npx tsc --noEmit 2>&1 | head -5", prints: "src/a.ts(1,1): error TS2322: no" }],
      "contradicted",
    ],
    [
      "a copy that is tried out elsewhere",
      "Fix login",
      [edit, green, { run: 'TMP_COPY=$(mktemp -d)\ngit diff | (cd "$TMP_COPY" && git apply -)' }],
      "backed",
    ],
    [
      "a repository that is made to try something",
      "Fix login",
      [edit, green, { run: "cd /tmp && mkdir -p try && cd /tmp/try && echo x > .env" }],
      "backed",
    ],
    [
      "a change of the project from elsewhere",
      "Fix login",
      [edit, green, { run: "cd /tmp && sed -i 's/a/b/' /shop/src/login.ts" }],
      "unchecked",
    ],
    ["exploring", "Explore the login code", [{ uses: "Read" }, { uses: "Grep" }], "nothing-seen"],
    [
      "a check that is meant to fail",
      "Fix login",
      [edit, { run: "npm test; echo '-- negative --'; npm test -- bad", prints: failing, fails: true }],
      "unchecked",
    ],
  ])("%s", async (_name, content, steps, word) => {
    expect(await wordOf(content, steps)).toBe(word)
  })

  test("a failure that is older than the window does not count", async () => {
    const steps: Step[] = [red, ...around("Rename the button", [{ uses: "Read" }])]
    expect((await evidenceIn(steps)).todos[0]?.word).toBe("nothing-seen")
  })

  test("a failure that a later check of the same kind has settled no longer contradicts", async () => {
    const { todos } = await evidenceIn([
      { todos: { "Change login": "in_progress", "Change its tests": "pending" } },
      edit,
      red,
      { todos: { "Change login": "completed", "Change its tests": "in_progress" } },
      { edit: "test/login.test.ts" },
      green,
      { todos: { "Change login": "completed", "Change its tests": "completed" } },
    ])
    expect(todos.map(({ word }) => word)).toEqual(["unchecked", "backed"])
  })

  test("a failure does not count against a todo while the tests are still to be changed, and does afterwards", async () => {
    const steps: Step[] = [
      { todos: { "Change login": "in_progress", "Update its tests": "pending" } },
      edit,
      red,
      { todos: { "Change login": "completed", "Update its tests": "in_progress" } },
    ]
    expect((await evidenceIn(steps)).todos[0]?.word).toBe("unchecked")
    const done: Step = { todos: { "Change login": "completed", "Update its tests": "completed" } }
    const { todos } = await evidenceIn([...steps, { edit: "test/login.test.ts" }, done])
    expect(todos.map(({ word }) => word)).toEqual(["contradicted", "unchecked"])
  })

  test("a failed check counts against the todo to run it, whatever is still open", async () => {
    const { todos } = await evidenceIn([
      { todos: { "Run the tests": "in_progress", "Write tests for login": "pending" } },
      red,
      { todos: { "Run the tests": "completed", "Write tests for login": "in_progress" } },
    ])
    expect(todos[0]?.word).toBe("contradicted")
  })

  test("a failure from before the first edit does not count against a todo", async () => {
    const { todos } = await evidenceIn([red, ...around("Rename the button", [edit, red])])
    expect(todos[0]?.word).toBe("unchecked")
  })

  test("a failure counts again once the check has passed", async () => {
    const { todos } = await evidenceIn([red, edit, green, ...around("Rename the button", [edit, red])])
    expect(todos[0]?.word).toBe("contradicted")
  })

  test("what the person refused is reported", async () => {
    const { todos } = await evidenceIn(around("Fix login", [edit, { run: "npm test", refused: true }]))
    const [todo] = todos
    expect(todo?.facts.refused).toEqual([{ command: "npm test", line: 5 }])
    expect(todo && sentencesOf(todo).join(" ")).toContain('"npm test" was refused by the user')
  })

  test("a background run that ends after the tick is reported with its outcome and contradicts nothing", async () => {
    const run: Step = { run: "npm test", background: "b1" }
    const { todos } = await evidenceIn([...around("Fix login", [edit, run]), { hears: "b1", code: 1, prints: failing }])
    expect(todos[0]?.word).toBe("unchecked")
    expect(todos[0]?.facts.checks).toMatchObject([{ command: "npm test", outcome: "failed", endedLater: true }])
  })

  test("a sub-agent that tested backs the todo it was given", async () => {
    const does = [edit, green]
    const { todos } = await evidenceIn(around("Fix login", [{ delegates: "Fix it", agent: "abc", does }]))
    expect(todos[0]?.word).toBe("backed")
    expect(todos[0]?.facts.checks).toMatchObject([{ command: "npm test", outcome: "passed", agent: "abc" }])
  })

  test.each([
    ["before", "is not said to have ended later", undefined],
    ["after", "is said to have ended later", true],
  ] as const)("a check of a sub-agent's own file %s the todo was marked done %s", async (when, _said, endedLater) => {
    const lines = claudeLines(around("Fix login", [{ delegates: "Fix it", agent: "a1", does: [edit, green] }]))
    const dated = lines.map((line, minute) => {
      const isTheirs = line.includes('"isSidechain":true')
      const hour = isTheirs && when === "after" ? 11 : 10
      return { isTheirs, line: line.replace("{", `{"timestamp":"2030-01-01T${hour}:${minute + 10}:00.000Z",`) }
    })
    const stream = await loadStream("claude-transcript")
    const reader = createEvidenceReader(stream ? [stream] : [])
    for (const file of [dated.filter(({ isTheirs }) => !isTheirs), dated.filter(({ isTheirs }) => isTheirs)]) {
      for (const { line } of file) reader.push(Buffer.from(`${line}\n`))
      reader.end()
    }
    const [todo] = reader.evidence().todos
    expect(todo?.facts.lastCheck).toMatchObject({ agent: "a1", outcome: "passed" })
    expect(todo?.facts.lastCheck?.endedLater).toBe(endedLater)
  })

  test("a failure of a sub-agent contradicts nothing", async () => {
    const { todos } = await evidenceIn(around("Fix login", [{ delegates: "Fix it", agent: "abc", does: [edit, red] }]))
    expect(todos[0]?.word).toBe("unchecked")
  })

  test("a todo that was never in progress is judged by what happened since the last change of the list, and marked", async () => {
    const { todos } = await evidenceIn([
      { todos: { "Fix login": "pending" } },
      edit,
      green,
      { todos: { "Fix login": "completed" } },
    ])
    expect(todos[0]).toMatchObject({ word: "backed", facts: { window: "since-last-change" } })
  })

  test("a todo that was never in progress and had no work is not started", async () => {
    const { todos } = await evidenceIn([{ todos: { "Fix login": "pending" } }, { todos: { "Fix login": "completed" } }])
    expect(todos[0]?.word).toBe("not-started")
  })

  test("todos completed in a burst share their evidence, and a failure contradicts only those about checking", async () => {
    const { todos, list } = await evidenceIn([
      { todos: { "Fix login": "in_progress", "Run the tests": "pending" } },
      edit,
      red,
      { todos: { "Fix login": "completed", "Run the tests": "completed" } },
    ])
    expect(todos.map(({ word }) => word)).toEqual(["unchecked", "contradicted"])
    expect(todos[0]?.facts.sharedWith).toEqual([todos[1]?.id])
    expect(list).toMatchObject({ bursts: 1, lastCheck: "failed" })
  })

  test("a todo that was in progress by itself without any work is not backed by the work of the one before it", async () => {
    const { todos, list } = await evidenceIn([
      { todos: { "Fix login": "in_progress", "Update the docs": "pending", "Add a limit": "pending" } },
      edit,
      green,
      { todos: { "Fix login": "completed", "Update the docs": "in_progress", "Add a limit": "pending" } },
      { todos: { "Fix login": "completed", "Update the docs": "completed", "Add a limit": "in_progress" } },
      { todos: { "Fix login": "completed", "Update the docs": "completed", "Add a limit": "completed" } },
    ])
    expect(todos.map(({ word }) => word)).toEqual(["backed", "nothing-seen", "nothing-seen"])
    expect(todos.map(({ facts }) => facts.sharedWith)).toEqual([undefined, undefined, undefined])
    expect(list.bursts).toBe(0)
  })

  test("a todo that was in progress by itself is not backed by way of another that is ticked off with it", async () => {
    const { todos } = await evidenceIn([
      { todos: { "Fix login": "in_progress", "Name it": "pending", "Add a limit": "pending" } },
      edit,
      green,
      { todos: { "Fix login": "completed", "Name it": "pending", "Add a limit": "in_progress" } },
      { todos: { "Fix login": "completed", "Name it": "completed", "Add a limit": "completed" } },
    ])
    expect(todos.map(({ word }) => word)).toEqual(["backed", "not-started", "nothing-seen"])
    expect(todos[1]?.facts.sharedWith).toEqual([todos[2]?.id])
  })

  test("a todo that was never in progress shares the evidence of the one ticked off right before it", async () => {
    const { todos, list } = await evidenceIn([
      { todos: { "Fix login": "in_progress", "Run the tests": "pending" } },
      edit,
      green,
      { todos: { "Fix login": "completed", "Run the tests": "pending" } },
      { todos: { "Fix login": "completed", "Run the tests": "completed" } },
    ])
    expect(todos.map(({ word }) => word)).toEqual(["backed", "backed"])
    expect(list.bursts).toBe(1)
  })

  test("the list has what is open, dropped and last checked", async () => {
    const { list, todos } = await evidenceIn([
      { todos: { "Fix login": "in_progress", "Write docs": "pending", Deploy: "pending" } },
      edit,
      green,
      { todos: { "Fix login": "completed", Deploy: "pending" } },
    ])
    expect(list).toEqual({ lastCheck: "passed", dropped: [{ content: "Write docs" }], open: 1, bursts: 0 })
    expect(todos.map(({ word }) => word)).toEqual(["backed", "not-started"])
  })

  test("facts name the line they come from", async () => {
    const { todos } = await evidenceIn(around("Fix login", [edit, green]))
    expect(todos[0]?.facts).toMatchObject({ edits: { lastLine: 3 }, lastCheck: { line: 5, isAfterLastEdit: true } })
  })
})
