/**
 * `npm run interop -- [CLIENT…] [--only SCENARIO] [--cache DIR] [--keep]`: drives the real clients from npm and checks what
 * they do with Headway. `results.json` keeps what it came to, and `npm run readme` puts that in the guide. The folders of what
 * failed are kept, with every request and all output.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Client } from "./clients/client.ts"
import { clients } from "./clients/index.ts"
import { type Installed, install } from "./install.ts"
import { keepResults, type Result, resultOf } from "./results.ts"
import { scenarios } from "./scenarios/index.ts"
import type { Act, Fact, Scenario } from "./scenarios/scenario.ts"
import { openStage } from "./stage.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cache: { type: "string", default: process.env.HEADWAY_INTEROP_CACHE ?? join(tmpdir(), "headway-interop-cache") },
    keep: { type: "boolean", default: false },
    only: { type: "string" },
  },
})

const mustKnow = (what: string, names: readonly string[], known: readonly { id: string }[]): void => {
  const unknown = names.filter((name) => !known.some(({ id }) => id === name))
  if (unknown.length === 0) return
  console.error(`There is no ${what} ${unknown.join(", ")}. There are: ${known.map(({ id }) => id).join(", ")}.`)
  process.exit(2)
}

mustKnow("client", positionals, clients)
mustKnow("scenario", values.only === undefined ? [] : [values.only], scenarios)
// What was started goes with us.
process.on("SIGINT", () => process.exit(130))

const say = (line: string): void => console.log(line)

/** The facts of one act; one that could not be played is a fact too. */
const played = async (client: Client, bins: readonly string[], { play, ...options }: Act): Promise<Fact[]> => {
  const stage = await openStage({ client, bins, ...options })
  const facts = await play(stage).catch((cause: unknown): Fact[] => [
    { what: "the scenario can be played", ok: false, seen: String(cause) },
  ])
  const hasFailed = facts.some(({ ok }) => !ok)
  await stage.close(values.keep || hasFailed)
  return facts.map((fact) => (fact.ok ? fact : { ...fact, seen: `${fact.seen} (see ${stage.home})` }))
}

const row = (scenario: string, { what, ok, seen, cannot }: Fact): string =>
  `  ${ok ? "ok    " : "FAILED"}  ${scenario.padEnd(11)}  ${[what, seen, cannot].filter(Boolean).join(": ")}`

/** Plays a scenario, unless the client says that it cannot. */
const resultIn = async (scenario: Scenario, client: Client, bins: readonly string[]): Promise<Result> => {
  const date = new Date().toISOString().slice(0, 10)
  const reason = client.cannot?.[scenario.id]
  if (reason !== undefined) {
    say(`  cannot  ${scenario.id.padEnd(11)}  ${reason}`)
    return { state: "cannot", date, reason }
  }
  const facts: Fact[] = []
  for (const act of scenario.acts(client)) {
    const more = await played(client, bins, act)
    for (const fact of more) say(row(scenario.id, fact))
    facts.push(...more)
  }
  if (facts.length === 0) {
    const missing = { what: "the client says how it is played, or why it cannot be", ok: false, seen: "" }
    say(row(scenario.id, missing))
    facts.push(missing)
  }
  checks += facts.length
  failures += facts.filter(({ ok }) => !ok).length
  return resultOf(facts, date)
}

let failures = 0
let checks = 0
for (const client of clients) {
  if (positionals.length > 0 && !positionals.includes(client.id)) continue
  const { id, title, agent } = client
  const wanted = [client, ...(client.runsOn ? [client.runsOn] : [])]
  const installed: Installed[] = []
  for (const one of wanted) installed.push(await install(values.cache, one))
  const [{ version, passedOver } = { version: "", passedOver: 0 }] = installed
  const versions = wanted.map((one, index) => `${one.package} ${installed[index]?.version}`)
  const newer = passedOver > 0 ? ` (the newest that can be installed; ${passedOver} newer cannot)` : ""
  say(`\n${title} (${id}): ${versions.join(" on ")}${newer}`)
  const bins = installed.map(({ bin }) => bin)
  for (const scenario of scenarios) {
    if (values.only !== undefined && values.only !== scenario.id) continue
    const result = await resultIn(scenario, client, bins)
    keepResults(
      { client: id, title, agent, version, scenarios: { [scenario.id]: result } },
      clients.map((one) => one.id),
    )
  }
}
say(`\n${checks} checks, ${failures === 0 ? "all ok" : `${failures} FAILED`}.`)
process.exit(failures === 0 ? 0 : 1)
