/** A process that either writes to many plans, one after the other, or sweeps finished ones away. Run by `together.ts`. */
import { writeSync } from "node:fs"
import { edits } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"

const [role = "", home = "", name = "", count = "0"] = process.argv.slice(2)
const agent = { kind: "agent", id: name } as const

const say = (word: string, value: unknown): void => void writeSync(1, `${JSON.stringify([word, value])}\n`)

/** Begins each plan with work that is done, then adds work that is not: from then on it must not go. */
const write = async (): Promise<void> => {
  for (let number = 0; number < Number(count); number += 1) {
    const store = createFileStore({ home })
    const tracker = await openTracker({ store, session: `s${number}` })
    await tracker.edit(agent, () => edits.add(`done by ${name}`, { status: "completed" }))
    // Sweepers get to see it finished, also where nothing waits for a disk.
    await new Promise((resolve) => setTimeout(resolve, 5))
    const open = `left by ${name}`
    await tracker.edit(agent, () => edits.add(open))
    say("acknowledged", [number, open])
    await tracker.close()
  }
}

const sweep = async (): Promise<void> => {
  let isEnding = false
  process.stdin.once("end", () => {
    isEnding = true
  })
  let removed = 0
  let kept = 0
  while (!isEnding) {
    const swept = await createFileStore({ home }).sweep(({ isFinished }) => isFinished)
    removed += swept.removed.length
    kept += swept.problems.filter(({ code }) => code === "kept").length
    for (const { code, message } of swept.problems) if (code !== "kept") say("problem", message)
    await new Promise((resolve) => setImmediate(resolve))
  }
  say("swept", { removed, kept })
}

say("ready", process.pid)
await new Promise((resolve) => process.stdin.once("data", resolve))
await (role === "write" ? write() : sweep())
process.stdin.destroy()
