/** A process that writes to a plan or moves it, through the tracker, and says what was acknowledged. Run by `concurrent-moves.ts`. */
import { createHash } from "node:crypto"
import { writeSync } from "node:fs"
import { dialects } from "../src/dialects/index.ts"
import { createFileStore } from "../src/stores/file/index.ts"
import { openTracker } from "../src/tracker/open-tracker.ts"

const [home = "", role = "", name = "", target = "", count = "1"] = process.argv.slice(2)

const tracker = await openTracker({ store: createFileStore({ home }), session: "shared" })

/** Worded so differently that none is taken for another. */
const addOne = async (number: number): Promise<void> => {
  const content = createHash("sha256").update(`${name} ${number}`).digest("hex")
  const { ok, events } = await tracker.write({ tool: "todo", input: { todos: [{ content }] } }, dialects.headway)
  if (ok && events.length > 0) writeSync(1, `${content}\n`)
}

for (let number = 0; number < Number(count); number += 1) {
  await addOne(number)
  if (role === "move" && number === 2) await tracker.moveTo(target)
}
await tracker.close()
