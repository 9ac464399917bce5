/** A process that works on plans in a database as its role says, and says what was acknowledged. Run by the fault tests. */
import { createHash } from "node:crypto"
import { writeSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { dialects } from "../../../src/dialects/index.ts"
import { edits, isHeadwayError } from "../../../src/plan/index.ts"
import { createPostgresStore } from "../../../src/stores/postgres/index.ts"
import { openTracker } from "../../../src/tracker/open-tracker.ts"

const [role = "", url = "", session = "", name = "", count = "0"] = process.argv.slice(2)

/** At once and unbuffered: what was said before a kill was true before it. */
const say = (word: string, value: unknown): void => void writeSync(1, `${JSON.stringify([word, value])}\n`)

let isEnding = false
process.stdin.once("end", () => {
  isEnding = true
})

const store = createPostgresStore({ url, everyUnheard: 200, everyHeard: 1_000 })

/** Adds todos that are worded so differently that none is taken for another. Goes on where the database was away. */
const write = async (): Promise<void> => {
  let number = 0
  const idOf = (): string => `${name}-${number}`
  const tracker = await openTracker({ store, session, newId: idOf })
  const seen: string[] = []
  tracker.subscribe(({ entry }) => seen.push(entry.id))
  while (count === "0" ? !isEnding : number < Number(count)) {
    number += 1
    const content = createHash("sha256").update(idOf()).digest("hex")
    try {
      const { ok, events } = await tracker.write({ tool: "todo", input: { todos: [{ content }] } }, dialects.headway)
      if (ok && events.length > 0) say("acknowledged", idOf())
    } catch (cause) {
      if (!isHeadwayError(cause) || cause.code !== "store-away") throw cause
      say("away", cause.message)
      await wait(50)
    }
  }
  await tracker.close()
  say("saw", seen)
}

/** Entries without a plan around them, as quickly as they go. */
const append = async (): Promise<void> => {
  const key = { session, agent: "main" }
  const seen: string[] = []
  let { cursor } = await store.load(key)
  for (let number = 1; number <= Number(count); number += 1) {
    const id = `${name}-${number}`
    const by = { kind: "agent", id: name } as const
    const loaded = await store.append(key, { v: 1, id, at: new Date(0).toISOString(), by, events: [] }, cursor)
    cursor = loaded.cursor
    seen.push(...loaded.entries.map((entry) => entry.id))
    say("acknowledged", id)
  }
  say("saw", seen)
}

/** Says the last todo of a plan whenever it changes. */
const follow = async (): Promise<void> => {
  const tracker = await openTracker({ store, session })
  const tell = (): void =>
    say(
      "plan",
      tracker.plan.todos.map(({ content }) => content),
    )
  const stop = await tracker.follow()
  tracker.subscribe(tell)
  say("following", name)
  while (!isEnding) await wait(50)
  await stop()
  await tracker.close()
}

const agent = { kind: "agent", id: name } as const

/** Begins each plan with work that is done, then adds work that is not: from then on it must not go. */
const begin = async (): Promise<void> => {
  for (let number = 0; number < Number(count); number += 1) {
    const tracker = await openTracker({ store, session: `${session}${number}` })
    await tracker.edit(agent, () => edits.add(`done by ${name}`, { status: "completed" }))
    const open = `left by ${name}`
    await tracker.edit(agent, () => edits.add(open))
    say("acknowledged", [number, open])
    await tracker.close()
  }
}

const sweep = async (): Promise<void> => {
  let removed = 0
  let kept = 0
  while (!isEnding) {
    const swept = await store.sweep(({ isFinished }) => isFinished)
    removed += swept.removed.length
    kept += swept.problems.filter(({ code }) => code === "kept").length
    for (const { code, message } of swept.problems) if (code !== "kept") say("problem", message)
  }
  say("swept", { removed, kept })
}

const roles: Record<string, () => Promise<void>> = { write, append, follow, begin, sweep }

say("ready", process.pid)
await new Promise((resolve) => process.stdin.once("data", resolve))
await roles[role]?.()
await store.close()
process.stdin.destroy()
