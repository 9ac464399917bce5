/** Runs the benchmarks and prints each figure with its ratio and limit: `npm run bench [-- NAME…]`. */
import { away } from "./away.ts"
import { board } from "./board.ts"
import { bridges } from "./bridges.ts"
import { diffing } from "./diff.ts"
import { evidence } from "./evidence.ts"
import { guidance } from "./guidance.ts"
import { hostile } from "./hostile.ts"
import { live } from "./live.ts"
import { many } from "./many.ts"
import type { Row } from "./measure.ts"
import { page } from "./page.ts"
import { postgres } from "./postgres.ts"
import { start } from "./start.ts"
import { store } from "./store.ts"
import { streams } from "./streams.ts"
import { tokens } from "./tokens.ts"
import { web } from "./web.ts"

const sections: Record<string, () => Promise<Row[]>> = {
  start,
  diff: diffing,
  hostile,
  tokens,
  store,
  streams,
  guidance,
  board,
  live,
  many,
  bridges,
  web,
  page,
  evidence,
  postgres,
  away,
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(sections, name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. There are: ${Object.keys(sections).join(", ")}.`)
  process.exit(2)
}

if (process.env.NODE_EXTRA_CA_CERTS) {
  console.log("NODE_EXTRA_CA_CERTS is set: each start of Node reads those certificates, so ratios to it are smaller.")
}

for (const [name, run] of Object.entries(sections)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n${name} (node ${process.version})`)
  for (const { what, figure, ratio, limit } of await run()) {
    const verdict =
      ratio === undefined ? "" : `${ratio.toFixed(2)} of ${limit} ${ratio <= (limit ?? 0) ? "ok" : "OVER"}`
    console.log(`  ${what.padEnd(44)} ${figure.padEnd(26)} ${verdict}`.trimEnd())
  }
}
