/**
 * `npm run attack -- [NAME…] [--seed NUMBER] [--short]`: everything hostile we know is done to the built command. Prints a
 * verdict for each attack, and ends with 1 when one of them got through.
 */
import { parseArgs } from "node:util"
import { atOnce } from "./at-once.ts"
import type { Verdict } from "./attacks/attack.ts"
import { attacks } from "./attacks/index.ts"
import { play } from "./play.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, short: { type: "boolean", default: false } },
})

const fail = (why: string): never => {
  console.error(why)
  process.exit(2)
}

const unknown = positionals.filter((name) => !attacks.some(({ id }) => id === name))
if (unknown.length > 0) {
  fail(`There is no attack ${unknown.join(", ")}. There are: ${attacks.map(({ id }) => id).join(", ")}.`)
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
if (!Number.isSafeInteger(seed)) fail(`--seed takes a whole number, not "${values.seed}".`)
// Attacks remove what they made when this process exits.
process.on("SIGINT", () => process.exit(130))

/** Beside the verdicts, and only for what takes longer than a second. */
const reporter = (id: string): { progress: (text: string) => void; end: () => void } => {
  const isTerminal = process.stderr.isTTY
  const interval = isTerminal ? 250 : 5_000
  let last = performance.now() + 1_000 - interval
  let isShown = false
  return {
    progress(text) {
      if (performance.now() - last < interval) return
      last = performance.now()
      isShown = isTerminal
      process.stderr.write(isTerminal ? `\r\u001b[K  ${id}: ${text}` : `  … ${id}: ${text}\n`)
    },
    end() {
      if (isShown) process.stderr.write("\r\u001b[K")
    },
  }
}

const most = 12

const linesOf = (id: string, verdict: Verdict, seconds: string): string[] => {
  const row = (word: string, text: string): string => `${word.padEnd(7)}  ${id.padEnd(width)}  ${text}`
  if ("skipped" in verdict) return [row("skipped", verdict.skipped)]
  const { tried, broken } = verdict
  if (broken.length === 0) return [row("held", `${tried} (${seconds} s)`)]
  const rest = broken.length > most ? [`and ${broken.length - most} more`] : []
  return [
    row("BROKEN", `${tried} (${seconds} s)`),
    ...[...broken.slice(0, most), ...rest].map((line) => `         - ${line.replaceAll("\n", "\n           ")}`),
  ]
}

const width = Math.max(...attacks.map(({ id }) => id.length))
const asked = attacks.filter(({ id }) => positionals.length === 0 || positionals.includes(id))
const again = ["npm run attack --", ...positionals, `--seed ${seed}`, ...(values.short ? ["--short"] : [])].join(" ")
console.log(`${asked.length} attacks with seed ${seed}; "${again}" makes the same choices again.\n`)

let held = 0
let skipped = 0
// Most of an attack is waiting for one process after the other, so two of them share the machine well.
await atOnce(asked, 2, async (attack) => {
  const { progress, end } = reporter(attack.id)
  const started = performance.now()
  const verdict = await play(attack, { size: values.short ? "short" : "full", seed, progress })
  end()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  for (const line of linesOf(attack.id, verdict, seconds)) console.log(line)
  if ("skipped" in verdict) skipped += 1
  else if (verdict.broken.length === 0) held += 1
})
const broken = asked.length - held - skipped
console.log(`\n${held} held, ${broken} broken, ${skipped} skipped.`)
process.exit(broken === 0 ? 0 : 1)
