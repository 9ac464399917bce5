/**
 * `npm run interop -- [CLIENT…] [--only SCENARIO] [--cache DIR] [--keep]`: drives the real clients from npm and checks what
 * they do with Headway. The folders of what failed are kept, with every request and all output.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Client } from "./clients/client.ts"
import { clients } from "./clients/index.ts"
import { type Installed, install } from "./install.ts"
import { scenarios } from "./scenarios/index.ts"
import type { Act, Fact } from "./scenarios/scenario.ts"
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

const row = (scenario: string, { what, ok, seen }: Fact): string =>
  `  ${ok ? "ok    " : "FAILED"}  ${scenario.padEnd(10)}  ${what}${seen === "" ? "" : `: ${seen}`}`

let failures = 0
let checks = 0
for (const client of clients) {
  if (positionals.length > 0 && !positionals.includes(client.id)) continue
  const wanted = [client, ...(client.runsOn ? [client.runsOn] : [])]
  const installed: Installed[] = []
  for (const one of wanted) installed.push(await install(values.cache, one))
  const versions = wanted.map((one, index) => `${one.package} ${installed[index]?.version}`)
  say(`\n${client.title} (${client.id}): ${versions.join(" on ")}`)
  for (const scenario of scenarios) {
    if (values.only !== undefined && values.only !== scenario.id) continue
    for (const act of scenario.acts(client)) {
      const facts = await played(
        client,
        installed.map(({ bin }) => bin),
        act,
      )
      for (const fact of facts) say(row(scenario.id, fact))
      checks += facts.length
      failures += facts.filter(({ ok }) => !ok).length
    }
  }
}
say(`\n${checks} checks, ${failures === 0 ? "all ok" : `${failures} FAILED`}.`)
process.exit(failures === 0 ? 0 : 1)
