/** A process that writes to one plan through the tracker and says which entries were acknowledged. Run by `faults.ts`. */
import { createHash } from "node:crypto"
import { writeSync } from "node:fs"
import { dialects } from "../../src/dialects/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"

const [home = "", session = "", name = "", kind = "add", count = "0"] = process.argv.slice(2)

/** At once and unbuffered: what was said before a kill was true before it. */
const say = (word: string, value: unknown): void => void writeSync(1, `${JSON.stringify([word, value])}\n`)

/** Calls that always change something. New todos are worded so differently that none is taken for another. */
const inputs: Record<string, (id: string) => unknown> = {
  add: (id) => ({ todos: [{ content: createHash("sha256").update(id).digest("hex") }] }),
  claim: () => ({ todos: [{ id: "1", owner: name }] }),
  change: (id) => ({ todos: [{ id: "1", description: `as ${id} wants it` }] }),
}

let number = 0
const idOf = (): string => `${name}-${number}`
const tracker = await openTracker({ store: createFileStore({ home }), session, newId: idOf })
const seen: string[] = []
tracker.subscribe(({ entry }) => seen.push(entry.id))

say("ready", process.pid)
await new Promise((resolve) => process.stdin.once("data", resolve))

const input = inputs[kind] ?? (() => ({}))
while (count === "0" || number < Number(count)) {
  number += 1
  const { ok, events, text } = await tracker.write({ tool: "todo", input: input(idOf()) }, dialects.headway)
  if (ok && events.length > 0) say("acknowledged", idOf())
  else say("refused", text)
}

await tracker.close()
say("saw", seen)
process.stdin.destroy()
