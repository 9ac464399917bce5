/** What the runs with the real clients came to, as the guide shows it. */
import { describe, expect, test } from "vitest"
import { clients } from "../../interop/clients/index.ts"
import { type ClientResult, readResults, resultOf } from "../../interop/results.ts"
import { clientLimits, clientResults } from "../../interop/results-table.ts"
import { scenarios } from "../../interop/scenarios/index.ts"

const date = "2026-11-16"

describe("the results of interop", () => {
  const results = readResults()

  test("contain every client in every scenario", () => {
    expect(results.map(({ client }) => client)).toEqual(clients.map(({ id }) => id))
    for (const { client, scenarios: of } of results)
      expect(Object.keys(of).toSorted(), client).toEqual(scenarios.map(({ id }) => id).toSorted())
  })

  test("contain no failure", () => {
    const failed = results.flatMap(({ client, scenarios: of }) =>
      Object.entries(of).flatMap(([id, { state }]) => (state === "failed" ? `${client}: ${id}` : [])),
    )
    expect(failed).toEqual([])
  })

  test("give the reason of a client's row where it cannot do something", () => {
    for (const client of clients) {
      const of = results.find((one) => one.client === client.id)?.scenarios ?? {}
      const cannot = Object.entries(of).flatMap(([id, { state, reason }]) => (state === "cannot" ? [[id, reason]] : []))
      expect(Object.fromEntries(cannot)).toEqual(client.cannot ?? {})
    }
  })
})

describe("one result of several facts", () => {
  const fact = { what: "it works", ok: true, seen: "" }

  test("is a failure if one of them failed, and names it", () => {
    const failed = { what: "it is told", ok: false, seen: "nothing" }
    expect(resultOf([fact, failed], date)).toEqual({ state: "failed", date, reason: "it is told" })
  })

  test("names what the client cannot do, once", () => {
    expect(resultOf([fact, { ...fact, cannot: "Not so." }, { ...fact, cannot: "Not so." }], date)).toEqual({
      state: "ok",
      date,
      reason: "Not so.",
    })
  })
})

test("the table numbers each reason once, and lists what was not tried", () => {
  const one = (client: string, state: "ok" | "cannot"): ClientResult => ({
    client,
    title: client,
    agent: client,
    version: "1.0.0",
    scenarios: { tool: { state, date, reason: "Not so." } },
  })
  const [head, rows] = clientResults([one("acme", "ok"), one("other", "cannot")])
  expect(head).toEqual(["", "acme", "other"])
  const cells = rows.map(([, ...row]) => row)
  expect(cells[0]).toEqual(["1.0.0", "1.0.0"])
  expect(cells).toContainEqual(["ok (1)", "cannot (1)"])
  expect(cells).toContainEqual(["not tried", "not tried"])
  expect(cells.at(-1)).toEqual([date, date])
  expect(clientLimits([one("acme", "ok"), one("other", "cannot")])).toEqual(["1. acme; other: Not so."])
})
