/** What Headway's own checks make of a todo, and evidence in short. */
import { expect, test } from "vitest"
import { briefOf, evidenceOfPlan, marksOf, type Verified, withVerifications } from "../../src/evidence/index.ts"
import { around, evidenceIn } from "./claude-session.ts"

const checked = (outcome: "passed" | "failed", more: object = {}, todo?: string): Verified => ({
  ...(todo === undefined ? {} : { todo }),
  isPersons: true,
  verification: { command: "npm test", outcome, at: "2030-01-01T00:00:00Z", ...more },
})

const proposed = (...words: Parameters<typeof checked>): Verified => ({ ...checked(...words), isPersons: false })

const done = [{ id: "1", content: "Fix login", status: "completed" as const }]

test.each<[string, readonly Verified[], string, boolean]>([
  ["a check of the plan that passed", [checked("passed", { isStale: false })], "verified", false],
  ["a check that passed before files changed", [checked("passed", { isStale: true })], "nothing-seen", true],
  ["a check of the todo that fails now", [checked("failed", { isStale: false }, "fix login.")], "contradicted", false],
  [
    "a check of the todo that failed before files changed",
    [checked("failed", { isStale: true }, "Fix login")],
    "nothing-seen",
    false,
  ],
  ["a check of the todo that failed outside of git", [checked("failed", {}, "Fix login")], "contradicted", false],
  [
    "a check of the whole plan that failed outside of git though nothing is left open",
    [{ ...checked("failed"), isPlanDone: true }],
    "contradicted",
    false,
  ],
  [
    "a check of the todo that could not be run outside of git",
    [checked("failed", { isNotRunnable: true }, "Fix login")],
    "nothing-seen",
    false,
  ],
  [
    "a check of the todo that failed in a project that is not known from here",
    [checked("failed", { isElsewhere: true }, "Fix login")],
    "nothing-seen",
    false,
  ],
  ["a check of the whole plan that fails", [checked("failed", { isStale: false })], "nothing-seen", false],
  [
    "a check of the whole plan that fails though nothing is left open",
    [{ ...checked("failed", { isStale: false }), isPlanDone: true }],
    "contradicted",
    false,
  ],
  [
    "a check of the whole plan that failed before files changed",
    [{ ...checked("failed", { isStale: true }), isPlanDone: true }],
    "nothing-seen",
    false,
  ],
  ["a proposed check of the todo that passed", [proposed("passed", { isStale: false }, "Fix login")], "backed", false],
  ["a proposed check of the plan that passed", [proposed("passed", { isStale: false })], "backed", false],
  ["a proposed check that passed before files changed", [proposed("passed", { isStale: true })], "nothing-seen", false],
  [
    "a proposed check of the todo that fails now",
    [checked("passed", { isStale: false }), proposed("failed", { isStale: false }, "Fix login")],
    "contradicted",
    false,
  ],
  [
    "a proposed check of the todo beside one that the person set for the plan",
    [checked("passed", { isStale: false }), proposed("passed", { isStale: false }, "Fix login")],
    "verified",
    false,
  ],
  ["a check that was not run yet", [checked("passed", { isStale: false }), { isPersons: true }], "nothing-seen", false],
])("%s", (_name, checks, word, isStale) => {
  const [todo] = withVerifications(evidenceOfPlan({ session: "s", agent: "main" }, done), checks).todos
  expect(todo?.word).toBe(word)
  expect(todo?.isStale === true).toBe(isStale)
  const mark = marksOf(done, { brief: undefined, agent: "main", checks })["1"]
  expect(mark).toMatchObject({ word, ...(isStale ? { isStale } : {}) })
})

test("a check of the whole plan that failed outside of git is named with the list", () => {
  const { list } = withVerifications(evidenceOfPlan({ session: "s", agent: "main" }, done), [checked("failed")])
  expect(list.failing).toEqual([checked("failed").verification])
})

test("a todo that the agent's own check backs is contradicted by the person's check that failed outside of git", async () => {
  const evidence = await evidenceIn(around("Fix login", [{ edit: "src/login.ts" }, { run: "npm test" }]))
  expect(evidence.todos[0]?.word).toBe("backed")
  const [todo] = withVerifications(evidence, [checked("failed", {}, "Fix login")]).todos
  expect(todo?.word).toBe("contradicted")
})

const edited = [
  { edit: "src/login.ts" },
  { run: "npm test", prints: "Tests  1 failed | 2 passed (3)", fails: true as const },
]

test("checks of the main plan say nothing about the todos of a sub-agent's own list", async () => {
  const evidence = await evidenceIn([
    { todos: { "Fix login": "in_progress" } },
    { delegates: "Fix it", agent: "helper", does: around("Fix login", edited) },
    { todos: { "Fix login": "completed" } },
  ])
  const seen = evidence.todos.map(({ agent, word }) => [agent, word])
  const checks = [checked("passed", { isStale: false }), checked("passed", { isStale: false }, "Fix login")]
  const { todos } = withVerifications(evidence, checks)
  expect(seen).toContainEqual(["helper", "contradicted"])
  expect(todos.find(({ agent }) => agent === "helper")).toEqual(evidence.todos.find(({ agent }) => agent === "helper"))
  expect(todos.find(({ agent }) => agent === undefined)?.word).toBe("verified")
})

test("marks follow the words of a todo where the plan has other ids", async () => {
  const brief = briefOf(await evidenceIn(around("Fix login", edited)))
  const plan = [
    { id: "17", content: "Fix login", status: "completed" as const },
    { id: "18", content: "Ticked off by a person", status: "completed" as const },
  ]
  const marks = marksOf(plan, { brief, agent: "main", checks: [] })
  expect(marks["17"]).toMatchObject({ word: "contradicted" })
  expect(marks["17"]?.sentences.join(" ")).toContain('"npm test" failed after the last edit (line 5)')
  expect(Object.keys(marks)).toEqual(["17"])
})

test("a todo that a person has reopened, and one of another agent, have no mark", async () => {
  const brief = briefOf(await evidenceIn(around("Fix login", edited)))
  const open = [{ id: "1", content: "Fix login", status: "pending" as const }]
  expect(marksOf(open, { brief, agent: "main", checks: [] })).toEqual({})
  expect(marksOf(done, { brief, agent: "helper", checks: [] })).toEqual({})
})
