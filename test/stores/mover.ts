/** A process that moves a plan to another session and goes on there. Run by `together.ts`. */
import { writeSync } from "node:fs"
import { edits } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"

const [home = "", target = "", name = ""] = process.argv.slice(2)

const tracker = await openTracker({ store: createFileStore({ home }), session: "old" })
writeSync(1, `${JSON.stringify(["ready", process.pid])}\n`)
await new Promise((resolve) => process.stdin.once("data", resolve))
await tracker.moveTo(target)
await tracker.edit({ kind: "agent", id: name }, () => edits.add(`Added by ${name} after the move`))
await tracker.close()
process.stdin.destroy()
