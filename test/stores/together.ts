/** Plans that are swept or moved by several processes at once, and what must hold afterwards. */
import assert from "node:assert/strict"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { edits } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { startWriter, type Writer } from "./faults.ts"

type Options = { home: string /** The bundled program. */; program: string }

const valuesOf = <Value>({ messages }: Writer, wanted: string): Value[] =>
  messages.flatMap(([word, value]) => (word === wanted ? [value as Value] : []))

/** Lets all begin at the same moment. */
const begin = async (writers: readonly Writer[]): Promise<void> => {
  await Promise.all(writers.map(({ nextLine }) => nextLine()))
  for (const { child } of writers) child.stdin?.write("go\n")
}

const contentsOf = async (home: string, session: string): Promise<string[]> => {
  const tracker = await openTracker({ store: createFileStore({ home }), session })
  await tracker.close()
  return tracker.plan.todos.map(({ content }) => content)
}

/** Writers and sweepers at once, over many plans. Returns how many were removed, and how many kept at the last moment. */
export const sweepTogether = async ({
  home,
  program,
  plans,
}: Options & { plans: number }): Promise<{ removed: number; kept: number }> => {
  const start = (role: string, name: string): Writer => startWriter(program, [role, home, name, String(plans)])
  const writers = ["w1", "w2", "w3"].map((name) => start("write", name))
  const sweepers = ["g1", "g2"].map((name) => start("sweep", name))
  const ended = new Map([...writers, ...sweepers].map((one) => [one, once(one.child, "close")]))
  await begin([...writers, ...sweepers])
  for (const writer of writers) assert.deepEqual(await ended.get(writer), [0, null], "a writer ends well")
  for (const { child } of sweepers) child.stdin?.end()
  for (const sweeper of sweepers) assert.deepEqual(await ended.get(sweeper), [0, null], "a sweeper ends well")
  assert.deepEqual(
    sweepers.flatMap((one) => valuesOf(one, "problem")),
    [],
    "a sweeper meets no problem",
  )

  const acknowledged = writers.flatMap((one) => valuesOf<[plan: number, content: string]>(one, "acknowledged"))
  assert.equal(acknowledged.length, plans * writers.length, "every write is acknowledged")
  for (let number = 0; number < plans; number += 1) {
    const contents = await contentsOf(home, `s${number}`)
    const kept = acknowledged.flatMap(([plan, content]) => (plan === number ? [content] : []))
    assert.deepEqual(
      kept.filter((content) => !contents.includes(content)),
      [],
      "what was acknowledged is there",
    )
    assert.equal(new Set(contents).size, contents.length, "nothing is there twice")
  }
  const names = readdirSync(join(home, "journal"))
  assert.deepEqual(
    names.filter((name) => !name.endsWith(".jsonl")),
    [],
    "nothing is left lying about",
  )
  const counts = sweepers.flatMap((one) => valuesOf<{ removed: number; kept: number }>(one, "swept"))
  return {
    removed: counts.reduce((sum, { removed }) => sum + removed, 0),
    kept: counts.reduce((sum, { kept }) => sum + kept, 0),
  }
}

const person = { kind: "person", id: "ada" } as const

/** Several processes move one plan at once, each to the session named for it, and go on there with a todo of their own. */
export const moveTogether = async ({
  home,
  program,
  targets,
}: Options & { targets: readonly string[] }): Promise<{ begun: string[]; contents: Record<string, string[]> }> => {
  const begun = Array.from({ length: 12 }, (_, index) => `Todo ${index} of the beginning ${"x".repeat(index)}`)
  const tracker = await openTracker({ store: createFileStore({ home }), session: "old" })
  for (const content of begun) await tracker.edit(person, () => edits.add(content))
  await tracker.close()
  const movers = targets.map((target, index) => startWriter(program, [home, target, `m${index}`]))
  const ended = movers.map(({ child }) => once(child, "close"))
  await begin(movers)
  for (const end of ended) assert.deepEqual(await end, [0, null], "a mover ends well")
  const sessions = ["old", ...new Set(targets)]
  const found = await Promise.all(sessions.map(async (session) => [session, await contentsOf(home, session)] as const))
  return { begun, contents: Object.fromEntries(found) }
}
