/** Killed at any moment, set-up and hooks leave nothing half done; `npm run attack` does the same with full counts. */
import { expect, test } from "vitest"
import { openOwedNotices } from "../../src/bridges/hooks/owed-notice.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { killHooks, killSetups, killTellingHooks, scenarios } from "./killed.ts"

test("a set-up killed at any moment leaves each file old or new, and the next one undoes it byte for byte", () => {
  const { killed, steps } = killSetups({ folder: temporaryFolder(), rounds: scenarios.length })
  expect([killed, steps > 10]).toEqual([scenarios.length, true])
})

test("a hook killed at any moment loses nothing that was written before, and leaves no lock", async () => {
  const { killed } = await killHooks({ folder: temporaryFolder(), rounds: 4 })
  expect(killed).toBeGreaterThan(0)
})

test("a hook killed while it tells the agent of a person's change leaves it to the next one", async () => {
  const { killed } = await killTellingHooks({ folder: temporaryFolder(), rounds: 6 })
  expect(killed).toBeGreaterThan(0)
})

test("what a killed hook owed one agent is not told to another whose id its own begins with", () => {
  const home = temporaryFolder()
  const owedTo = (agent: string, minute: number) =>
    openOwedNotices(home, { session: "s", agent }, () => new Date(Date.UTC(2026, 0, 1, 0, minute)))
  owedTo("main.b", 0).owe({ entries: ["one"], text: "The person changed the plan of b." })
  const other = owedTo("main", 5)
  expect(other.takeOver(() => true)).toEqual([])
  other.settle()
  expect(owedTo("main.b", 5).takeOver(() => true)).toEqual(["The person changed the plan of b."])
})
