/** What a dialect demands of a list is data, and what breaks it is named. */
import { describe, expect, test } from "vitest"
import type { Wanted } from "../../../src/plan/list/match.ts"
import { check, defaultRules, type Rules, settleOf } from "../../../src/plan/list/rules.ts"
import { hasErrors } from "../../../src/plan/problem.ts"

const gencode: Rules = { ...defaultRules, oneActive: "reject", maxTodos: 20, maxLength: 500 }
const items = (count: number, fields: Wanted = {}): Wanted[] =>
  Array.from({ length: count }, (_, index) => ({ content: `Todo ${index + 1}`, status: "pending", ...fields }))

describe("check", () => {
  const cases: [name: string, rules: Rules, list: Wanted[], codes: string[]][] = [
    ["G1 20 todos fit", gencode, items(20), []],
    ["G1 21 todos are too many", gencode, items(21), ["too-many-todos"]],
    ["G1 500 characters of content fit", gencode, items(1, { content: "x".repeat(500) }), []],
    ["G1 501 characters of content are too long", gencode, items(1, { content: "x".repeat(501) }), ["too-long"]],
    ["G1 501 characters of active form are too long", gencode, items(1, { activeForm: "x".repeat(501) }), ["too-long"]],
    ["G2 one in progress is fine", gencode, items(1, { status: "in_progress" }), []],
    ["G2 two in progress are refused", gencode, items(2, { status: "in_progress" }), ["several-active"]],
    ["G2 an empty list is fine", gencode, [], []],
    ["C4 there is no upper limit by default", defaultRules, items(10_000), []],
    ["N2 several in progress are fine by default", defaultRules, items(3, { status: "in_progress" }), []],
    [
      "O6 several in progress are not refused where they are normalised",
      { ...defaultRules, oneActive: "normalise" },
      items(3, { status: "in_progress" }),
      [],
    ],
    [
      "G1 everything that is wrong is said at once",
      gencode,
      items(21, { status: "in_progress", content: "x".repeat(501) }),
      ["several-active", "too-many-todos", "too-long"],
    ],
    ["N2 items without text are patches and fit", gencode, [{ id: "1", status: "in_progress" }], []],
  ]
  test.each(cases)("%s", (_name, rules, list, codes) => {
    const problems = check(rules, list)
    expect(problems.map(({ code }) => code)).toEqual(codes)
    expect(hasErrors(problems)).toBe(codes.length > 0)
  })

  test("N2 a refusal names the numbers, the todos and the solution", () => {
    const [several] = check(gencode, items(4, { status: "in_progress" }))
    expect(several?.message).toContain("4")
    expect(several?.message).toContain('"Todo 1", "Todo 2", "Todo 3"')
    expect(several?.message).toContain("pending")
    const [long] = check(gencode, [...items(2), { content: "x".repeat(600) }])
    expect(long?.message).toContain("number 3")
  })
})

describe("settleOf", () => {
  const cases: [name: string, rules: Partial<Rules>, settle: object][] = [
    [
      "O6 both rules are handed to the fold",
      { oneActive: "normalise", autoStart: true },
      { oneActive: true, autoStart: true },
    ],
    ["O6 starting alone", { autoStart: true }, { autoStart: true }],
    ["G2 refusing is not settling", { oneActive: "reject" }, {}],
    ["N2 by default nothing is settled", {}, {}],
  ]
  test.each(cases)("%s", (_name, rules, settle) => {
    expect(settleOf({ ...defaultRules, ...rules })).toEqual(settle)
  })
})
