/** What the last runs came to: a file in the repository, from which the guide's table is made. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Fact, ScenarioId } from "./scenarios/scenario.ts"

export type ClientResult = {
  client: string
  title: string
  /** As `headway setup` knows it. */
  agent: string
  version: string
  scenarios: Partial<Record<ScenarioId, Result>>
}

/** With "ok", the reason is what the client cannot do of it. */
export type Result = { state: "ok" | "cannot" | "failed"; date: string; reason?: string }

const path = fileURLToPath(new URL("results.json", import.meta.url))

export const readResults = (): ClientResult[] =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ClientResult[]) : []

/** Takes the place of what this version came to before in the same scenarios, and of all that other versions came to. */
export const keepResults = (result: ClientResult, order: readonly string[]): void => {
  const kept = readResults()
  const before = kept.find(({ client, version }) => client === result.client && version === result.version)
  const merged = { ...result, scenarios: { ...before?.scenarios, ...result.scenarios } }
  const all = [...kept.filter(({ client }) => client !== result.client), merged]
    .filter(({ client }) => order.includes(client))
    .toSorted((one, other) => order.indexOf(one.client) - order.indexOf(other.client))
  writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`)
}

/** One result of all that was seen. */
export const resultOf = (facts: readonly Fact[], date: string): Result => {
  const failed = facts.find(({ ok }) => !ok)
  if (failed) return { state: "failed", date, reason: failed.what }
  const limits = [...new Set(facts.flatMap(({ cannot }) => cannot ?? []))]
  return { state: "ok", date, ...(limits.length > 0 ? { reason: limits.join(" ") } : {}) }
}
