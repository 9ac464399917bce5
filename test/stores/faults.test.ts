/** Nothing acknowledged is lost, with real processes; `npm run attack -- store-faults` does the same with full counts. */
import { beforeAll, describe, expect, test } from "vitest"
import { runCli } from "../cli/run-cli.ts"
import { rounds } from "../rounds.ts"
import { bundle, claimTogether, killWriters, writeTogether } from "./faults.ts"
import { temporaryFolder } from "./temporary.ts"

const processes = rounds(16, 6)

let program = ""
beforeAll(async () => {
  program = await bundle("./writer.ts", temporaryFolder())
})

describe("processes writing to one plan at once lose nothing and agree (N8)", () => {
  test.each([
    { kind: "add", todos: 1 },
    { kind: "change", todos: 1 },
    { kind: "change", todos: 600 },
  ] as const)("all $kind, in a plan that begins with $todos todos", async ({ kind, todos }) => {
    const home = temporaryFolder()
    expect(await writeTogether({ home, program, processes, writes: 5, kind, todos })).toBe(5 * processes)
  })
})

test("of processes that claim the same todo at once exactly one gets it, and the others are told which", async () => {
  const { holder, winners, refusals } = await claimTogether({ home: temporaryFolder(), program, processes })
  expect(winners).toEqual([holder])
  expect(refusals).toHaveLength(processes - 1)
  for (const refusal of refusals) expect(refusal).toContain(`is taken by ${holder} until`)
})

test("a writer killed at any moment loses no acknowledged entry (N8)", async () => {
  const home = temporaryFolder()
  const times = rounds(10, 6)
  const nextCommand = async (words: string[]): Promise<number> => (await runCli(words)).code
  const { acknowledged } = await killWriters({ home, program, rounds: times, nextCommand })
  expect(acknowledged).toBeGreaterThanOrEqual(times)
})
