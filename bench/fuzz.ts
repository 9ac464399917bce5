/** Damaged lines of every format, in full counts: `npm run fuzz [-- RUNS [FORMAT…]]`. Fails at the first that is not survived. */
import { type StreamId, streamIds } from "../src/streams/index.ts"
import { surviveDamage } from "../test/streams/mutations.ts"

const [runs = "100000", ...asked] = process.argv.slice(2)
const ids = asked.length > 0 ? (asked as StreamId[]) : streamIds

for (const id of ids) {
  const started = performance.now()
  surviveDamage(id, Number(runs), ({ type, items }) => type === "todo_list" && items.every(({ text }) => text !== ""))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${id}: ${runs} damaged streams read, the good line after each too (${seconds} s)`)
}
