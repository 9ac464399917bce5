/** What the runs came to, for the guide: a row for each scenario, a column for each client, and the reasons by number. */
import { type ClientResult, type Result, readResults } from "./results.ts"
import { scenarios } from "./scenarios/index.ts"

/** The head of the table, and its rows. */
export const clientResults = (results = readResults()): [string[], string[][]] => {
  const reasons = reasonsIn(results)
  const cell = (result: Result | undefined): string => {
    if (!result) return "not tried"
    const { state, reason } = result
    return reason === undefined ? state : `${state} (${reasons.indexOf(reason) + 1})`
  }
  const rows = scenarios.map(({ id, about }) => [about, ...results.map(({ scenarios: of }) => cell(of[id]))])
  return [
    ["", ...results.map(({ title }) => title)],
    [["version", ...results.map(({ version }) => version)], ...rows, ["last tried", ...results.map(lastDate)]],
  ]
}

/** The reasons and whose they are, in the order of their numbers. */
export const clientLimits = (results = readResults()): string[] =>
  reasonsIn(results).map((reason, index) => {
    const whose = results.filter((one) => reasonsIn([one]).includes(reason)).map(({ title }) => title)
    return `${index + 1}. ${[...new Set(whose)].join("; ")}: ${reason}`
  })

const reasonsIn = (results: readonly ClientResult[]): string[] => {
  const all = results.flatMap(({ scenarios: of }) => scenarios.flatMap(({ id }) => of[id]?.reason ?? []))
  return [...new Set(all)]
}

const lastDate = ({ scenarios: of }: ClientResult): string =>
  Object.values(of)
    .map(({ date }) => date)
    .toSorted()
    .at(-1) ?? ""
